extension IdentifierTrie {
  /// The search at one position of a text, first down to the longest node, then up to the root.
  private struct Way {
    var position = 0
    /// The hash of what is before the position.
    var before: UInt64 = 0
    /// No handle that is longer is looked for.
    var limit = 0
    /// The last node that was found, and the hash under which it was.
    var node = root
    var found: UInt64 = 0
    /// Between these lengths lies that of a longer one, if there is one.
    var lower = 0
    var upper = 0
    /// Whether nodes are told apart by more than tags, as it has turned out to be needed.
    var isExact = false
    /// What is looked for now, where, and what is there.
    var handle = Handle()
    var place = HandleTable.Place()
    var tags = SIMD8<UInt32>()
    /// Whether the bytes have been compared, not only their hashes.
    var isCompared = false
  }

  /// The first bytes at a position.
  private struct Handle {
    var length = 0
    var hash: UInt64 = 0
  }

  /// Calls `body` once with each node whose text is held and occurs in `text`.
  ///
  /// Costs a few steps for each position of the text at which some held text may begin, as many as the length of the
  /// longest held text has bits, and a short one for each node that occurs, held or not. Steps wait for memory,
  /// therefore those of several positions are taken together.
  mutating func forEachMatch(in text: Span<UInt8>, _ body: (_ node: Int32) -> Void) {
    var hashes = PrefixHashes(of: text)
    ancestors.beginSearch()
    for start in stride(from: 0, to: text.count, by: 64) {
      let (short, long) = filters.positions(from: start, in: text)
      var places = Places(start: start, left: short | long, long: long)
      guard places.count > Self.few else {
        while let position = places.next() {
          var way = Way()
          begin(&way, at: position, likely, in: text, &hashes)
          goDown(&way, text.count, &hashes)
          while goUp(&way, text, body) {}
        }
        continue
      }
      hashes.prepare(to: min(text.count, start + 64 + maximumLength), polynomial)
      forEachMatch(at: &places, in: text, &hashes, body)
    }
  }

  /// The node with the longest text that a text begins with.
  func longestPrefix(of text: Span<UInt8>, _ hashes: inout PrefixHashes) -> Int32 {
    var way = Way()
    (way.limit, way.upper) = (text.count, text.count)
    goDown(&way, text.count, &hashes)
    return way.node
  }

  /// The child of a node that goes on with a byte.
  func child(of parent: Int32, _ byte: UInt8) -> Int32? {
    let above = nodes[Int(parent)]
    return edges.node(under: polynomial.hash(above.hash, appending: byte)) { candidate in
      ancestors[candidate].parent == parent
        && texts.byte(nodes[Int(candidate)].text, at: Int(above.length)) == byte
    }
  }
}

// MARK: - Positions

extension IdentifierTrie {
  /// Up to so many positions of 64 are searched one after the other.
  private static var few: Int { 4 }
  /// The positions of a text at which a held text may begin, among 64.
  private struct Places {
    let start: Int
    /// Those that are left, as bits.
    var left: UInt64
    /// Those at which the text may be a long one.
    let long: UInt64

    var count: Int { left.nonzeroBitCount }

    @inline(__always)
    mutating func next() -> (position: Int, isLong: Bool)? {
      guard left != 0 else { return nil }
      defer { left &= left - 1 }
      return (start + left.trailingZeroBitCount, left & ~(left - 1) & long != 0)
    }
  }

  /// Where all texts begin alike, as a single one does, what they begin with; else the root.
  private var likely: Int32 {
    let root = nodes[Int(Self.root)]
    return root.childCount == 1 ? root.children : Self.root
  }

  /// Searches at several positions together.
  private mutating func forEachMatch(
    at places: inout Places,
    in text: Span<UInt8>,
    _ hashes: inout PrefixHashes,
    _ body: (Int32) -> Void
  ) {
    var ways = InlineArray<16, Way>(repeating: Way())
    var likely = self.likely
    while places.count > 0 {
      var count = 0
      while count < ways.count, let place = places.next() {
        // Where a text repeats itself, the next longest node is often this one, or those above it at its end.
        let limit = limit(at: place, in: text)
        if Int(nodes[Int(likely)].length) > limit { likely = ancestors[likely].parent }
        begin(&ways[count], at: place, likely, in: text, &hashes)
        count += 1
      }
      goDown(&ways, count, text.count, &hashes)
      likely = ways[count - 1].node == Self.root ? self.likely : ways[count - 1].node
      while count > 0 {
        var left = 0
        for index in 0..<count where goUp(&ways[index], text, body) {
          // No more than this is of use on the way up.
          (ways[left].node, ways[left].position) = (ways[index].node, ways[index].position)
          ways[left].isCompared = ways[index].isCompared
          left += 1
        }
        count = left
      }
    }
  }

  @inline(__always)
  private func limit(at place: (position: Int, isLong: Bool), in text: Span<UInt8>) -> Int {
    min(text.count - place.position, place.isLong ? maximumLength : PrefixFilters.short)
  }

  /// Begins at a position, with a node if it is likely to be the longest.
  @inline(__always)
  private func begin(
    _ way: inout Way,
    at place: (position: Int, isLong: Bool),
    _ likely: Int32,
    in text: Span<UInt8>,
    _ hashes: inout PrefixHashes
  ) {
    way.position = place.position
    way.before = hashes.prefix(place.position, polynomial)
    way.limit = limit(at: place, in: text)
    (way.node, way.lower, way.upper) = (Self.root, 0, way.limit)
    (way.isExact, way.isCompared) = (false, false)
    guard likely != Self.root, take(likely, in: &way, &hashes), way.lower < way.limit else { return }
    if let child = child(of: likely, text[way.position + way.lower]), take(child, in: &way, &hashes) {
      return
    }
    way.upper = way.lower
  }

  /// Notes that a node is found if it is; false if not.
  @inline(__always)
  private func take(_ index: Int32, in way: inout Way, _ hashes: inout PrefixHashes) -> Bool {
    let node = nodes[Int(index)]
    let length = Int(node.length)
    guard length <= way.limit, hash(length, of: way, &hashes) == node.hash else { return false }
    (way.node, way.found, way.lower) = (index, node.handleHash, length)
    return true
  }
}

// MARK: - Down

extension IdentifierTrie {
  /// Finds the longest node at a position.
  @inline(__always)
  private func goDown(_ way: inout Way, _ textCount: Int, _ hashes: inout PrefixHashes) {
    repeat {
      while way.lower < way.upper {
        aim(&way, &hashes)
        way.tags = handles.tags(at: way.place)
        advance(&way)
      }
    } while !settle(&way, textCount, &hashes)
  }

  /// Finds the longest node at each position.
  @inline(__always)
  private func goDown(
    _ ways: inout InlineArray<16, Way>,
    _ count: Int,
    _ textCount: Int,
    _ hashes: inout PrefixHashes
  ) {
    var open: UInt32 = 0
    for index in 0..<count where ways[index].lower < ways[index].upper { open |= 1 << UInt32(index) }
    while open != 0 {
      for index in Bits(open) { aim(&ways[index], &hashes) }
      // All are asked for before one is looked at, so that they come from memory together.
      for index in Bits(open) { ways[index].tags = handles.tags(at: ways[index].place) }
      for index in Bits(open) {
        advance(&ways[index])
        if ways[index].lower >= ways[index].upper { open ^= 1 << UInt32(index) }
      }
    }
    for index in 0..<count where !settle(&ways[index], textCount, &hashes) {
      goDown(&ways[index], textCount, &hashes)
    }
  }

  /// Decides which handle to look for next.
  @inline(__always)
  private func aim(_ way: inout Way, _ hashes: inout PrefixHashes) {
    way.handle.length = Self.handleLength(way.lower, way.upper)
    way.handle.hash = hash(way.handle.length, of: way, &hashes)
    way.place = handles.place(of: way.handle.hash)
  }

  /// Notes whether there is a node with the handle, by its tag alone if that has done so far.
  @inline(__always)
  private func advance(_ way: inout Way) {
    guard !way.isExact else { return advanceExactly(&way) }
    guard let entry = handles.probableEntry(at: way.place, way.tags) else {
      way.upper = way.handle.length - 1
      return
    }
    way.node = entry.node
    way.found = way.handle.hash
    way.lower = entry.length ?? Int(nodes[Int(entry.node)].length)
    // No node is shorter than its handle.
    if way.lower < way.handle.length { beginExactly(&way) }
  }

  /// Makes sure of the node that was found; false if the search has to begin once more.
  @inline(__always)
  private func settle(_ way: inout Way, _ textCount: Int, _ hashes: inout PrefixHashes) -> Bool {
    guard way.node != Self.root else { return true }
    let node = nodes[Int(way.node)]
    guard node.handleHash == way.found else {
      beginExactly(&way)
      return false
    }
    let length = Int(node.length)
    if way.position + length > textCount || hash(length, of: way, &hashes) != node.hash {
      way.node = ancestors[way.node].parent
    }
    return true
  }

  /// Begins once more: a tag was that of another hash, and nothing found with it counts.
  private func beginExactly(_ way: inout Way) {
    (way.node, way.lower, way.upper) = (Self.root, 0, way.limit)
    way.isExact = true
  }

  /// Notes whether there is a node with the handle, by its whole hash.
  private func advanceExactly(_ way: inout Way) {
    let handle = way.handle
    let found = handles.node(under: handle.hash) {
      nodes[Int($0)].handleHash == handle.hash && Int(nodes[Int($0)].length) >= handle.length
    }
    guard let found else {
      way.upper = handle.length - 1
      return
    }
    (way.node, way.found, way.lower) = (found, handle.hash, Int(nodes[Int(found)].length))
  }

  /// The hash of the first bytes at the position of a way.
  @inline(__always)
  private func hash(_ length: Int, of way: Way, _ hashes: inout PrefixHashes) -> UInt64 {
    polynomial.hash(of: length, between: way.before, and: hashes.prefix(way.position + length, polynomial))
  }
}

// MARK: - Up

extension IdentifierTrie {
  /// Goes one node up, and returns whether there may be more to find.
  @inline(__always)
  private mutating func goUp(
    _ way: inout Way,
    _ text: Span<UInt8>,
    _ body: (Int32) -> Void
  ) -> Bool {
    guard way.node != Self.root, let link = ancestors.visit(way.node) else { return false }
    if link.isHeld {
      guard way.isCompared || isPrefix(way.node, of: text, from: way.position) else { return false }
      way.isCompared = true
      body(way.node)
    }
    way.node = link.parent
    return true
  }

  /// Whether the text really goes on with the node's, which equal hashes make all but certain.
  private func isPrefix(_ node: Int32, of text: Span<UInt8>, from position: Int) -> Bool {
    let node = nodes[Int(node)]
    return texts.isStored(text, from: position, count: Int(node.length), at: node.text)
  }
}

/// The numbers of the bits that are set, the lowest first.
private struct Bits: Sequence, IteratorProtocol {
  private var left: UInt32

  @inline(__always)
  init(_ bits: UInt32) { left = bits }

  @inline(__always)
  mutating func next() -> Int? {
    guard left != 0 else { return nil }
    defer { left &= left - 1 }
    return left.trailingZeroBitCount
  }
}
