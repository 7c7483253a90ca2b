extension IdentifierTrie {
  /// The end of a way from a node up to the root, all of which a text goes on with from a position.
  private struct Way {
    var node: Int32
    let position: Int
    /// Whether the bytes have been compared, not only their hashes.
    var isCompared = false
  }

  /// Calls `body` with each node whose text is held and occurs in `text`, once.
  ///
  /// Costs a few steps for each position of the text at which some held text may begin, as many as its length has
  /// bits, and one for each node that occurs: nothing that grows with the number of texts held.
  func forEachMatch(in text: Span<UInt8>, _ body: (Int32) -> Void) {
    var hashes = PrefixHashes(of: text)
    let maximum = maximumLength
    var visited = VisitedNodes()
    // Where all texts begin alike, as a single one does, a search starts behind that.
    let root = nodes[Int(Self.root)]
    let beginning = root.childCount == 1 ? root.children : Self.root
    var previous = Self.root
    var ways = InlineArray<16, Way>(repeating: Way(node: Self.root, position: 0))
    for start in stride(from: 0, to: text.count, by: 64) {
      let (short, long) = filters.positions(from: start, in: text)
      var positions = short | long
      var count = 0
      while positions != 0 {
        let bit = positions & ~(positions - 1)
        let position = start + positions.trailingZeroBitCount
        positions ^= bit
        let limit = min(text.count - position, long & bit == 0 ? PrefixFilters.short : maximum)
        let likely = previous == Self.root ? beginning : previous
        let node = longestPrefix(of: text, from: position, limit: limit, likely: likely, &hashes)
        if node != Self.root, node != previous, visited.insert(node) {
          ways[count] = Way(node: node, position: position)
          count += 1
        }
        previous = node
        guard count == ways.count || positions == 0 else { continue }
        // Several ways go up together: each step waits for memory, but not for the steps of the others.
        while count > 0 { count = goUp(&ways, count, text, &visited, body) }
      }
    }
  }

  /// Goes one node up on each way, and returns how many ways there still are.
  @inline(__always)
  private func goUp(
    _ ways: inout InlineArray<16, Way>,
    _ count: Int,
    _ text: Span<UInt8>,
    _ visited: inout VisitedNodes,
    _ body: (Int32) -> Void
  ) -> Int {
    var left = 0
    for index in 0..<count {
      var way = ways[index]
      let node = nodes[Int(way.node)]
      if node.isHeld {
        guard way.isCompared || isPrefix(way.node, of: text, from: way.position) else { continue }
        way.isCompared = true
        body(way.node)
      }
      guard node.parent != Self.root, visited.insert(node.parent) else { continue }
      way.node = node.parent
      ways[left] = way
      left += 1
    }
    return left
  }

  /// The node with the longest text that `text` goes on with from a position, if that is no longer than the limit.
  ///
  /// `likely` is one that it may be, as where a text repeats itself, or the root.
  @inline(__always)
  func longestPrefix(
    of text: Span<UInt8>,
    from position: Int,
    limit: Int,
    likely: Int32 = root,
    _ hashes: inout PrefixHashes
  ) -> Int32 {
    var longest = Self.root
    var lower = 0
    var upper = limit
    let guess = Int(nodes[Int(likely)].length) > limit ? nodes[Int(likely)].parent : likely
    let length = Int(nodes[Int(guess)].length)
    if guess != Self.root, length <= limit,
      hashes.part(from: position, count: length, polynomial) == nodes[Int(guess)].hash
    {
      guard length < limit, let child = child(of: guess, text[position + length]) else { return guess }
      let node = nodes[Int(child)]
      guard Int(node.length) <= limit,
        hashes.part(from: position, count: Int(node.length), polynomial) == node.hash
      else { return guess }
      (longest, lower) = (child, Int(node.length))
    }
    while lower < upper {
      let length = Self.handleLength(lower, upper)
      let hash = hashes.part(from: position, count: length, polynomial)
      var probe = table.probe(hash)
      var found = table.next(&probe)
      while let candidate = found, nodes[Int(candidate)].handleHash != hash { found = table.next(&probe) }
      guard let found else {
        upper = length - 1
        continue
      }
      let node = nodes[Int(found)]
      guard position + Int(node.length) <= text.count,
        hashes.part(from: position, count: Int(node.length), polynomial) == node.hash
      else { return node.parent }
      longest = found
      lower = Int(node.length)
    }
    return longest
  }

  /// The child of a node that goes on with a byte.
  func child(of parent: Int32, _ byte: UInt8) -> Int32? {
    let above = nodes[Int(parent)]
    var probe = table.probe(polynomial.hash(above.hash, appending: byte))
    while let candidate = table.next(&probe) {
      let node = nodes[Int(candidate)]
      if node.parent == parent, texts.byte(node.text, at: Int(above.length)) == byte { return candidate }
    }
    return nil
  }

  /// Whether the text really goes on with the node's, which equal hashes make all but certain.
  private func isPrefix(_ node: Int32, of text: Span<UInt8>, from position: Int) -> Bool {
    let node = nodes[Int(node)]
    return texts.isStored(text, from: position, count: Int(node.length), at: node.text)
  }
}
