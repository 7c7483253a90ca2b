@_spi(_Unicode) import Swift

/// A text in the form in which identifiers and comparison strings are compared.
///
/// The folding does not depend on the locale. It takes these steps:
/// 1. Convert the text to NFC.
/// 2. Drop nonspacing and enclosing marks.
/// 3. Replace each scalar whose canonical decomposition begins below U+0510 by the first scalar of the decomposition.
///    These are mostly Latin, Greek and Cyrillic letters with accents.
/// 4. Apply full case folding (`CaseFolding.txt`, C and F).
///
/// For ASCII texts, this is the same as ASCII lower-casing. The Unicode data and its version are those of the standard
/// library.
///
/// Source: "When an identifier matches" in the routing contract.
package struct FoldedText: Hashable, Sendable {
  /// The folded scalars in UTF-8.
  ///
  /// One folded text contains another exactly if the bytes of the first contain the bytes of the second.
  package private(set) var bytes: [UInt8]

  /// Folds a text.
  ///
  /// The time grows with the square of the number of combining marks in a row. Limits keep clients from sending many
  /// such marks.
  package init(_ text: String) {
    bytes = []
    replace(with: text)
  }

  /// Folds another text, in the same memory if that memory is large enough.
  mutating func replace(with text: String) {
    let utf8 = text.utf8.span
    if bytes.count > utf8.count {
      bytes.removeLast(bytes.count - utf8.count)
    } else {
      bytes.append(contentsOf: repeatElement(0, count: utf8.count - bytes.count))
    }
    if !Self.foldASCII(utf8, into: bytes.mutableSpan) { bytes = Self.foldScalars(Array(text.utf8)) }
  }

  /// Whether the folded text is empty; an empty text matches nothing.
  package var isEmpty: Bool { bytes.isEmpty }

  /// Folds a text of pure ASCII; returns false if the text has other characters.
  ///
  /// The loop does not stop at a character that is not ASCII, so that the compiler can fold many bytes with one
  /// instruction.
  private static func foldASCII(_ utf8: Span<UInt8>, into folded: consuming MutableSpan<UInt8>) -> Bool {
    var union: UInt8 = 0
    for index in utf8.indices {
      let byte = utf8[index]
      union |= byte
      // The caller has made room for all bytes.
      unsafe folded[unchecked: index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
    }
    return union < 0x80
  }

  /// Folds a text in UTF-8.
  private static func foldScalars(_ utf8: [UInt8]) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(utf8.count)
    var start = 0
    while start < utf8.count {
      // `start..<end` has one scalar and all scalars after it that NFC may combine with it. NFC never combines a scalar
      // below U+0300 with an earlier scalar. In UTF-8, such a scalar begins with a byte below 0xCC.
      let end = utf8[(start + 1)...].firstIndex { !(0x80..<0xC0 ~= $0) && $0 < 0xCC } ?? utf8.count
      if let scalar = Self.lowScalar(utf8[start..<end]) {
        FoldedScalar.append(scalar, to: &folded)
      } else {
        let joined = String(decoding: utf8[start..<end], as: UTF8.self)
        for scalar in joined._nfc { FoldedScalar.append(scalar, to: &folded) }
      }
      start = end
    }
    return folded
  }

  /// The scalar of a text that is a single scalar below U+0300; `nil` for any other text.
  private static func lowScalar(_ utf8: ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard let first = utf8.first, let last = utf8.last, first < 0xCC else { return nil }
    switch utf8.count {
    case 1: return Unicode.Scalar(first)
    case 2: return Unicode.Scalar(UInt32(first & 0x1F) << 6 | UInt32(last & 0x3F))
    default: return nil
    }
  }
}
