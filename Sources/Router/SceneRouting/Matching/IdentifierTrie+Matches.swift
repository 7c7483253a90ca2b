extension IdentifierTrie {
  /// Calls `body` once with the key of each held text that occurs in `text`.
  ///
  /// If `isContinued` is true, the texts that the search before has found are left out.
  ///
  /// Filters rule out most positions of `text`. At each position that is left, this method finds the node with the
  /// longest text that occurs there. All other held texts that occur there belong to ancestors of this node. The method
  /// therefore follows the parents up to the root, or up to a node that this search has already visited.
  ///
  /// Finding the node takes at most one step for each binary digit of ``maximumLength``. Each ancestor takes one more
  /// short step.
  mutating func forEachMatch(
    in text: Span<UInt8>,
    isContinued: Bool = false,
    _ body: (IdentifierKey) -> Void
  ) {
    if !isContinued { beginSearch() }
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
          // So far, possibly only hashes have been compared. Equal hashes do not prove that the bytes are equal.
          guard isCompared || isText(of: node, in: text, at: progress.position) else { break }
          isCompared = true
          body(IdentifierKey(node: node))
        }
        node = link.parent
      }
    }
  }

  /// Finds the *exit node* of a position: the node with the longest text that occurs there.
  ///
  /// The search may miss texts of more than `limit` bytes.
  ///
  /// This is a binary search over lengths. The handle of a node is a certain beginning of the node's text (see
  /// ``IdentifierTrie``). Each step takes as many bytes at the position as a handle would have, and looks for a node
  /// whose handle has the same hash. The result narrows down the length of the exit node's text.
  ///
  /// At the end, the text of the last node found is compared with the bytes at the position. If they differ, the exit
  /// node is the parent of that node. `isCompared` is then false, because the parent's text has not been compared.
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
    // So far, the search has compared only the hash of the node's handle. The handle may be shorter than the node's
    // text, so the search now compares the bytes of the whole text.
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

  /// Begins a search, for which no node counts as visited yet.
  private mutating func beginSearch() {
    if search == .max {
      for index in 0..<links.count { links[index].lastVisit = 0 }
      search = 0
    }
    search += 1
  }

  /// Marks a node as visited by the present search, and returns the node's link.
  ///
  /// Returns `nil` if the present search has visited the node before.
  @inline(__always)
  private mutating func visit(_ node: Int32) -> Link? {
    let link = links[Int(node)]
    guard link.lastVisit != search else { return nil }
    links[Int(node)].lastVisit = search
    return link
  }
}
