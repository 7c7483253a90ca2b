/// What each node of a trie hangs from, apart from all else that is known of it.
///
/// A search goes up past many nodes at which it has nothing to do; here they take little memory, and much of that at
/// once. Which of them it has come by is noted here too.
struct AncestorLinks {
  struct Link {
    /// The parent, times two; one more for a node whose text is held.
    fileprivate var parentAndState: Int32
    fileprivate var walk: UInt32 = 0

    init(parent: Int32) { parentAndState = parent << 1 }

    var parent: Int32 {
      get { parentAndState >> 1 }
      set { parentAndState = newValue << 1 | parentAndState & 1 }
    }

    var isHeld: Bool {
      get { parentAndState & 1 != 0 }
      set { parentAndState = parentAndState & ~1 | (newValue ? 1 : 0) }
    }
  }

  private var links = PagedArray<Link>()
  private var walk: UInt32 = 0

  subscript(node: Int32) -> Link {
    @inline(__always) _read { yield links[Int(node)] }
    @inline(__always) _modify { yield &links[Int(node)] }
  }

  mutating func append(_ link: Link) { links.append(link) }

  /// Forgets which nodes have been visited.
  mutating func beginWalk() {
    if walk == .max {
      for index in 0..<links.count { links[index].walk = 0 }
      walk = 0
    }
    walk += 1
  }

  /// Notes that a search has come by a node; `nil` if it had before.
  @inline(__always)
  mutating func visit(_ node: Int32) -> Link? {
    let link = links[Int(node)]
    guard link.walk != walk else { return nil }
    links[Int(node)].walk = walk
    return link
  }
}
