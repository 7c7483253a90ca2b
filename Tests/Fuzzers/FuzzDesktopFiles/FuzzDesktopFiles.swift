/// Reads the input as a desktop entry, command lines, lists such as `mimeapps.list`, list changes, or a MIME database.
///
/// The result is compared with the result of simpler code. The first byte of the input chooses the kind of text.
@c(LLVMFuzzerTestOneInput)
public func fuzzDesktopFiles(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let kind = input.first else { return 0 }
  let file = Array(input.dropFirst(2))
  switch Unicode.Scalar(kind) {
  case "e": checkEntry(file)
  case "x": checkExec(file)
  case "l": checkLists(file)
  case "c": checkChanges(file)
  case "t": checkTypes(file)
  default: break
  }
  return 0
}

/// The lines of a text, without line breaks.
///
/// If the text ends with a line break, the last line is empty.
func lines(of bytes: [UInt8]) -> [[UInt8]] {
  bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
}
