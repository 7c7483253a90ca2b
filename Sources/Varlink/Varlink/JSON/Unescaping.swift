extension [UInt8] {
  /// Appends the content of a JSON string, which the parser has checked.
  mutating func appendUnescaped(_ text: Span<UInt8>) {
    reserveCapacity(count + text.count)
    var position = 0
    while position < text.count {
      let byte = text[position]
      position += 1
      guard byte == UInt8(ascii: "\\"), position < text.count else {
        append(byte)
        continue
      }
      let escaped = text[position]
      position += 1
      switch escaped {
      case UInt8(ascii: "b"): append(0x08)
      case UInt8(ascii: "f"): append(0x0C)
      case UInt8(ascii: "n"): append(0x0A)
      case UInt8(ascii: "r"): append(0x0D)
      case UInt8(ascii: "t"): append(0x09)
      case UInt8(ascii: "u"): appendScalar(of: text, at: &position)
      default: append(escaped)
      }
    }
  }

  package mutating func append(contentsOf span: Span<UInt8>) {
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  private mutating func appendScalar(of text: Span<UInt8>, at position: inout Int) {
    let first = UInt32(text.codeUnit(at: position) ?? 0)
    position += 4
    var value = first
    if UTF16.isLeadSurrogate(UInt16(first)) {
      let second = UInt32(text.codeUnit(at: position + 2) ?? 0)
      position += 6
      value = 0x10000 + ((first & 0x3FF) << 10 | second & 0x3FF)
    }
    append(contentsOf: UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
  }
}
