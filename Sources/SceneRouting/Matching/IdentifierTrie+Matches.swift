extension IdentifierTrie {
  /// Up to so many positions of 64 are searched one after the other: fewer gain nothing from going together.
  private static var fewestTogether: Int { 5 }

  /// Calls `body` once with each held text that occurs in `text`.
  ///
  /// Filters leave few positions of a text at which a held one may begin. At each of them a ``Descent`` finds the exit
  /// node; whatever else begins there is one of its ancestors. Costs a few steps for a position, as many as the length
  /// of the longest held text has bits, and a short one for each node that occurs, held or not.
  mutating func forEachMatch(in text: Span<UInt8>, _ body: (IdentifierKey) -> Void) {
    var hashes = PrefixHashes(of: text)
    ancestors.beginSearch()
    for start in stride(from: 0, to: text.count, by: 64) {
      let (short, long) = filters.positions(from: start, in: text)
      var places = Places(start: start, left: short | long, long: long)
      guard places.count < Self.fewestTogether else {
        hashes.prepare(to: min(text.count, start + 64 + maximumLength), polynomial)
        forEachMatch(at: &places, in: text, &hashes, body)
        continue
      }
      while let place = places.next() {
        var descent = Descent()
        begin(&descent, at: place, likely, in: text, &hashes)
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
    var descents = InlineArray<16, Descent>(repeating: Descent())
    var likely = self.likely
    while places.count > 0 {
      var count = 0
      while count < descents.count, let place = places.next() {
        // Where a text repeats itself, the next exit node is often this one, or those above it at the text's end.
        if Int(nodes[Int(likely)].length) > limit(at: place, in: text) { likely = ancestors[likely].parent }
        begin(&descents[count], at: place, likely, in: text, &hashes)
        count += 1
      }
      finish(&descents, count, text.count, &hashes)
      let last = descents[count - 1].node
      likely = last == Self.root ? self.likely : last
      while count > 0 {
        var left = 0
        for index in 0..<count where visitNode(of: &descents[index], in: text, body) {
          // No more of a descent is of use from its exit node on.
          (descents[left].node, descents[left].position) = (descents[index].node, descents[index].position)
          descents[left].isCompared = descents[index].isCompared
          left += 1
        }
        count = left
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
    guard descent.node != Self.root, let link = ancestors.visit(descent.node) else { return false }
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

  /// Where all texts begin alike, as a single one does, what they begin with; else the root.
  private var likely: Int32 {
    let root = nodes[Int(Self.root)]
    return root.childCount == 1 ? root.children : Self.root
  }

  @inline(__always)
  private func limit(at place: (position: Int, isLong: Bool), in text: Span<UInt8>) -> Int {
    min(text.count - place.position, place.isLong ? maximumLength : PrefixFilters.short)
  }

  /// Begins at a position, with a node if it is likely to be the exit node.
  @inline(__always)
  private func begin(
    _ descent: inout Descent,
    at place: (position: Int, isLong: Bool),
    _ likely: Int32,
    in text: Span<UInt8>,
    _ hashes: inout PrefixHashes
  ) {
    descent.position = place.position
    descent.before = hashes.prefix(place.position, polynomial)
    descent.limit = limit(at: place, in: text)
    restart(&descent)
    (descent.isExact, descent.isCompared) = (false, false)
    guard likely != Self.root, take(likely, in: &descent, &hashes), !descent.isNarrowed else { return }
    if let child = child(of: likely, text[descent.position + descent.lower]),
      take(child, in: &descent, &hashes)
    {
      return
    }
    descent.upper = descent.lower
  }

  /// Notes that a node is found if its text is at the position; false if not.
  @inline(__always)
  private func take(_ index: Int32, in descent: inout Descent, _ hashes: inout PrefixHashes) -> Bool {
    let node = nodes[Int(index)]
    let length = Int(node.length)
    guard length <= descent.limit, hash(length, of: descent, &hashes) == node.hash else { return false }
    (descent.node, descent.foundHash, descent.lower) = (index, node.handleHash, length)
    return true
  }
}
