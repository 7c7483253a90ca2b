import RandomNumbers
import Testing

@testable import SceneRouting

@Suite struct IDTableTests {
  @Test(arguments: [0, 1, UInt64.max])
  func holdsWhatADictionaryHolds(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var table = IDTable<DecisionID, Int>(vacant: -1, seed: seed)
    var dictionary: [UInt64: Int] = [:]
    for id in 1...UInt64(20_000) {
      table.insert(Int(id), for: DecisionID(rawValue: id))
      dictionary[id] = Int(id)
      // Removes ids at random until a tenth is left. The table therefore has gaps while it grows.
      while dictionary.count > id / 10 + 1 {
        let old = UInt64.random(in: 1...id, using: &random)
        #expect(table.remove(DecisionID(rawValue: old)) == dictionary.removeValue(forKey: old))
      }
    }
    #expect(table.count == dictionary.count)
    for id in 0...UInt64(20_001) { #expect(table[DecisionID(rawValue: id)] == dictionary[id]) }
  }

  @Test func idThatWasNeverGivenHasNoValue() {
    var table = IDTable<DecisionID, Int>(vacant: -1, seed: 0)
    #expect(table[DecisionID(rawValue: 0)] == nil)
    #expect(table.remove(DecisionID(rawValue: 0)) == nil)
    table.insert(7, for: DecisionID(rawValue: 1))
    table.removeAll()
    #expect(table[DecisionID(rawValue: 1)] == nil)
    #expect(table.count == 0)
  }
}
