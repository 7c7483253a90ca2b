import SceneClient

/// Counted from 1.
struct FilePosition: Equatable {
  let line: Int
  let column: Int?

  private init?(_ text: some Collection<UInt8>, separators: String) {
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { separators.utf8.contains($0) }
    let numbers = parts.compactMap { Self.number($0) }
    guard let line = numbers.first, numbers.count == parts.count else { return nil }
    self.line = line
    column = numbers.count > 1 ? numbers[1] : nil
  }

  /// Reads `NAME:LINE` and `NAME:LINE:COLUMN`, as compilers and grep(1) print them.
  ///
  /// Returns each way to divide the text, the longest name first.
  static func divisions(of text: [UInt8]) -> [(name: ArraySlice<UInt8>, position: FilePosition)] {
    let colons = text.indices.reversed().filter { text[$0] == UInt8(ascii: ":") }.prefix(2)
    return colons.compactMap { colon in
      let position = FilePosition(text[(colon + 1)...], separators: ":")
      return colon == 0 ? nil : position.map { (text[..<colon], $0) }
    }
  }

  /// `+LINE`, `+LINE:COLUMN` or `+LINE,COLUMN`, as for editors.
  init?(argument: [UInt8]) {
    guard argument.first == UInt8(ascii: "+") else { return nil }
    self.init(argument.dropFirst(), separators: ":,")
  }

  /// `10`, `L10`, `L10,3`, or the beginning of a range such as `L10-L20`.
  init?(fragmentOf url: String) {
    let fragment = url.utf8[URLParts(url.utf8.span).fragment].dropFirst()
    let start = fragment.prefix { $0 != UInt8(ascii: "-") }
    let isRange = start.count < fragment.count
    let numbers = start.first == UInt8(ascii: "L") ? start.dropFirst() : start[...]
    self.init(numbers, separators: ",")
    let end = fragment.dropFirst(start.count + 1)
    let last = end.first == UInt8(ascii: "L") ? end.dropFirst() : end
    if isRange, FilePosition(last, separators: ",") == nil { return nil }
  }

  private static func number(_ digits: some Collection<UInt8>) -> Int? {
    guard digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
      let number = Int(String(decoding: digits, as: UTF8.self)), number > 0
    else { return nil }
    return number
  }
}
