// The plugin GenerateInterfaces makes the types of `org.example.calculator.varlink` when this target is built. A target
// of SwiftPM needs a source file of its own, because generated ones do not count.
