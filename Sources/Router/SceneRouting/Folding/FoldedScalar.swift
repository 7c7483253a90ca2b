@_spi(_Unicode) import Swift

/// The UTF-8 bytes that replace one Unicode scalar when ``FoldedText`` folds a text.
///
/// The scalar comes from the text's NFC form.
struct FoldedScalar {
  /// The folded bytes and their number.
  ///
  /// The lowest byte is the first folded byte. The highest byte is the number.
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

  // The first use of a table makes the table; this takes a millisecond. Asking for the properties of a scalar takes a
  // hundred times as long as looking the scalar up in a table.
  private static let mostLetters = table(of: 0x80..<0x590)
  private static let moreLetters = table(of: 0x1E00..<0x2300)

  private static func table(of values: Range<UInt32>) -> [FoldedScalar] {
    values.map { value in
      var bytes: [UInt8] = []
      if let scalar = Unicode.Scalar(value) { appendDefinition(of: scalar, to: &bytes) }
      return FoldedScalar(bytes)
    }
  }

  /// Appends the folded bytes of a scalar.
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
    // From U+0530 on, neither the letters of this category nor their base letters have case. These letters are copied
    // as they are, which saves a slow check of their properties.
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

  /// The first scalar of a scalar's canonical decomposition, such as the base letter of a letter with an accent.
  ///
  /// If the first scalar is U+0510 or higher, the scalar itself is returned. Tests showed that Foundation's
  /// `.diacriticInsensitive` has the same bound.
  ///
  /// The caller passes only scalars below U+2300. In NFC, no higher scalar has a decomposition that begins below
  /// U+0510.
  private static func withoutAccent(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard let first = String(Character(scalar))._nfd.first(where: { _ in true }), first.value < 0x510 else {
      return scalar
    }
    return first
  }

  /// Appends the full case folding of a scalar.
  ///
  /// The standard library has no case folding. For most scalars, upper-casing and then lower-casing gives the same
  /// result as Unicode's case folding. There are three exceptions, which Unicode folds as follows:
  /// - the dotless i to itself,
  /// - the capital sharp s to `ss`,
  /// - the letters of Cherokee to capital letters.
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
