extension IdentifierTrie {
  /// The search at one position of a text, first down to the longest node, then up to the root.
  private struct Way {
    var position = 0
    /// The hash of what is before the position.
    var before: UInt64 = 0
    /// No node that is longer counts.
    var limit = 0
    /// The longest node is this one, or longer than `lower`; but not longer than `upper`.
    var node = root
    var lower = 0
    var upper = 0
    /// The beginning under which the node was found.
    var found = Handle()
    /// The beginning that is looked for now, where, and what is there.
    var handle = Handle()
    var place = HandleTable.Place()
    var tags = SIMD8<UInt32>()
    /// Whether the bytes have been compared, not only their hashes.
    var isCompared = false
  }

  /// A beginning of what a text goes on with.
  private struct Handle {
    var length = 0
    var hash: UInt64 = 0
  }

  /// Calls `body` with each node whose text is held and occurs in `text`, once.
  ///
  /// Costs a few steps for each position of the text at which some held text may begin, as many as its length has
  /// bits, and a short one for each node that occurs, held or not. Steps wait for memory, therefore those of several
  /// positions are taken together.
  mutating func forEachMatch(in text: Span<UInt8>, _ body: (Int32) -> Void) {
    var hashes = PrefixHashes(of: text)
    ancestors.beginWalk()
    // Where all texts begin alike, as a single one does, a search starts behind that.
    let root = nodes[Int(Self.root)]
    var likely = root.childCount == 1 ? root.children : Self.root
    var ways = InlineArray<16, Way>(repeating: Way())
    for start in stride(from: 0, to: text.count, by: 64) {
      let (short, long) = filters.positions(from: start, in: text)
      var positions = short | long
      if positions.nonzeroBitCount > 4 {
        hashes.prepare(to: min(text.count, start + 64 + maximumLength), polynomial)
      }
      while positions != 0 {
        var count = 0
        while positions != 0, count < ways.count {
          let bit = positions & ~(positions - 1)
          let position = start + positions.trailingZeroBitCount
          positions ^= bit
          let limit = min(text.count - position, long & bit == 0 ? PrefixFilters.short : maximumLength)
          begin(&ways[count], at: position, limit: limit, in: text, &likely, &hashes)
          count += 1
        }
        goDown(&ways, count, text.count, &hashes)
        likely = ways[count - 1].node
        while count > 0 { count = goUp(&ways, count, text, body) }
      }
    }
  }

  /// The node with the longest text that a text begins with.
  func longestPrefix(of text: Span<UInt8>, _ hashes: inout PrefixHashes) -> Int32 {
    var way = Way()
    (way.limit, way.upper) = (text.count, text.count)
    repeat {
      while way.lower < way.upper {
        aim(&way, &hashes)
        way.tags = handles.tags(at: way.place)
        advance(&way)
      }
    } while !settle(&way, text.count, &hashes)
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

// MARK: - Down

extension IdentifierTrie {
  /// Begins at a position, with a node if it is likely to be the longest, as where a text repeats itself.
  @inline(__always)
  private func begin(
    _ way: inout Way,
    at position: Int,
    limit: Int,
    in text: Span<UInt8>,
    _ likely: inout Int32,
    _ hashes: inout PrefixHashes
  ) {
    way.position = position
    way.before = hashes.prefix(position, polynomial)
    way.limit = limit
    (way.node, way.lower, way.upper) = (Self.root, 0, limit)
    way.isCompared = false
    if Int(nodes[Int(likely)].length) > limit { likely = ancestors[likely].parent }
    let guess = nodes[Int(likely)]
    let length = Int(guess.length)
    guard length > 0, length <= limit, hash(length, of: way, &hashes) == guess.hash else { return }
    (way.node, way.found.hash, way.lower) = (likely, guess.handleHash, length)
    guard length < limit else { return }
    guard let child = child(of: likely, text[position + length]) else {
      way.upper = length
      return
    }
    let node = nodes[Int(child)]
    if Int(node.length) <= limit, hash(Int(node.length), of: way, &hashes) == node.hash {
      (way.node, way.found.hash, way.lower) = (child, node.handleHash, Int(node.length))
    } else {
      way.upper = length
    }
  }

  /// Finds the longest node at each position.
  @inline(__always)
  private func goDown(
    _ ways: inout InlineArray<16, Way>,
    _ count: Int,
    _ textCount: Int,
    _ hashes: inout PrefixHashes
  ) {
    var unsettled: UInt32 = 1 << UInt32(count) - 1
    while unsettled != 0 {
      var open: UInt32 = 0
      for index in Bits(unsettled) where ways[index].lower < ways[index].upper { open |= 1 << UInt32(index) }
      while open != 0 {
        for index in Bits(open) { aim(&ways[index], &hashes) }
        for index in Bits(open) { ways[index].tags = handles.tags(at: ways[index].place) }
        for index in Bits(open) {
          advance(&ways[index])
          if ways[index].lower >= ways[index].upper { open ^= 1 << UInt32(index) }
        }
      }
      for index in Bits(unsettled) where settle(&ways[index], textCount, &hashes) {
        unsettled ^= 1 << UInt32(index)
      }
    }
  }

  /// Says what to look for next.
  @inline(__always)
  private func aim(_ way: inout Way, _ hashes: inout PrefixHashes) {
    way.handle.length = Self.handleLength(way.lower, way.upper)
    way.handle.hash = hash(way.handle.length, of: way, &hashes)
    way.place = handles.place(of: way.handle.hash)
  }

  /// Looks for it.
  @inline(__always)
  private func advance(_ way: inout Way) {
    guard let entry = handles.probableEntry(at: way.place, way.tags) else {
      way.upper = way.handle.length - 1
      return
    }
    way.node = entry.node
    way.found = way.handle
    way.lower = entry.length < HandleTable.greatestLength ? entry.length : Int(nodes[Int(entry.node)].length)
    if way.lower < way.handle.length { mend(&way) }
  }

  /// Makes sure of the node that was found; false if the search has to go on because it was another.
  @inline(__always)
  private func settle(_ way: inout Way, _ textCount: Int, _ hashes: inout PrefixHashes) -> Bool {
    guard way.node != Self.root else { return true }
    let node = nodes[Int(way.node)]
    guard node.handleHash == way.found.hash else {
      mend(&way)
      return false
    }
    let length = Int(node.length)
    if way.position + length > textCount || hash(length, of: way, &hashes) != node.hash {
      way.node = ancestors[way.node].parent
    }
    return true
  }

  /// Goes on after an entry that was found because its tag is that of another hash.
  private func mend(_ way: inout Way) {
    let hash = way.found.hash
    if let node = handles.node(under: hash, where: { nodes[Int($0)].handleHash == hash }) {
      (way.node, way.lower) = (node, Int(nodes[Int(node)].length))
    } else {
      // What was looked for behind it says nothing of shorter ones.
      (way.node, way.lower, way.limit) = (Self.root, 0, way.found.length - 1)
    }
    way.upper = way.limit
  }

  /// The hash of some bytes at the position of a way.
  @inline(__always)
  private func hash(_ length: Int, of way: Way, _ hashes: inout PrefixHashes) -> UInt64 {
    polynomial.hash(of: length, between: way.before, and: hashes.prefix(way.position + length, polynomial))
  }
}

// MARK: - Up

extension IdentifierTrie {
  /// Goes one node up on each way, and returns how many ways there still are.
  @inline(__always)
  private mutating func goUp(
    _ ways: inout InlineArray<16, Way>,
    _ count: Int,
    _ text: Span<UInt8>,
    _ body: (Int32) -> Void
  ) -> Int {
    var left = 0
    for index in 0..<count {
      let node = ways[index].node
      guard node != Self.root, let link = ancestors.visit(node) else { continue }
      if link.isHeld {
        guard ways[index].isCompared || isPrefix(node, of: text, from: ways[index].position) else { continue }
        ways[index].isCompared = true
        body(node)
      }
      ways[left].position = ways[index].position
      ways[left].isCompared = ways[index].isCompared
      ways[left].node = link.parent
      left += 1
    }
    return left
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
