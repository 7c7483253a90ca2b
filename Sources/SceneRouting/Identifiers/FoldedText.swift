@_spi(_Unicode) import Swift

/// A text in the form in which identifiers and comparison strings are compared.
///
/// The folding has no locale: NFC; nonspacing and enclosing marks are dropped; a letter whose canonical
/// decomposition starts below U+0510 (Latin, Greek, Cyrillic) becomes that first scalar; then full case
/// folding (`CaseFolding.txt`, C and F). For ASCII this is ASCII lower-casing. Source: "When an identifier
/// matches" in the routing contract. Data: the standard library's, thus its Unicode version.
package struct FoldedText: Hashable, Sendable {
  /// The folded scalars in UTF-8.
  ///
  /// One text is contained in another exactly if its bytes are.
  package let bytes: [UInt8]

  /// Folds a text.
  package init(_ text: String) {
    var bytes = Array(text.utf8)
    self.bytes = Self.foldASCII(&bytes) ? bytes : Self.foldScalars(text)
  }

  /// Whether the text folds to nothing, so that it matches nothing.
  package var isEmpty: Bool { bytes.isEmpty }

  /// Whether `other` occurs in this text; never for an empty one.
  package func contains(_ other: FoldedText) -> Bool {
    contains(other.bytes.span)
  }

  /// In steps that no pattern makes more than the bytes of both (Knuth, Morris and Pratt, 1977).
  func contains(_ pattern: Span<UInt8>) -> Bool {
    let text = bytes.span
    guard !pattern.isEmpty, pattern.count <= text.count else { return false }
    // How much of the pattern's beginning ends at each of its bytes, computed as far as the text has agreed.
    var borders: [Int] = [0]
    var matched = 0
    for index in text.indices {
      while matched > 0, text[index] != pattern[matched] { matched = borders[matched - 1] }
      guard text[index] == pattern[matched] else { continue }
      matched += 1
      if matched == pattern.count { return true }
      guard borders.count < matched + 1 else { continue }
      var border = borders[matched - 1]
      while border > 0, pattern[matched] != pattern[border] { border = borders[border - 1] }
      borders.append(pattern[matched] == pattern[border] ? border + 1 : 0)
    }
    return false
  }

  /// Folds a text in place if it is pure ASCII; returns whether it is.
  ///
  /// No step depends on the one before or on what the byte is, so many are taken at once.
  private static func foldASCII(_ utf8: inout [UInt8]) -> Bool {
    var bytes = utf8.mutableSpan
    var union: UInt8 = 0
    for index in bytes.indices { union |= bytes[index] }
    guard union < 0x80 else { return false }
    for index in bytes.indices {
      let byte = bytes[index]
      bytes[index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
    }
    return true
  }

  private static func foldScalars(_ text: String) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.utf8.count)
    for scalar in text._nfc {
      if scalar.value < 0x80 {
        let byte = UInt8(scalar.value)
        folded.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
        continue
      }
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark: continue
      default: appendCaseFolding(of: withoutAccent(scalar), to: &folded)
      }
    }
    return folded
  }

  /// The base letter of a Latin, Greek or Cyrillic letter; any other scalar itself.
  ///
  /// U+0510 is where Foundation's `.diacriticInsensitive` ends too, as measured.
  private static func withoutAccent(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard let first = String(Character(scalar))._nfd.first(where: { _ in true }), first.value < 0x510 else {
      return scalar
    }
    return first
  }

  /// Appends the full case folding of a scalar.
  ///
  /// The standard library has no case folding table; upper-casing, then lower-casing, agrees with it on all
  /// scalars but dotless i (which folds to itself) and capital sharp s (which upper-cases to itself).
  private static func appendCaseFolding(of scalar: Unicode.Scalar, to folded: inout [UInt8]) {
    switch scalar.value {
    case 0x0131: folded.append(contentsOf: "\u{131}".utf8)
    case 0x1E9E: folded.append(contentsOf: "ss".utf8)
    default: folded.append(contentsOf: scalar.properties.uppercaseMapping.lowercased().utf8)
    }
  }
}
