extension IdentifierTrie {
  /// Calls `body` once with each held text that occurs in `text`.
  ///
  /// Filters leave few positions at which a held text may begin. At each of these positions, this method looks for the
  /// exit node. The exit node has the longest text that occurs at the position. All other held texts at the position
  /// belong to ancestors of the exit node.
  ///
  /// At a position, the search for the exit node takes at most one step for each bit of the greatest possible length.
  /// Each node whose text occurs costs one more short step, even if its text is not held.
  mutating func forEachMatch(in text: Span<UInt8>, _ body: (IdentifierKey) -> Void) {
    beginSearch()
    hashes.begin()
    var progress = PrefixFilters.Progress()
    while filters.findNext(in: text, &progress) {
      var (node, isCompared) = exitNode(
        at: progress.position,
        in: text,
        limit: progress.longest ?? maximumLength
      )
      while node != Self.root, let link = visit(node) {
        if link.isHeld {
          // Until bytes have been compared, only a hash is known to be equal.
          guard isCompared || isText(of: node, in: text, at: progress.position) else { break }
          isCompared = true
          body(IdentifierKey(node: node))
        }
        node = link.parent
      }
    }
  }

  /// Finds the *exit node* of a position of a text.
  ///
  /// The exit node has the longest text, of up to `limit` bytes, that occurs at the position.
  ///
  /// The method does a binary search over lengths. The handle of a node is a certain beginning of the node's text (see
  /// ``IdentifierTrie``). Each step looks for a node whose handle has the same hash as the bytes at the position. The
  /// result narrows the lengths that the exit node may have.
  ///
  /// Then the method compares the bytes of the last node found. If the bytes differ, the exit node is the parent of
  /// that node. `isCompared` is then false, because only a hash of the parent's text has been compared.
  mutating func exitNode(
    at position: Int,
    in text: Span<UInt8>,
    limit: Int
  ) -> (node: Int32, isCompared: Bool) {
    let before = hashes.unreducedPrefix(to: position, of: text, polynomial)
    var node = Self.root
    var lower = 0
    var upper = min(limit, text.count - position)
    while lower < upper {
      let length = Self.handleLength(lower, upper)
      let longer = hashes.unreducedPrefix(to: position + length, of: text, polynomial)
      let hash = polynomial.hash(of: length, between: before, and: longer)
      if let found = handles.node(under: hash, where: { nodes[Int($0)].handleHash == hash }) {
        node = found
        lower = Int(nodes[Int(found)].length)
      } else {
        upper = length - 1
      }
    }
    // Only the handle of the last node found is known to occur. The node is the exit node if its whole text occurs.
    guard node != Self.root else { return (node, true) }
    if isText(of: node, in: text, at: position) { return (node, true) }
    return (links[Int(node)].parent, false)
  }

  /// Whether the text of a node occurs at a position.
  // Inlined, because a call of a non-mutating function would copy all bytes of the trie.
  @inline(__always)
  private func isText(of node: Int32, in text: Span<UInt8>, at position: Int) -> Bool {
    let node = nodes[Int(node)]
    return position + Int(node.length) <= text.count
      && texts.isStored(text, from: position, count: Int(node.length), at: node.text)
  }

  /// Begins a search.
  ///
  /// All nodes count as not visited.
  private mutating func beginSearch() {
    if search == .max {
      for index in 0..<links.count { links[index].lastVisit = 0 }
      search = 0
    }
    search += 1
  }

  /// Marks a node as visited by the search.
  ///
  /// Returns `nil` if the search has visited the node before.
  @inline(__always)
  private mutating func visit(_ node: Int32) -> Link? {
    let link = links[Int(node)]
    guard link.lastVisit != search else { return nil }
    links[Int(node)].lastVisit = search
    return link
  }
}
