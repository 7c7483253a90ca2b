/// The nodes that a search has come by.
///
/// Most texts meet a handful, for which nothing is allocated; a text made for it meets as many as it is long.
struct VisitedNodes {
  private static var few: Int { 16 }

  private var first = InlineArray<16, Int32>(repeating: -1)
  /// All of them, once there are more than a few; -1 where there is none.
  private var table: [Int32] = []
  private var count = 0

  /// Adds a node; false if it was there.
  mutating func insert(_ node: Int32) -> Bool {
    if table.isEmpty {
      for index in 0..<count where first[index] == node { return false }
      if count < Self.few {
        first[count] = node
        count += 1
        return true
      }
      table = [Int32](repeating: -1, count: 8 * Self.few)
      for index in 0..<count { _ = place(first[index]) }
    }
    if table.count < 4 * count { grow() }
    guard place(node) else { return false }
    count += 1
    return true
  }

  private mutating func grow() {
    let present = table
    table = [Int32](repeating: -1, count: 2 * present.count)
    for node in present where node >= 0 { _ = place(node) }
  }

  private mutating func place(_ node: Int32) -> Bool {
    // Consecutive numbers, as nodes made together have, come to lie apart (Knuth's multiplicative hashing).
    var index = Int(UInt32(bitPattern: node) &* 0x9E37_79B1 &>> 4) & (table.count - 1)
    while table[index] >= 0 {
      if table[index] == node { return false }
      index = (index + 1) & (table.count - 1)
    }
    table[index] = node
    return true
  }
}
