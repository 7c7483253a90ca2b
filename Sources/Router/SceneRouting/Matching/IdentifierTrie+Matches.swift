extension IdentifierTrie {
  /// Calls `body` once with each held text that occurs in `text`.
  ///
  /// Filters leave few positions of a text at which a held one may begin. At each of them the exit node is looked for;
  /// whatever else begins there is one of its ancestors. Costs a few steps for a position, as many as the length of the
  /// longest held text has bits, and a short one for each node that occurs, held or not.
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
          // Equal hashes of handles make it all but certain.
          guard isCompared || isText(of: node, in: text, at: progress.position) else { break }
          isCompared = true
          body(IdentifierKey(node: node))
        }
        node = link.parent
      }
    }
  }

  /// Finds the *exit node* of a position of a text: the node with the longest text, of up to `limit` bytes, that is
  /// found there.
  ///
  /// Binary search over lengths: each step probes whether there is a node with a certain handle, and so narrows the
  /// lengths that the exit node may have. Then the bytes of the last node are compared, to verify it. If they differ, its
  /// parent is the exit node, of which only the hash has been compared: `isCompared` is false.
  mutating func exitNode(
    at position: Int,
    in text: Span<UInt8>,
    limit: Int
  ) -> (node: Int32, isCompared: Bool) {
    let before = hashes.prefix(to: position, of: text, polynomial)
    var node = Self.root
    var lower = 0
    var upper = min(limit, text.count - position)
    while lower < upper {
      let length = Self.handleLength(lower, upper)
      let longer = hashes.prefix(to: position + length, of: text, polynomial)
      let hash = polynomial.hash(of: length, between: before, and: longer)
      if let found = handles.node(under: hash, where: { nodes[Int($0)].handleHash == hash }) {
        node = found
        lower = Int(nodes[Int(found)].length)
      } else {
        upper = length - 1
      }
    }
    // The last node found is the exit node if the text has all of it, not the handle alone.
    guard node != Self.root else { return (node, true) }
    if isText(of: node, in: text, at: position) { return (node, true) }
    return (links[Int(node)].parent, false)
  }

  /// Whether the text of a node is found at a position.
  // Inlined, as the trie is copied, bit by bit, for a call that does not change it.
  @inline(__always)
  private func isText(of node: Int32, in text: Span<UInt8>, at position: Int) -> Bool {
    let node = nodes[Int(node)]
    return position + Int(node.length) <= text.count
      && texts.isStored(text, from: position, count: Int(node.length), at: node.text)
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
}
