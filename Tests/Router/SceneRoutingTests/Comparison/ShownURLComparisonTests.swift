import ReferenceRouter
import Testing

@testable import SceneRouting

/// Compares the router's form of shown URLs with the reference's form.
struct ShownURLComparisonTests {
  private static func areSame(_ first: String, _ second: String) -> Bool {
    let machine = Array("box".utf8)
    return ShownURL(first, machineName: machine) == ShownURL(second, machineName: machine)
  }

  /// 20,000 pairs, or 100,000 if `SCENED_LONG_CHECKS` is set.
  @Test func pairsAreTheSameForBoth() {
    var same = 0
    for seed in 0..<UInt64(CommandEnvironment.isLong ? 100_000 : 20_000) {
      let (first, second) = RandomURLs.pair(seed: seed)
      let expected = ReferenceURL.areSame(first, second, machineName: "Box")
      if expected, first != second { same += 1 }
      guard Self.areSame(first, second) != expected else { continue }
      Issue.record("seed \(seed): \(first) and \(second) are \(expected ? "the same" : "different")")
      return
    }
    #expect(same >= 2000)
  }
}
