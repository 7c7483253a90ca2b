extension Span<UInt8> {
  // The bytes that these three functions read have to exist. The first byte is in the lowest bits of a number.
  @inline(__always)
  private func words(at offset: Int) -> SIMD2<UInt64> {
    assert(offset >= 0 && offset + 16 <= count)
    return unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD2<UInt64>.self)
  }

  @inline(__always)
  private func word(at offset: Int) -> UInt64 {
    assert(offset >= 0 && offset + 8 <= count)
    return UInt64(
      littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
    )
  }

  @inline(__always)
  private func halfWord(at offset: Int) -> UInt32 {
    assert(offset >= 0 && offset + 4 <= count)
    return UInt32(
      littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self)
    )
  }

  /// Special bytes in a JSON string are quotation marks, backslashes, control characters and all that is not ASCII.
  @inline(__always)
  func firstSpecialByte(from start: Int) -> Int {
    var position = start
    while position <= count &- 8 {
      let word = word(at: position)
      let special = word.special | word & .highBits
      if special != 0 { return position + special.trailingZeroBitCount / 8 }
      position += 8
    }
    while position < count, !self[position].isSpecial, self[position] < 0x80 { position += 1 }
    return position
  }

  @inline(__always)
  func firstEscapedByte(from start: Int) -> Int {
    var position = start
    while position <= count &- 8 {
      let special = word(at: position).special
      if special != 0 { return position + special.trailingZeroBitCount / 8 }
      position += 8
    }
    while position < count, !self[position].isSpecial { position += 1 }
    return position
  }

  /// Returns false if a byte has to be escaped in a JSON string; some or all bytes may then have been copied.
  @inline(__always)
  func copyUnescaped(to memory: UnsafeMutableRawPointer) -> Bool {
    unsafe copy(to: memory) { $0.special.isZero }
  }

  /// For the few bytes of a name, this takes fewer instructions than a call of the C library.
  @inline(__always)
  func copy(to memory: UnsafeMutableRawPointer) {
    _ = unsafe copy(to: memory) { _ in true }
  }

  /// Copies sixteen bytes at a time, as long as `accepts` returns true for them.
  ///
  /// The last sixteen bytes may overlap the previous sixteen. Of a span of fewer bytes, `accepts` gets some more than
  /// once.
  @inline(__always)
  private func copy(to memory: UnsafeMutableRawPointer, while accepts: (SIMD2<UInt64>) -> Bool) -> Bool {
    if count >= 16 {
      var position = 0
      while true {
        let words = words(at: position)
        guard accepts(words) else { return false }
        unsafe memory.storeBytes(of: words, toByteOffset: position, as: SIMD2<UInt64>.self)
        if position == count - 16 { return true }
        position = Swift.min(position &+ 16, count - 16)
      }
    }
    if count >= 8 {
      let (first, last) = (word(at: 0), word(at: count - 8))
      unsafe memory.storeBytes(of: first.littleEndian, as: UInt64.self)
      unsafe memory.storeBytes(of: last.littleEndian, toByteOffset: count - 8, as: UInt64.self)
      return accepts(SIMD2(first, last))
    }
    if count >= 4 {
      let (first, last) = (halfWord(at: 0), halfWord(at: count - 4))
      unsafe memory.storeBytes(of: first.littleEndian, as: UInt32.self)
      unsafe memory.storeBytes(of: last.littleEndian, toByteOffset: count - 4, as: UInt32.self)
      return accepts(SIMD2(repeating: UInt64(first) | UInt64(last) << 32))
    }
    for index in indices {
      guard accepts(SIMD2(repeating: 0x0101_0101_0101_0101 &* UInt64(self[index]))) else { return false }
      unsafe memory.storeBytes(of: self[index], toByteOffset: index, as: UInt8.self)
    }
    return true
  }

  func firstNUL(from start: Int) -> Int {
    var position = start
    while position <= count &- 16, words(at: position).nul.isZero { position &+= 16 }
    while position <= count &- 8 {
      let nul = word(at: position).nul
      if nul != 0 { return position + nul.trailingZeroBitCount / 8 }
      position += 8
    }
    while position < count, self[position] != 0 { position += 1 }
    return position
  }

  func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    if count >= 8 {
      var position = 0
      while word(at: position) == other.word(at: position) {
        if position == count - 8 { return true }
        position = Swift.min(position + 8, count - 8)
      }
      return false
    }
    if count >= 4 {
      let last = count - 4
      return halfWord(at: 0) == other.halfWord(at: 0) && halfWord(at: last) == other.halfWord(at: last)
    }
    for index in indices where self[index] != other[index] { return false }
    return true
  }

  func hasPrefix(_ prefix: StaticString, at offset: Int) -> Bool {
    prefix.matches(self, at: offset)
  }

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
  fileprivate static let lowBits: UInt64 = 0x0101_0101_0101_0101

  @inline(__always)
  fileprivate var nul: UInt64 { SIMD2(repeating: self).nul[0] }

  @inline(__always)
  fileprivate var special: UInt64 { SIMD2(repeating: self).special[0] }
}

extension SIMD2<UInt64> {
  private static var highBits: Self { Self(repeating: UInt64.highBits) }
  private static var lowBits: Self { Self(repeating: UInt64.lowBits) }

  /// Sets the high bit of each NUL.
  ///
  /// Only the lowest mark of each 64-bit word is reliable, because the subtraction in a marked byte borrows from the
  /// next higher byte.
  @inline(__always)
  fileprivate var nul: Self { (self &- Self.lowBits) & ~self & Self.highBits }

  /// Sets the high bit of each quotation mark, backslash and control character; reliable as far as ``nul``.
  @inline(__always)
  fileprivate var special: Self {
    let quote = self ^ Self.lowBits &* 0x22
    let backslash = self ^ Self.lowBits &* 0x5C
    let control = (self &- Self.lowBits &* 0x20) & ~self
    return (control | (quote &- Self.lowBits) & ~quote | (backslash &- Self.lowBits) & ~backslash)
      & Self.highBits
  }

  @inline(__always)
  fileprivate var isZero: Bool { self[0] | self[1] == 0 }
}
