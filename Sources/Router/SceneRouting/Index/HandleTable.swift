/// Open addressing in 256 parts, each of which grows and shrinks alone, so that a change moves few entries.
///
/// Several nodes may have the same hash; the caller says which of them is right.
struct HandleTable: ~Copyable, Sendable {
  private struct Entry {
    /// 0 if the entry is empty.
    var tag: UInt32 = 0
    var node: Int32 = -1
  }

  private static var partBits: Int { 8 }
  private static var leastPartSize: Int { 4 }

  /// An entry is at the index that its tag selects, or, if that was taken, at the next free index.
  private var parts: [[Entry]]
  private var counts: [Int]
  private(set) var count = 0

  init() {
    // All parts share one array until they have entries.
    let empty = [Entry](repeating: Entry(), count: Self.leastPartSize)
    parts = [[Entry]](repeating: empty, count: 1 << Self.partBits)
    counts = [Int](repeating: 0, count: 1 << Self.partBits)
  }

  /// The lower bits select a part, the other bits the index in it.
  @inline(__always)
  static func tag(_ hash: UInt64) -> UInt32 { max(UInt32(truncatingIfNeeded: hash ^ hash >> 32), 1) }

  @inline(__always)
  private static func part(_ tag: UInt32) -> Int { Int(tag) & (1 << partBits - 1) }

  @inline(__always)
  private func index(of tag: UInt32) -> Int {
    Int(tag >> UInt32(Self.partBits)) & (parts[Self.part(tag)].count - 1)
  }
}

extension HandleTable {
  @inline(__always)
  func node(under hash: UInt64, where isRight: (Int32) -> Bool) -> Int32? {
    let tag = Self.tag(hash)
    let part = Self.part(tag)
    var index = index(of: tag)
    while parts[part][index].tag != 0 {
      let entry = parts[part][index]
      if entry.tag == tag, isRight(entry.node) { return entry.node }
      index = (index + 1) & (parts[part].count - 1)
    }
    return nil
  }
}

extension HandleTable {
  mutating func insert(_ hash: UInt64, _ node: Int32) {
    let tag = Self.tag(hash)
    let part = Self.part(tag)
    counts[part] += 1
    count += 1
    // A quarter of each part stays free, so that the next free index is near.
    if 4 * counts[part] > 3 * parts[part].count { resize(part, to: 2 * parts[part].count) }
    put(Entry(tag: tag, node: node))
  }

  /// The entry must be there.
  mutating func remove(_ hash: UInt64, _ node: Int32) {
    let part = Self.part(Self.tag(hash))
    var hole = index(of: node, hash)
    let last = parts[part].count - 1
    // A search stops at the first free index and would miss the entries behind the hole. Such an entry moves into the
    // hole, unless the search for its tag begins behind it; then its old index is the hole.
    var index = (hole + 1) & last
    while parts[part][index].tag != 0 {
      let home = self.index(of: parts[part][index].tag)
      if (index - home) & last >= (index - hole) & last {
        parts[part][hole] = parts[part][index]
        hole = index
      }
      index = (index + 1) & last
    }
    parts[part][hole] = Entry()
    counts[part] -= 1
    count -= 1
    if parts[part].count > Self.leastPartSize, 8 * counts[part] < parts[part].count {
      resize(part, to: parts[part].count / 2)
    }
  }

  mutating func replace(_ hash: UInt64, _ node: Int32, with other: Int32) {
    parts[Self.part(Self.tag(hash))][index(of: node, hash)].node = other
  }

  private func index(of node: Int32, _ hash: UInt64) -> Int {
    let tag = Self.tag(hash)
    let part = Self.part(tag)
    var index = index(of: tag)
    while parts[part][index].node != node { index = (index + 1) & (parts[part].count - 1) }
    return index
  }

  private mutating func put(_ entry: Entry) {
    let part = Self.part(entry.tag)
    var index = index(of: entry.tag)
    while parts[part][index].tag != 0 { index = (index + 1) & (parts[part].count - 1) }
    parts[part][index] = entry
  }

  private mutating func resize(_ part: Int, to size: Int) {
    let entries = parts[part]
    parts[part] = [Entry](repeating: Entry(), count: size)
    for entry in entries where entry.tag != 0 { put(entry) }
  }
}
