struct InterfaceScanner {
  /// The parser calls itself at each level, so this limit protects its stack.
  static let nestingLimit = 64

  private let text: [UInt8]
  private(set) var position = 0
  /// The lines of the comment that ends on the line before the next element.
  private var comment: [String] = []
  private(set) var isAtLineStart = true

  init(_ source: String) {
    text = Array(source.utf8)
    skipSpace()
  }

  var isAtEnd: Bool { position == text.count }

  var documentation: String { comment.joined(separator: "\n") }

  func error(_ message: String, at offset: Int? = nil) -> InterfaceDescriptionError {
    let before = text[..<(offset ?? position)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return InterfaceDescriptionError(
      line: before.count { $0 == UInt8(ascii: "\n") } + 1,
      column: before.count - lineStart + 1,
      message: message
    )
  }

  mutating func take(_ symbol: StaticString) -> Bool {
    guard symbol.matches(text.span, at: position) else { return false }
    position += symbol.utf8CodeUnitCount
    skipSpace()
    return true
  }

  mutating func require(_ symbol: StaticString) throws(InterfaceDescriptionError) {
    guard take(symbol) else { throw error("'\(symbol)' is expected") }
  }

  /// Skips a word of letters, digits and the bytes in `others`; empty if there is none.
  mutating func takeWord(allowing others: [UInt8] = []) -> String {
    let start = position
    while position < text.count, text[position].isAlphanumeric || others.contains(text[position]) {
      position += 1
    }
    let word = String(decoding: text[start..<position], as: UTF8.self)
    if !word.isEmpty { skipSpace() }
    return word
  }

  private mutating func skipSpace() {
    comment = []
    isAtLineStart = position == 0
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        position += 1
      case UInt8(ascii: "\n"):
        position += 1
        isAtLineStart = true
        // A comment before a blank line does not belong to the next element.
        if position < text.count, text[position] == UInt8(ascii: "\n") { comment = [] }
      case UInt8(ascii: "#"):
        let end = text[position...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
        var line = text[(position + 1)..<end]
        if line.first == UInt8(ascii: " ") { line.removeFirst() }
        // A comment on the same line after an element does not belong to the next element.
        if isAtLineStart { comment.append(String(decoding: line, as: UTF8.self)) }
        position = end
      default:
        return
      }
    }
  }
}

extension UInt8 {
  var isAlphanumeric: Bool { isLetter || isDigit }

  var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

  var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
