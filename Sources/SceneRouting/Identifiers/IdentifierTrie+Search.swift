extension IdentifierTrie {
  /// Calls `body` with each node whose text is held and occurs in `text`, once.
  ///
  /// Costs a few steps for each position of the text at which some held text may begin, as many as its length has
  /// bits, and one for each node that occurs: nothing that grows with the number of texts held.
  func forEachMatch(in text: Span<UInt8>, _ body: (Int32) -> Void) {
    var hashes = PrefixHashes(of: text)
    let maximum = maximumLength
    var visited = VisitedNodes()
    for start in stride(from: 0, to: text.count, by: 64) {
      let (short, long) = filters.positions(from: start, in: text)
      var positions = short | long
      while positions != 0 {
        let bit = positions & ~(positions - 1)
        let position = start + positions.trailingZeroBitCount
        positions ^= bit
        let limit = min(text.count - position, long & bit == 0 ? PrefixFilters.short : maximum)
        var node = longestPrefix(of: text, from: position, limit: limit, &hashes)
        guard node != Self.root, visited.insert(node), isPrefix(node, of: text, from: position) else {
          continue
        }
        repeat {
          let entry = nodes[Int(node)]
          if entry.isHeld { body(node) }
          node = entry.parent
        } while node != Self.root && visited.insert(node)
      }
    }
  }

  /// The node with the longest text that `text` goes on with from a position, if that is no longer than the limit.
  @inline(__always)
  func longestPrefix(
    of text: Span<UInt8>,
    from position: Int,
    limit: Int,
    _ hashes: inout PrefixHashes
  ) -> Int32 {
    var longest = Self.root
    var lower = 0
    var upper = limit
    let before = hashes.prefix(position, polynomial)
    while lower < upper {
      let length = Self.handleLength(lower, upper)
      let hash = polynomial.hash(
        of: length,
        between: before,
        and: hashes.prefix(position + length, polynomial)
      )
      var probe = table.probe(hash)
      var found = table.next(&probe)
      while let candidate = found, nodes[Int(candidate)].handleHash != hash { found = table.next(&probe) }
      guard let found else {
        upper = length - 1
        continue
      }
      let node = nodes[Int(found)]
      let end = position + Int(node.length)
      guard end <= text.count else { return node.parent }
      let whole = hashes.prefix(end, polynomial)
      guard polynomial.hash(of: Int(node.length), between: before, and: whole) == node.hash else {
        return node.parent
      }
      longest = found
      lower = Int(node.length)
    }
    return longest
  }

  /// Whether the text really goes on with the node's, which equal hashes make all but certain.
  private func isPrefix(_ node: Int32, of text: Span<UInt8>, from position: Int) -> Bool {
    let node = nodes[Int(node)]
    return texts.isStored(text, from: position, count: Int(node.length), at: node.text)
  }
}
