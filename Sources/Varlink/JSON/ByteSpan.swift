extension Span<UInt8> {
  /// Eight bytes, the first one lowest.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The first byte from `start` on that is not plain ASCII inside a JSON string, or the end.
  ///
  /// That is: a quotation mark, a backslash, a control character or a byte of a longer UTF-8 sequence.
  @inline(__always)
  func firstSpecialByte(from start: Int) -> Int {
    var position = start
    while position + 8 <= count {
      let word = word(at: position)
      let special = word.special | word & .highBits
      if special != 0 { return position + special.trailingZeroBitCount / 8 }
      position += 8
    }
    while position < count, !self[position].isSpecial, self[position] < 0x80 { position += 1 }
    return position
  }

  /// The first byte from `start` on that has to be escaped in a JSON string, or the end.
  @inline(__always)
  func firstEscapedByte(from start: Int) -> Int {
    var position = start
    while position + 8 <= count {
      let special = word(at: position).special
      if special != 0 { return position + special.trailingZeroBitCount / 8 }
      position += 8
    }
    while position < count, !self[position].isSpecial { position += 1 }
    return position
  }

  /// The first NUL from `start` on, or the end.
  func firstNUL(from start: Int) -> Int {
    var position = start
    while position + 8 <= count {
      let nul = word(at: position).nul
      if nul != 0 { return position + nul.trailingZeroBitCount / 8 }
      position += 8
    }
    while position < count, self[position] != 0 { position += 1 }
    return position
  }

  /// Whether `other` has the same bytes.
  func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    var position = 0
    while position + 8 <= count {
      if word(at: position) != other.word(at: position) { return false }
      position += 8
    }
    while position < count {
      if self[position] != other[position] { return false }
      position += 1
    }
    return true
  }

  /// Whether the bytes from `offset` on begin with `prefix`.
  func hasPrefix(_ prefix: StaticString, at offset: Int) -> Bool {
    prefix.matches(self, at: offset)
  }

  /// The UTF-16 code unit that four hexadecimal digits at `offset` stand for, or nil.
  func codeUnit(at offset: Int) -> UInt16? {
    guard offset + 4 <= count else { return nil }
    var unit: UInt16 = 0
    for index in offset..<offset + 4 {
      let digit: UInt8
      switch self[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = self[index] - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = self[index] - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = self[index] - UInt8(ascii: "A") + 10
      default: return nil
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}

extension StaticString {
  /// Whether `bytes` has the text at `offset`.
  @inline(__always)
  func matches(_ bytes: Span<UInt8>, at offset: Int) -> Bool {
    guard offset + utf8CodeUnitCount <= bytes.count else { return false }
    return withUTF8Buffer { text in
      unsafe bytes.extracting(offset..<offset + text.count).equals(text.span)
    }
  }
}

extension UInt8 {
  @inline(__always)
  fileprivate var isSpecial: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }
}

extension UInt64 {
  fileprivate static let highBits: UInt64 = 0x8080_8080_8080_8080
  private static let lowBits: UInt64 = 0x0101_0101_0101_0101

  /// Sets the high bit of each byte that is NUL; as for `special`, use the lowest bit only.
  @inline(__always)
  fileprivate var nul: UInt64 { (self &- Self.lowBits) & ~self & Self.highBits }

  /// Sets the high bit of each byte that is a quotation mark, a backslash or a control character.
  ///
  /// Bytes above the first such byte may be wrong (the borrow runs upwards): use the lowest bit only.
  @inline(__always)
  fileprivate var special: UInt64 {
    let quote = self ^ Self.lowBits &* 0x22
    let backslash = self ^ Self.lowBits &* 0x5C
    let control = (self &- Self.lowBits &* 0x20) & ~self
    return (control | (quote &- Self.lowBits) & ~quote | (backslash &- Self.lowBits) & ~backslash)
      & Self.highBits
  }
}
