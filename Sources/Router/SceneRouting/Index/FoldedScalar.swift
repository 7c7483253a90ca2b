@_spi(_Unicode) import Swift

/// The UTF-8 bytes that replace one scalar of a text's NFC form in ``FoldedText``.
struct FoldedScalar {
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
