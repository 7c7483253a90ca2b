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

  package func contains(_ other: FoldedText) -> Bool { bytes.span.contains(other.bytes.span) }

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

/// The UTF-8 bytes that replace one scalar of a text's NFC form in ``FoldedText``.
private struct FoldedScalar {
  /// The lowest byte is the first folded byte, the highest byte their number.
  private let bytesAndCount: UInt64

  private init(_ bytes: [UInt8]) {
    bytesAndCount =
      bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } | UInt64(bytes.count) << 56
  }

  private func append(to folded: inout [UInt8]) {
    var left = bytesAndCount
    for _ in 0..<bytesAndCount >> 56 {
      folded.append(UInt8(truncatingIfNeeded: left))
      left >>= 8
    }
  }

  // Made in a millisecond at the first use; the properties of a scalar take a hundred times as long as a look-up.
  private static let mostLetters = table(of: 0x80..<0x590)
  private static let moreLetters = table(of: 0x1E00..<0x2300)

  private static func table(of values: Range<UInt32>) -> [FoldedScalar] {
    values.map { value in
      var bytes: [UInt8] = []
      if let scalar = Unicode.Scalar(value) { appendDefinition(of: scalar, to: &bytes) }
      return FoldedScalar(bytes)
    }
  }

  static func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
    switch scalar.value {
    case 0x41...0x5A: folded.append(UInt8(scalar.value | 0x20))
    case ..<0x80: folded.append(UInt8(scalar.value))
    case ..<0x590: mostLetters[Int(scalar.value) - 0x80].append(to: &folded)
    case 0x1E00..<0x2300: moreLetters[Int(scalar.value) - 0x1E00].append(to: &folded)
    default: appendDefinition(of: scalar, to: &folded)
    }
  }

  private static func appendDefinition(of scalar: Unicode.Scalar, to folded: inout [UInt8]) {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: break
    // From U+0530 on, neither letters of this category nor their base letters have case; this saves a slow check.
    case .otherLetter where scalar.value >= 0x530: append(copyOf: scalar, to: &folded)
    default:
      let base = scalar.value < 0x2300 ? withoutAccent(scalar) : scalar
      guard base.properties.changesWhenCaseMapped else { return append(copyOf: base, to: &folded) }
      appendCaseFolding(of: base, to: &folded)
    }
  }

  private static func append(copyOf scalar: Unicode.Scalar, to folded: inout [UInt8]) {
    folded.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  /// The bound U+0510 is that of Foundation's `.diacriticInsensitive`, by tests.
  ///
  /// In NFC, no scalar from U+2300 on has a decomposition that begins below it.
  private static func withoutAccent(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard let first = String(Character(scalar))._nfd.first(where: { _ in true }), first.value < 0x510 else {
      return scalar
    }
    return first
  }

  /// Upper-casing and then lower-casing gives Unicode's full case folding, except that the dotless i folds to itself,
  /// the capital sharp s to `ss`, and the letters of Cherokee to capital letters.
  private static func appendCaseFolding(of scalar: Unicode.Scalar, to folded: inout [UInt8]) {
    switch scalar.value {
    case 0x0131: folded.append(contentsOf: "\u{131}".utf8)
    case 0x1E9E: folded.append(contentsOf: "ss".utf8)
    case 0x13A0...0x13FD, 0xAB70...0xABBF:
      folded.append(contentsOf: scalar.properties.uppercaseMapping.utf8)
    default: folded.append(contentsOf: scalar.properties.uppercaseMapping.lowercased().utf8)
    }
  }
}
