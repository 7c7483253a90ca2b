import ReferenceRouter
import Testing

@testable import SceneRouting

/// Compares the router's form of shown URLs with the reference's form.
struct ShownURLComparisonTests {
  private static func areSame(_ first: String, _ second: String) -> Bool {
    let machine = Array("box".utf8)
    return ShownURL(first, machineName: machine) == ShownURL(second, machineName: machine)
  }

  @Test func pairsAreTheSameForBoth() {
    var same = 0
    for seed in 0..<UInt64(100_000) {
      let (first, second) = RandomURLs.pair(seed: seed)
      let expected = ReferenceURL.areSame(first, second, machineName: "Box")
      if expected, first != second { same += 1 }
      guard Self.areSame(first, second) != expected else { continue }
      Issue.record("seed \(seed): \(first) and \(second) are \(expected ? "the same" : "different")")
      return
    }
    #expect(same >= 2000)
  }

  /// The test inserts text after each character of a URL, or replaces the next character with the text.
  ///
  /// The router checks a URL in blocks of 16 bytes, so an error could concern only some places in a block.
  @Test(arguments: [
    "https://a.test/b", "https://a.test/some/path?query=value&more", "file:///home/person/some.notes",
    "x://a/b/c/d/e/f/g",
  ])
  func textInEveryPlaceHasTheFormOfTheReference(url: String) throws {
    let characters = (0x21...0xFF).compactMap { Unicode.Scalar($0).map(String.init) }
    let url = Array(url)
    for text in characters + ["/.", "/..", "/./", "%41", "%28", "://"] {
      for place in 1...url.count {
        for end in [place, min(place + 1, url.count)] {
          let changed = String(url[..<place]) + text + String(url[end...])
          guard let expected = ReferenceURL(changed, machineName: "box") else { continue }
          let form = ShownURL(changed, machineName: Array("box".utf8))
          try #require(String(decoding: form.bytes, as: UTF8.self) == expected.description, "\(changed)")
        }
      }
    }
  }
}
