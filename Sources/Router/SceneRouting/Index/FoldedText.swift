@_spi(_Unicode) import Swift

/// The form in which identifiers and comparison strings are compared ("When an identifier matches" in the routing
/// contract).
///
/// The Unicode data are those of the standard library:
/// 1. Convert the text to NFC.
/// 2. Drop nonspacing and enclosing marks.
/// 3. Replace each scalar whose canonical decomposition begins below U+0510 by the first scalar of the decomposition.
/// 4. Apply full case folding (`CaseFolding.txt`, C and F).
package struct FoldedText: Hashable, Sendable {
  /// In UTF-8; a folded text contains another exactly if its bytes contain the bytes of the other.
  package private(set) var bytes: [UInt8]

  /// The time grows with the square of the number of combining marks in a row, which limits keep low.
  package init(_ text: String) {
    bytes = []
    replace(with: text)
  }

  mutating func replace(with text: String) {
    let utf8 = text.utf8.span
    if bytes.count > utf8.count {
      bytes.removeLast(bytes.count - utf8.count)
    } else {
      bytes.append(contentsOf: repeatElement(0, count: utf8.count - bytes.count))
    }
    if !Self.foldASCII(utf8, into: bytes.mutableSpan) { bytes = Self.foldScalars(Array(text.utf8)) }
  }

  package var isEmpty: Bool { bytes.isEmpty }

  /// False if the text is not ASCII; no early exit, so that the compiler can fold many bytes with one instruction.
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

  private static func foldScalars(_ utf8: [UInt8]) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(utf8.count)
    var start = 0
    while start < utf8.count {
      // `start..<end` has one scalar and all scalars after it that NFC may combine with it. NFC never combines a scalar
      // below U+0300, which begins with a byte below 0xCC in UTF-8, with an earlier scalar.
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

  private static func lowScalar(_ utf8: ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard let first = utf8.first, let last = utf8.last, first < 0xCC else { return nil }
    switch utf8.count {
    case 1: return Unicode.Scalar(first)
    case 2: return Unicode.Scalar(UInt32(first & 0x1F) << 6 | UInt32(last & 0x3F))
    default: return nil
    }
  }
}
