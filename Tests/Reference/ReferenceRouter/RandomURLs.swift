import RandomNumbers

/// Pairs of random URLs that are often spellings of the same page or file.
package enum RandomURLs {
  /// Makes a pair of URLs from a seed.
  ///
  /// The same seed always makes the same pair.
  package static func pair(seed: UInt64) -> (first: String, second: String) {
    var random = SplitMix64(seed: seed)
    var pieces = [random.pick(schemes), random.pick(authorities)]
    for _ in 0..<random.number(in: 0...6) { pieces.append(random.pick(random.pick(spellings))) }
    let first = pieces.joined()
    for _ in 1...random.number(in: 1...4) { respell(&pieces, &random) }
    return (first, pieces.joined())
  }

  private static let schemes = [
    "http:", "HTTPS:", "https:", "ws:", "wss:", "FTP:", "x:", "file:", "File:", "file:",
  ]

  private static let authorities = [
    "", "", "//", "//h", "//H", "//%68", "//h:", "//h:80", "//h:443", "//h:21", "//u@h", "//U:@h:80",
    "//u@v@h",
    "//[::1]", "//[::A]:80", "//\u{E9}", "//%c3%A9", "//localhost", "//LOCALHOST", "//box", "//Box", "//h|",
    "//h\\",
  ]

  /// Pieces of URLs, with several spellings of each piece.
  ///
  /// The spellings in one inner list mean the same in at least one part of a URL.
  private static let spellings = [
    ["/", "/", "/", "//", "/./", "/a/../", "/%2E/", "/%2e./"], ["a", "%61"], ["A", "%41"], ["..", ".%2E"],
    ["(", "%28"], ["%2F", "%2f"], ["%00"], ["%", "%25"], ["%%", "%4"], ["41"],
    ["\u{E9}", "%C3%A9", "%c3%a9"],
    ["?", "%3F", "%3f"], ["#", "%23"], ["\\", "%5C"], ["[", "%5B", "%5b"], [":", "%3A"], ["@", "%40"],
    ["|", "%7C"],
  ]

  private static func respell(_ pieces: inout [String], _ random: inout SplitMix64) {
    let place = random.number(in: 0...pieces.count)
    switch place {
    case pieces.count: pieces.append(random.pick(["#", "#a", "/.", ""]))
    case 0: pieces[0] = random.chance(50) ? pieces[0].uppercased() : pieces[0].lowercased()
    case 1: pieces[1] = random.chance(50) ? pieces[1].uppercased() : random.pick(authorities)
    default:
      if let others = spellings.first(where: { $0.contains(pieces[place]) }) {
        pieces[place] = random.pick(others)
      }
    }
  }
}
