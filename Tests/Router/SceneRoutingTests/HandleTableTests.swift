import RandomNumbers
import Testing

@testable import SceneRouting

@Suite struct HandleTableTests {
  @Test func entriesStayFoundWhenOthersGo() {
    var table = HandleTable()
    var random = SplitMix64(seed: 1)
    var hashes: [Int32: UInt64] = [:]
    var lost: [Int32] = []
    for _ in 0..<2000 {
      let node = Int32(random.next() % 64)
      if let hash = hashes.removeValue(forKey: node) {
        table.remove(hash, node)
      } else {
        // All in one part, a few indices for many nodes, so that most entries stand behind others.
        hashes[node] = random.next() % 64 << 8 | 1
        table.insert(hashes[node, default: 0], node)
      }
      lost += hashes.filter { node, hash in table.node(under: hash) { $0 == node } != node }.keys
    }
    #expect(lost.isEmpty)
  }
}
