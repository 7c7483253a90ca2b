/// The folding of identifiers and comparison strings, computed from the Unicode Character Database alone.
///
/// Tests compare this folding with the router's folding, which takes its Unicode data from the standard library. The
/// results differ for scalars whose category or folding is newer than `unicodeVersion`.
package enum ReferenceFolding {
  /// The version of the Unicode Character Database that the tables come from.
  package static let unicodeVersion = UnicodeCharacterData.version

  /// Whether an identifier matches an event.
  ///
  /// `comparisonString` is nil if the event has no comparison string.
  package static func matches(identifier: String, comparisonString: String?) -> Bool {
    if scalars(identifier) == [0x2A] { return true }
    guard let comparisonString else { return false }
    let needle = fold(scalars(identifier))
    let haystack = fold(scalars(comparisonString))
    guard !needle.isEmpty, needle.count <= haystack.count else { return false }
    return (0...haystack.count - needle.count).contains { start in
      Array(haystack[start..<start + needle.count]) == needle
    }
  }

  /// The function `fold(s)` of the routing contract.
  package static func fold(_ string: String) -> String {
    self.string(fold(scalars(string)))
  }

  /// Normalization Form C.
  package static func nfc(_ string: String) -> String {
    self.string(compose(decompose(scalars(string))))
  }

  /// Normalization Form D.
  package static func nfd(_ string: String) -> String {
    self.string(decompose(scalars(string)))
  }

  /// The full case folding of every scalar, without normalization.
  package static func caseFold(_ string: String) -> String {
    self.string(scalars(string).flatMap(caseFold))
  }

  private static let marks = UnicodeTable.scalars(of: UnicodeCharacterData.marks)
  private static let combiningClasses = UnicodeTable.constants(of: UnicodeCharacterData.combiningClasses)
  private static let caseFoldings = UnicodeTable.mappings(of: UnicodeCharacterData.caseFoldings)
  private static let decompositions = UnicodeTable.mappings(of: UnicodeCharacterData.decompositions)

  /// The scalars that pairs of scalars compose to.
  ///
  /// The outer key is the first scalar of a pair; the inner key is the second scalar.
  private static let compositions: [UInt32: [UInt32: UInt32]] = {
    let excluded = UnicodeTable.scalars(of: UnicodeCharacterData.compositionExclusions)
    var table: [UInt32: [UInt32: UInt32]] = [:]
    for (scalar, parts) in decompositions where parts.count == 2 && !excluded.contains(scalar) {
      table[parts[0], default: [:]][parts[1]] = scalar
    }
    return table
  }()

  private static func scalars(_ string: String) -> [UInt32] {
    string.unicodeScalars.map(\.value)
  }

  private static func string(_ scalars: [UInt32]) -> String {
    var string = ""
    string.unicodeScalars.append(contentsOf: scalars.map { Unicode.Scalar($0)! })
    return string
  }

  private static func fold(_ scalars: [UInt32]) -> [UInt32] {
    var folded: [UInt32] = []
    for scalar in compose(decompose(scalars)) where !marks.contains(scalar) {
      let base = decompose([scalar])[0]
      folded += caseFold(base < 0x510 ? base : scalar)
    }
    return folded
  }

  private static func caseFold(_ scalar: UInt32) -> [UInt32] {
    caseFoldings[scalar] ?? [scalar]
  }

  private static func combiningClass(_ scalar: UInt32) -> UInt32 {
    combiningClasses[scalar]?[0] ?? 0
  }

  private static func decompose(_ scalars: [UInt32]) -> [UInt32] {
    var decomposed = scalars.flatMap(fullDecomposition)
    // The canonical ordering: neighbouring marks change places until none is out of order.
    var isOrdered = false
    while !isOrdered {
      isOrdered = true
      for index in decomposed.indices.dropFirst() {
        let (first, second) = (combiningClass(decomposed[index - 1]), combiningClass(decomposed[index]))
        if second != 0, first > second {
          decomposed.swapAt(index - 1, index)
          isOrdered = false
        }
      }
    }
    return decomposed
  }

  private static func fullDecomposition(_ scalar: UInt32) -> [UInt32] {
    if let syllable = Hangul.decompose(scalar) { return syllable }
    guard let parts = decompositions[scalar] else { return [scalar] }
    return parts.flatMap(fullDecomposition)
  }

  private static func compose(_ decomposed: [UInt32]) -> [UInt32] {
    var composed: [UInt32] = []
    var starter: Int?
    for scalar in decomposed {
      let combining = combiningClass(scalar)
      if let starter {
        // There may be scalars between the starter and `scalar`. The last of them blocks the composition, unless its
        // combining class is less than the combining class of `scalar`.
        let isAdjacent = starter == composed.count - 1
        let isBlocked = !isAdjacent && combiningClass(composed[composed.count - 1]) >= combining
        if !isBlocked, let whole = composition(composed[starter], scalar) {
          composed[starter] = whole
          continue
        }
      }
      if combining == 0 { starter = composed.count }
      composed.append(scalar)
    }
    return composed
  }

  private static func composition(_ first: UInt32, _ second: UInt32) -> UInt32? {
    Hangul.compose(first, second) ?? compositions[first]?[second]
  }
}

/// The algorithmic decomposition of Hangul syllables (The Unicode Standard, section 3.12).
private enum Hangul {
  static let syllables: UInt32 = 0xAC00
  static let leading: UInt32 = 0x1100
  static let vowels: UInt32 = 0x1161
  static let trailing: UInt32 = 0x11A7
  static let leadingCount: UInt32 = 19
  static let vowelCount: UInt32 = 21
  static let trailingCount: UInt32 = 28

  static func isSyllable(_ scalar: UInt32) -> Bool {
    (syllables..<syllables + leadingCount * vowelCount * trailingCount).contains(scalar)
  }

  static func decompose(_ scalar: UInt32) -> [UInt32]? {
    guard isSyllable(scalar) else { return nil }
    let index = scalar - syllables
    let parts = [
      leading + index / (vowelCount * trailingCount),
      vowels + index % (vowelCount * trailingCount) / trailingCount,
    ]
    return index % trailingCount == 0 ? parts : parts + [trailing + index % trailingCount]
  }

  static func compose(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if (leading..<leading + leadingCount).contains(first), (vowels..<vowels + vowelCount).contains(second) {
      return syllables + ((first - leading) * vowelCount + second - vowels) * trailingCount
    }
    if isSyllable(first), (first - syllables) % trailingCount == 0,
      (trailing + 1..<trailing + trailingCount).contains(second)
    {
      return first + second - trailing
    }
    return nil
  }
}
