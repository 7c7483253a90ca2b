import InterfaceText
import Varlink

/// Parses the input as an interface description, prints and parses the description again, and compares the two.
@c(LLVMFuzzerTestOneInput)
public func fuzzInterfaces(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  guard let source = String(validating: bytes, as: UTF8.self) else { return 0 }
  do throws(InterfaceDescriptionError) {
    let description = try InterfaceDescription(parsing: source)
    let name = try InterfaceDescription.name(in: source)
    precondition(name == description.name)
    let again = try InterfaceDescription(parsing: description.text)
    precondition(again.text == description.text, "the printed description says something else")
    precondition(tokens(of: source) == tokens(of: description.text), "something was left out or made up")
  } catch {
    // An error has to name a line that the text has.
    let lines = source.utf8.count { $0 == UInt8(ascii: "\n") } + 1
    precondition(1...lines ~= error.line, "\(error)")
  }
  return 0
}

/// Returns the sorted bytes of a description without comments and white space.
///
/// The bytes are sorted, because the printer changes the order of members. The function looks for the bytes of `#` and
/// of the line feed, and not for characters. In Swift, `#` and a combining mark after it are one character, and so are
/// a carriage return and a line feed.
private func tokens(of source: String) -> [UInt8] {
  source.utf8.split(separator: UInt8(ascii: "\n")).flatMap { line in
    line.prefix { $0 != UInt8(ascii: "#") }.filter { $0 > 0x20 }
  }.sorted()
}
