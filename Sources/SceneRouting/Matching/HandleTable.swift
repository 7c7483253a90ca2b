/// Nodes by the hash of a text; several may share a hash, and who asks tells them apart.
///
/// Linear hashing (Litwin, 1980): buckets are split and merged one at a time, so that no step costs more than a
/// few buckets however large the table is.
struct HandleTable {
  /// A node, and the length of its text if that is not too great to be kept.
  struct Entry {
    let node: Int32
    let length: Int?
  }

  /// Where a hash is looked for.
  struct Place {
    fileprivate var tag: UInt32 = 0
    fileprivate var bucket: Int32 = 0
  }

  /// As much as one cache line; only the tags are looked at where the tag is not.
  private struct Bucket {
    /// The entries' tags, 0 for none, and two lanes more.
    ///
    /// The seventh is the number of the bucket that goes on with this one, counted from 1. The eighth tells which
    /// tags have gone there: a bit for each value of their upper five bits.
    var tags = SIMD8<UInt32>(repeating: 0)
    var nodes = InlineArray<6, Int32>(repeating: -1)
    /// Ten bits for each entry; all are set for a length that is too great.
    var lengths: UInt64 = 0

    var next: Int {
      get { Int(tags[6]) - 1 }
      set { tags[6] = UInt32(newValue + 1) }
    }

    /// The entries with a tag, as bits.
    @inline(__always)
    func entries(with tag: UInt32) -> UInt32 { HandleTable.entries(with: tag, in: tags) }

    @inline(__always)
    subscript(index: Int) -> Entry {
      let length = Int(truncatingIfNeeded: lengths >> UInt64(index * 10)) & tooGreat
      return Entry(node: nodes[index], length: length < tooGreat ? length : nil)
    }

    mutating func put(_ tag: UInt32, _ entry: Entry, at index: Int) {
      tags[index] = tag
      nodes[index] = entry.node
      let shift = UInt64(index * 10)
      lengths &= ~(UInt64(tooGreat) << shift)
      lengths |= UInt64(min(entry.length ?? tooGreat, tooGreat)) << shift
    }

    /// Puts an entry where there is room; false if there is none.
    mutating func put(_ tag: UInt32, _ entry: Entry) -> Bool {
      let room = entries(with: 0)
      guard room != 0 else { return false }
      put(tag, entry, at: room.trailingZeroBitCount)
      return true
    }
  }

  /// The least length that an entry does not tell.
  private static var tooGreat: Int { 1023 }
  private static var capacity: Int { 6 }
  /// How many entries there are for each bucket before one is split: one more and many would overflow.
  private static var load: Int { 4 }

  private var buckets = PagedArray<Bucket>()
  private var overflow = PagedArray<Bucket>()
  private var freeOverflow = -1
  /// The power of two below the number of buckets.
  private var level = 1
  /// How many entries there are.
  private(set) var count = 0

  init() { buckets.append(Bucket()) }

  /// What is kept of a hash.
  @inline(__always)
  static func tag(_ hash: UInt64) -> UInt32 { max(UInt32(truncatingIfNeeded: hash ^ hash >> 32), 1) }

  /// The entries with a tag, as bits.
  @inline(__always)
  private static func entries(with tag: UInt32, in tags: SIMD8<UInt32>) -> UInt32 {
    var entries: UInt32 = 0
    for index in 0..<capacity {
      // One for equal tags, without a branch: which are equal cannot be foreseen.
      let isEqual = (UInt64(tags[index] ^ tag) &- 1) &>> 63
      entries |= UInt32(truncatingIfNeeded: isEqual) &<< UInt32(index)
    }
    return entries
  }

  /// The bit of a tag in the last lane of a bucket that others go on with.
  @inline(__always)
  private static func overflowBit(_ tag: UInt32) -> UInt32 { 1 &<< (tag >> 27) }

  @inline(__always)
  private func bucket(of tag: UInt32) -> Int {
    let index = Int(tag) & (2 * level - 1)
    return index < buckets.count ? index : index & (level - 1)
  }
}

// MARK: - Asking

extension HandleTable {
  @inline(__always)
  func place(of hash: UInt64) -> Place {
    let tag = Self.tag(hash)
    return Place(tag: tag, bucket: Int32(truncatingIfNeeded: bucket(of: tag)))
  }

  /// The tags at a place; who wants those of several places asks for all of them first, so that they come together.
  @inline(__always)
  func tags(at place: Place) -> SIMD8<UInt32> { buckets[Int(place.bucket)].tags }

  /// What is under a hash, or under another one with the same tag, according to the tags at its place.
  @inline(__always)
  func probableEntry(at place: Place, _ tags: SIMD8<UInt32>) -> Entry? {
    let found = Self.entries(with: place.tag, in: tags)
    if found != 0 { return buckets[Int(place.bucket)][found.trailingZeroBitCount] }
    guard tags[7] & Self.overflowBit(place.tag) != 0 else { return nil }
    return entry(after: place) { _ in true }
  }

  /// The node under a hash of which a condition is true.
  func node(under hash: UInt64, where isRight: (Int32) -> Bool) -> Int32? {
    let place = place(of: hash)
    var found = buckets[Int(place.bucket)].entries(with: place.tag)
    while found != 0 {
      let node = buckets[Int(place.bucket)].nodes[found.trailingZeroBitCount]
      if isRight(node) { return node }
      found &= found - 1
    }
    return entry(after: place, where: isRight)?.node
  }

  /// An entry in the buckets that go on with that of a place.
  private func entry(after place: Place, where isRight: (Int32) -> Bool) -> Entry? {
    var next = buckets[Int(place.bucket)].next
    while next >= 0 {
      var found = overflow[next].entries(with: place.tag)
      while found != 0 {
        let entry = overflow[next][found.trailingZeroBitCount]
        if isRight(entry.node) { return entry }
        found &= found - 1
      }
      next = overflow[next].next
    }
    return nil
  }
}

// MARK: - Changing

extension HandleTable {
  mutating func insert(_ hash: UInt64, _ node: Int32, length: Int) {
    put(Self.tag(hash), Entry(node: node, length: length))
    count += 1
    if count > buckets.count * Self.load { split() }
  }

  /// Takes out an entry, which must be there.
  mutating func remove(_ hash: UInt64, _ node: Int32) {
    change(hash, node) { bucket, index in bucket.put(0, Entry(node: -1, length: 0), at: index) }
    count -= 1
    if buckets.count > 1, count < (buckets.count - 1) * (Self.load - 2) { merge() }
  }

  /// Puts one node in the place of another.
  mutating func replace(_ hash: UInt64, _ node: Int32, with other: Int32, length: Int) {
    let tag = Self.tag(hash)
    change(hash, node) { bucket, index in bucket.put(tag, Entry(node: other, length: length), at: index) }
  }

  private mutating func change(_ hash: UInt64, _ node: Int32, _ change: (inout Bucket, Int) -> Void) {
    let place = place(of: hash)
    if let index = Self.index(of: node, place.tag, in: buckets[Int(place.bucket)]) {
      change(&buckets[Int(place.bucket)], index)
      return
    }
    var next = buckets[Int(place.bucket)].next
    while next >= 0 {
      if let index = Self.index(of: node, place.tag, in: overflow[next]) {
        change(&overflow[next], index)
        return
      }
      next = overflow[next].next
    }
  }

  private static func index(of node: Int32, _ tag: UInt32, in bucket: Bucket) -> Int? {
    for index in 0..<capacity where bucket.tags[index] == tag && bucket.nodes[index] == node { return index }
    return nil
  }

  private mutating func put(_ tag: UInt32, _ entry: Entry) {
    let home = bucket(of: tag)
    if buckets[home].put(tag, entry) { return }
    buckets[home].tags[7] |= Self.overflowBit(tag)
    var next = buckets[home].next
    while next >= 0 {
      if overflow[next].put(tag, entry) { return }
      next = overflow[next].next
    }
    var added = Bucket()
    _ = added.put(tag, entry)
    added.next = buckets[home].next
    if freeOverflow >= 0 {
      next = freeOverflow
      freeOverflow = overflow[next].next
      overflow[next] = added
    } else {
      next = overflow.count
      overflow.append(added)
    }
    buckets[home].next = next
  }

  /// Takes everything out of a bucket and those that go on with it.
  private mutating func empty(_ index: Int) -> [(tag: UInt32, entry: Entry)] {
    var entries: [(tag: UInt32, entry: Entry)] = []
    var bucket = buckets[index]
    buckets[index] = Bucket()
    while true {
      for index in 0..<Self.capacity where bucket.tags[index] != 0 {
        entries.append((bucket.tags[index], bucket[index]))
      }
      let next = bucket.next
      guard next >= 0 else { return entries }
      bucket = overflow[next]
      overflow[next] = Bucket()
      overflow[next].next = freeOverflow
      freeOverflow = next
    }
  }

  private mutating func split() {
    if buckets.count == 2 * level { level *= 2 }
    let entries = empty(buckets.count - level)
    buckets.append(Bucket())
    for entry in entries { put(entry.tag, entry.entry) }
  }

  private mutating func merge() {
    let entries = empty(buckets.count - 1)
    buckets.removeLast()
    if buckets.count == level, level > 1 { level /= 2 }
    for entry in entries { put(entry.tag, entry.entry) }
  }
}
