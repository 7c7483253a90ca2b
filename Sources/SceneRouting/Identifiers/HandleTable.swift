/// Nodes by the hash of a text; several may share a hash, and who asks tells them apart.
///
/// Linear hashing (Litwin, 1980): buckets are split and merged one at a time, so that no step costs more than a
/// few buckets however large the table is.
struct HandleTable {
  /// Tags and nodes lie apart, so that a bucket without the tag costs one cache line.
  private struct Bucket {
    /// The last one is not used.
    var tags = SIMD8<UInt32>(repeating: 0)
    /// -1 for nothing.
    var nodes = InlineArray<7, Int32>(repeating: -1)
    /// The bucket that goes on with this one, or -1.
    var next: Int32 = -1
  }

  private static var capacity: Int { 7 }
  /// How many entries there are for each bucket before one is split: one more and most would overflow.
  private static var load: Int { 5 }

  private var buckets = PagedArray<Bucket>()
  private var overflow = PagedArray<Bucket>()
  private var freeOverflow: Int32 = -1
  /// The power of two below the number of buckets.
  private var level = 1
  /// How many entries there are.
  private(set) var count = 0

  init() { buckets.append(Bucket()) }

  @inline(__always)
  private static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash ^ hash >> 32) }

  @inline(__always)
  private func bucket(of tag: UInt32) -> Int {
    let index = Int(tag) & (2 * level - 1)
    return index < buckets.count ? index : index & (level - 1)
  }

  /// The nodes under one hash, one after the other.
  struct Probe {
    fileprivate let tag: UInt32
    /// The bucket; -2 and below for one that goes on with another.
    fileprivate var place: Int
    fileprivate var lane = 0
  }

  @inline(__always)
  func probe(_ hash: UInt64) -> Probe {
    let tag = Self.tag(hash)
    return Probe(tag: tag, place: bucket(of: tag))
  }

  /// The next node that may be under the hash.
  @inline(__always)
  func next(_ probe: inout Probe) -> Int32? {
    if probe.place >= 0 {
      if let node = Self.next(buckets[probe.place], &probe) { return node }
    }
    while probe.place < -1 {
      if let node = Self.next(overflow[-2 - probe.place], &probe) { return node }
    }
    return nil
  }

  @inline(__always)
  private static func next(_ bucket: borrowing Bucket, _ probe: inout Probe) -> Int32? {
    while probe.lane < capacity {
      let lane = probe.lane
      probe.lane += 1
      if bucket.tags[lane] == probe.tag, bucket.nodes[lane] >= 0 { return bucket.nodes[lane] }
    }
    probe.place = -2 - Int(bucket.next)
    probe.lane = 0
    return nil
  }

  mutating func insert(_ hash: UInt64, _ node: Int32) {
    put(Self.tag(hash), node)
    count += 1
    if count > buckets.count * Self.load { split() }
  }

  /// Takes out an entry, which must be there.
  mutating func remove(_ hash: UInt64, _ node: Int32) {
    let tag = Self.tag(hash)
    change(tag, node) { bucket, lane in bucket.nodes[lane] = -1 }
    count -= 1
    if buckets.count > 1, count < (buckets.count - 1) * (Self.load - 2) { merge() }
  }

  /// Puts one node in the place of another.
  mutating func replace(_ hash: UInt64, _ node: Int32, with other: Int32) {
    change(Self.tag(hash), node) { bucket, lane in bucket.nodes[lane] = other }
  }

  private mutating func change(_ tag: UInt32, _ node: Int32, _ change: (inout Bucket, Int) -> Void) {
    var place = Int32(bucket(of: tag))
    var isOverflow = false
    while place >= 0 {
      var bucket = isOverflow ? overflow[Int(place)] : buckets[Int(place)]
      for lane in 0..<Self.capacity where bucket.tags[lane] == tag && bucket.nodes[lane] == node {
        change(&bucket, lane)
        if isOverflow { overflow[Int(place)] = bucket } else { buckets[Int(place)] = bucket }
        return
      }
      place = bucket.next
      isOverflow = true
    }
  }

  private mutating func put(_ tag: UInt32, _ node: Int32) {
    let home = bucket(of: tag)
    var first = buckets[home]
    if Self.put(tag, node, &first) {
      buckets[home] = first
      return
    }
    var place = first.next
    while place >= 0 {
      var bucket = overflow[Int(place)]
      if Self.put(tag, node, &bucket) {
        overflow[Int(place)] = bucket
        return
      }
      place = bucket.next
    }
    var added = Bucket()
    _ = Self.put(tag, node, &added)
    added.next = first.next
    if freeOverflow >= 0 {
      place = freeOverflow
      freeOverflow = overflow[Int(place)].next
      overflow[Int(place)] = added
    } else {
      place = Int32(overflow.count)
      overflow.append(added)
    }
    buckets[home].next = place
  }

  private static func put(_ tag: UInt32, _ node: Int32, _ bucket: inout Bucket) -> Bool {
    for lane in 0..<capacity where bucket.nodes[lane] < 0 {
      bucket.tags[lane] = tag
      bucket.nodes[lane] = node
      return true
    }
    return false
  }

  /// Takes everything out of a bucket and those that go on with it.
  private mutating func empty(_ index: Int) -> [(tag: UInt32, node: Int32)] {
    var entries: [(tag: UInt32, node: Int32)] = []
    var bucket = buckets[index]
    buckets[index] = Bucket()
    while true {
      for lane in 0..<Self.capacity where bucket.nodes[lane] >= 0 {
        entries.append((bucket.tags[lane], bucket.nodes[lane]))
      }
      let next = bucket.next
      guard next >= 0 else { return entries }
      bucket = overflow[Int(next)]
      var freed = Bucket()
      freed.next = freeOverflow
      overflow[Int(next)] = freed
      freeOverflow = next
    }
  }

  private mutating func split() {
    if buckets.count == 2 * level { level *= 2 }
    let entries = empty(buckets.count - level)
    buckets.append(Bucket())
    for entry in entries { put(entry.tag, entry.node) }
  }

  private mutating func merge() {
    let entries = empty(buckets.count - 1)
    buckets.removeLast()
    if buckets.count == level, level > 1 { level /= 2 }
    for entry in entries { put(entry.tag, entry.node) }
  }
}
