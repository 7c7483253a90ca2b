import RandomNumbers
import Testing

@testable import SceneRouting

@Suite struct SortedCandidatesTests {
  @Test(arguments: UInt64(0)..<3)
  func holdsWhatASetHolds(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let all = (0..<500).map { Candidate(order: Int64($0), application: 0, index: Int32($0)) }
    var candidates = SortedCandidates()
    for candidate in all.shuffled(using: &random) { candidates.insert(candidate) }
    #expect(Array(candidates) == all)
    for candidate in all.shuffled(using: &random) {
      #expect(candidates.contains(candidate))
      let isRemoved = candidates.remove(candidate)
      #expect(isRemoved)
      #expect(!candidates.contains(candidate))
    }
    #expect(candidates.isEmpty)
  }
}
