extension JSONWriter {
  package mutating func null() {
    copy("null")
  }

  package mutating func value(_ value: Bool) {
    copy(value ? "true" : "false")
  }

  package mutating func value(_ value: Int64) {
    var digits: InlineArray<20, UInt8> = .init(repeating: UInt8(ascii: "-"))
    var start = digits.count
    var rest = value.magnitude
    repeat {
      start -= 1
      digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    rawValue(digits.span.extracting((value < 0 ? start - 1 : start)...))
  }

  /// Writes the shortest number from which a parser gets `value` again; `null` for infinity and NaN, which JSON lacks.
  package mutating func value(_ value: Double) {
    guard value.isFinite else { return null() }
    var digits = value.description
    digits.withUTF8 { unsafe rawValue($0.span) }
  }

  @inline(__always)
  package mutating func value(_ value: String) {
    // `utf8Span` would retain the string.
    let written: Void? = unsafe value.utf8.withContiguousStorageIfAvailable {
      unsafe self.value(utf8: $0.span)
    }
    if written == nil { self.value(utf8: value.utf8Span.span) }
  }

  package mutating func value(_ value: StaticString) {
    value.withUTF8Buffer { unsafe self.value(utf8: $0.span) }
  }

  @inline(never)
  package mutating func value(utf8: Span<UInt8>) {
    separate()
    if !append(quoted: utf8) { appendEscaped(utf8) }
  }

  /// Writes a string directly after the name of a member.
  @inline(__always)
  mutating func appendValue(utf8: Span<UInt8>) {
    if !append(quoted: utf8) { appendEscaped(utf8) }
    expectComma()
  }

  @inline(never)
  private mutating func appendEscaped(_ utf8: Span<UInt8>) {
    append(UInt8(ascii: "\""))
    var start = 0
    var end = utf8.firstEscapedByte(from: start)
    while end < utf8.count {
      append(contentsOf: utf8.extracting(start..<end))
      appendEscaped(utf8[end])
      start = end + 1
      end = utf8.firstEscapedByte(from: start)
    }
    append(contentsOf: utf8.extracting(start...))
    append(UInt8(ascii: "\""))
  }

  package mutating func rawValue(_ json: Span<UInt8>) {
    separate()
    append(contentsOf: json)
  }

  /// Writes a value again by copying its bytes, the range `places` of the output.
  package mutating func repeatValue(_ places: Range<Int>) {
    separate()
    repeatBytes(places)
  }

  private mutating func copy(_ literal: StaticString) {
    literal.withUTF8Buffer { unsafe rawValue($0.span) }
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    default:
      let digit = byte & 0x0F
      append(UInt8(ascii: "u"))
      append(UInt8(ascii: "0"))
      append(UInt8(ascii: "0"))
      append(UInt8(ascii: "0") + byte >> 4)
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
