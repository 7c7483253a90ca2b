import Testing

@testable import SceneRouting

@Suite struct SuffixAutomatonTests {
  @Test(arguments: 1...40)
  func everyPartIsFoundWhereItIsFirst(seed: UInt64) {
    var random = SeededGenerator(state: seed)
    let letters = UInt8(1 + seed % 4)
    func text(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in 0x61 + UInt8.random(in: 0..<letters, using: &random) }
    }
    let whole = text(Int.random(in: 0...60, using: &random))
    var automaton = SuffixAutomaton(capacity: whole.count, seed: seed)
    for count in 0...whole.count {
      #expect(automaton.count == count)
      let known = Array(whole.prefix(count))
      for _ in 0..<20 {
        let part = text(Int.random(in: 1...8, using: &random))
        #expect(automaton.firstOccurrence(of: part.span) == known.firstRange(of: part))
      }
      if count < whole.count { automaton.append(whole[count]) }
    }
    for start in whole.indices {
      for end in start + 1...whole.count {
        let part = Array(whole[start..<end])
        #expect(automaton.firstOccurrence(of: part.span) == whole.firstRange(of: part))
      }
    }
  }
}
