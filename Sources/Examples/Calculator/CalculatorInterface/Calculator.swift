// The plugin GenerateInterfaces makes the types of `org.example.calculator.varlink` when this target is built. SwiftPM
// does not count generated files, so the target needs this source file.
