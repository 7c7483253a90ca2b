import RandomNumbers
import Testing

@testable import SceneRouting

@Suite struct IDTableTests {
  @Test(arguments: [0, 1, UInt64.max])
  func holdsWhatADictionaryHolds(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var table = IDTable(vacant: -1, seed: seed)
    var dictionary: [UInt64: Int] = [:]
    for id in 1...UInt64(20_000) {
      table.insert(Int(id), for: id)
      dictionary[id] = Int(id)
      // Removes ids at random until a tenth is left. The table therefore has gaps while it grows.
      while dictionary.count > id / 10 + 1 {
        let old = UInt64.random(in: 1...id, using: &random)
        #expect(table.remove(old) == dictionary.removeValue(forKey: old))
      }
    }
    #expect(table.count == dictionary.count)
    for id in 0...UInt64(20_001) { #expect(table[id] == dictionary[id]) }
  }

  @Test func idThatWasNeverGivenHasNoValue() {
    var table = IDTable(vacant: -1, seed: 0)
    #expect(table[0] == nil)
    #expect(table.remove(0) == nil)
    table.insert(7, for: 1)
    table.removeAll()
    #expect(table[1] == nil)
    #expect(table.count == 0)
  }
}
