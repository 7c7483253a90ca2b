extension IdentifierTrie {
  /// So many positions of 64 are searched together; fewer gain nothing by it.
  private static var fewestTogether: Int { 5 }

  /// Calls `body` once with each held text that occurs in `text`.
  ///
  /// Filters leave few positions of a text at which a held one may begin. At each of them a ``Descent`` finds the exit
  /// node; whatever else begins there is one of its ancestors. Costs a few steps for a position, as many as the length
  /// of the longest held text has bits, and a short one for each node that occurs, held or not.
  mutating func forEachMatch(in text: Span<UInt8>, _ body: (IdentifierKey) -> Void) {
    var hashes = PrefixHashes(of: text)
    beginSearch()
    for start in stride(from: 0, to: text.count, by: 64) {
      let (short, long) = filters.positions(from: start, in: text)
      var places = Places(start: start, left: short | long, long: long)
      guard places.count < Self.fewestTogether else {
        hashes.prepare(to: min(text.count, start + 64 + maximumLength), polynomial)
        forEachMatch(at: &places, in: text, &hashes, body)
        continue
      }
      while let place = places.next() {
        var descent = descent(at: place, in: text, &hashes)
        finish(&descent, text.count, &hashes)
        while visitNode(of: &descent, in: text, body) {}
      }
    }
  }

  /// Searches several positions together.
  private mutating func forEachMatch(
    at places: inout Places,
    in text: Span<UInt8>,
    _ hashes: inout PrefixHashes,
    _ body: (IdentifierKey) -> Void
  ) {
    var descents = InlineArray<16, Descent>(repeating: Descent(at: 0, after: 0, limit: 0))
    while places.count > 0 {
      var count = 0
      while count < descents.count, let place = places.next() {
        descents[count] = descent(at: place, in: text, &hashes)
        count += 1
      }
      finish(&descents, count, text.count, &hashes)
      // One node of each at a time, as each waits for memory.
      var open = 0..<count
      while !open.isEmpty {
        var left = 0
        for index in open where visitNode(of: &descents[index], in: text, body) {
          if left < index { descents[left] = descents[index] }
          left += 1
        }
        open = 0..<left
      }
    }
  }

  /// Visits the node of a descent, whose parent becomes its node; false if there is nothing more to find.
  @inline(__always)
  private mutating func visitNode(
    of descent: inout Descent,
    in text: Span<UInt8>,
    _ body: (IdentifierKey) -> Void
  ) -> Bool {
    guard descent.node != Self.root, let link = visit(descent.node) else { return false }
    if link.isHeld {
      guard descent.isCompared || isPrefix(descent.node, of: text, from: descent.position) else {
        return false
      }
      descent.isCompared = true
      body(IdentifierKey(node: descent.node))
    }
    descent.node = link.parent
    return true
  }

  /// Begins a search, which has visited no node.
  private mutating func beginSearch() {
    if search == .max {
      for index in 0..<links.count { links[index].lastVisit = 0 }
      search = 0
    }
    search += 1
  }

  /// Notes that the search visits a node; `nil` if it has visited the node before.
  @inline(__always)
  private mutating func visit(_ node: Int32) -> Link? {
    let link = links[Int(node)]
    guard link.lastVisit != search else { return nil }
    links[Int(node)].lastVisit = search
    return link
  }

  /// Whether a node's text really is at a position, which equal hashes make all but certain.
  private func isPrefix(_ node: Int32, of text: Span<UInt8>, from position: Int) -> Bool {
    let node = nodes[Int(node)]
    return texts.isStored(text, from: position, count: Int(node.length), at: node.text)
  }
}

// MARK: - Positions

extension IdentifierTrie {
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

  /// The descent that begins at a position.
  @inline(__always)
  private func descent(
    at place: (position: Int, isLong: Bool),
    in text: Span<UInt8>,
    _ hashes: inout PrefixHashes
  ) -> Descent {
    let longest = place.isLong ? maximumLength : PrefixFilters.short
    return Descent(
      at: place.position,
      after: hashes.prefix(place.position, polynomial),
      limit: min(text.count - place.position, longest)
    )
  }
}
