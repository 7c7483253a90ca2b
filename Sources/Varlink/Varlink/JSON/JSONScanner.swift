/// Reads the lexical elements of JSON (RFC 8259) strictly.
struct JSONScanner: ~Escapable {
  let bytes: Span<UInt8>
  private(set) var position = 0

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
  }

  @inline(__always)
  var byte: UInt8? {
    // The lower bound needs no check, because the position starts at 0 and only grows.
    position < bytes.count ? unsafe bytes[unchecked: position] : nil
  }

  @inline(__always)
  mutating func advance() {
    position += 1
  }

  @inline(__always)
  mutating func skipWhitespace() {
    while let byte, byte <= 0x20 {
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      advance()
    }
  }

  @inline(__always)
  mutating func skip(_ expected: UInt8) -> Bool {
    guard byte == expected else { return false }
    advance()
    skipWhitespace()
    return true
  }

  /// Returns true for a comma, after which another element or member follows.
  @inline(__always)
  mutating func skipSeparator(before bracket: UInt8) throws(JSONError) -> Bool {
    if skip(UInt8(ascii: ",")) { return true }
    guard byte == bracket else { throw error(.separatorExpected) }
    advance()
    return false
  }

  func error(_ reason: JSONError.Reason) -> JSONError {
    JSONError(position < bytes.count ? reason : .unexpectedEnd, at: position)
  }
}

// MARK: - Literals and numbers

extension JSONScanner {
  mutating func scanLiteral(_ literal: StaticString) throws(JSONError) {
    guard literal.matches(bytes, at: position) else { throw JSONError(.malformedLiteral, at: position) }
    position += literal.utf8CodeUnitCount
  }

  mutating func scanNumber() throws(JSONError) -> JSONKind {
    if byte == UInt8(ascii: "-") { position += 1 }
    if byte == UInt8(ascii: "0") {
      position += 1
      if let byte, isDigit(byte) { throw JSONError(.malformedNumber, at: position) }
    } else {
      try scanDigits()
    }
    var kind = JSONKind.integer
    if byte == UInt8(ascii: ".") {
      kind = .double
      position += 1
      try scanDigits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      kind = .double
      position += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
      try scanDigits()
    }
    return kind
  }

  private mutating func scanDigits() throws(JSONError) {
    guard let byte, isDigit(byte) else { throw error(.malformedNumber) }
    position += 1
    while position < bytes.count, isDigit(bytes[position]) { position += 1 }
  }
}

private func isDigit(_ byte: UInt8) -> Bool {
  byte &- 0x30 < 10
}

// MARK: - Strings

extension JSONScanner {
  /// Returns whether the string has escape sequences.
  @inline(__always)
  mutating func scanString() throws(JSONError) -> Bool {
    position = bytes.firstSpecialByte(from: position + 1)
    guard byte == UInt8(ascii: "\"") else { return try scanRestOfString() }
    advance()
    return false
  }

  @inline(never)
  private mutating func scanRestOfString() throws(JSONError) -> Bool {
    var hasEscapes = false
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        advance()
        return hasEscapes
      case UInt8(ascii: "\\"):
        hasEscapes = true
        try scanEscape()
      case 0x80...:
        try scanMultibyteScalar()
      default:
        throw JSONError(.controlCharacter, at: position)
      }
      position = bytes.firstSpecialByte(from: position)
    }
    throw JSONError(.unexpectedEnd, at: position)
  }

  private mutating func scanEscape() throws(JSONError) {
    let start = position
    position += 1
    guard let byte else { throw JSONError(.unexpectedEnd, at: position) }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return
    case UInt8(ascii: "u"):
      let unit = try scanCodeUnit(of: start)
      guard UTF16.isSurrogate(unit) else { return }
      guard UTF16.isLeadSurrogate(unit), bytes.hasPrefix("\\u", at: position) else {
        throw JSONError(.malformedEscape, at: start)
      }
      position += 2
      guard UTF16.isTrailSurrogate(try scanCodeUnit(of: start)) else {
        throw JSONError(.malformedEscape, at: start)
      }
    default:
      throw JSONError(.malformedEscape, at: start)
    }
  }

  private mutating func scanCodeUnit(of start: Int) throws(JSONError) -> UInt16 {
    guard let unit = bytes.codeUnit(at: position) else { throw JSONError(.malformedEscape, at: start) }
    position += 4
    return unit
  }

  /// The allowed bytes are those of table 3-7 of the Unicode standard.
  private mutating func scanMultibyteScalar() throws(JSONError) {
    let lead = bytes[position]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw JSONError(.malformedUTF8, at: position)
    }
    guard position + length <= bytes.count, second.contains(bytes[position + 1]) else {
      throw JSONError(.malformedUTF8, at: position)
    }
    for offset in 2..<max(2, length) where bytes[position + offset] & 0xC0 != 0x80 {
      throw JSONError(.malformedUTF8, at: position)
    }
    position += length
  }
}
