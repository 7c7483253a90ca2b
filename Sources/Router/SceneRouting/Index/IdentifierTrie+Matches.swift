extension IdentifierTrie {
  /// Calls `body` once for each held text in `text`; a continued search leaves out what the one before has found.
  ///
  /// At each position that the filters leave, all held texts belong to the node with the longest text there, or to its
  /// ancestors. The search ends at a node that it has already visited.
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
          // So far, possibly only hashes have been compared.
          guard isCompared || isText(of: node, in: text, at: progress.position) else { break }
          isCompared = true
          body(IdentifierKey(node: node))
        }
        node = link.parent
      }
    }
  }

  /// Finds the node with the longest text at a position, its *exit node*; may miss texts of more than `limit` bytes.
  ///
  /// This is a binary search over lengths: each step takes as many bytes as a handle would have, and looks for a node
  /// whose handle has their hash. In the end the text of the last node found is compared. If it differs, the exit node
  /// is the parent, whose text has not been compared.
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
    // Only the hash of the handle has been compared, and the text may be longer than the handle.
    guard node != Self.root else { return (node, true) }
    if isText(of: node, in: text, at: position) { return (node, true) }
    return (links[Int(node)].parent, false)
  }

  // Inlined, because a call of a non-mutating function would copy all bytes of the trie.
  @inline(__always)
  private func isText(of node: Int32, in text: Span<UInt8>, at position: Int) -> Bool {
    let node = nodes[Int(node)]
    return position + Int(node.length) <= text.count
      && texts.isStored(text, from: position, count: Int(node.length), at: node.text)
  }

  private mutating func beginSearch() {
    if search == .max {
      for index in 0..<links.count { links[index].lastVisit = 0 }
      search = 0
    }
    search += 1
  }

  /// `nil` if the present search has visited the node before.
  @inline(__always)
  private mutating func visit(_ node: Int32) -> Link? {
    let link = links[Int(node)]
    guard link.lastVisit != search else { return nil }
    links[Int(node)].lastVisit = search
    return link
  }
}
