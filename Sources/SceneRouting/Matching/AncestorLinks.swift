/// Which node each node of a trie hangs from, and whether its text is held; apart from all else that is known of it.
///
/// A search passes many ancestors at which it has nothing to do. Here they take little memory, and which of them the
/// search has visited is noted in the same place.
struct AncestorLinks {
  struct Link {
    /// The parent, times two; one more for a node whose text is held.
    fileprivate var parentAndState: Int32
    /// The last search that visited the node; 0 for none.
    fileprivate var lastVisit: UInt32 = 0

    init(parent: Int32) { parentAndState = parent << 1 }

    var parent: Int32 {
      get { parentAndState >> 1 }
      set { parentAndState = newValue << 1 | parentAndState & 1 }
    }

    /// Whether the node's text is held; otherwise the node only joins its children.
    var isHeld: Bool {
      get { parentAndState & 1 != 0 }
      set { parentAndState = parentAndState & ~1 | (newValue ? 1 : 0) }
    }
  }

  private var links = PagedArray<Link>()
  /// The number of the last search.
  private var search: UInt32 = 0

  subscript(node: Int32) -> Link {
    @inline(__always) get { links[Int(node)] }
    @inline(__always) _modify { yield &links[Int(node)] }
  }

  mutating func append(_ link: Link) { links.append(link) }

  /// Removes all nodes; the numbers of searches go on.
  mutating func removeAll() { links = PagedArray() }

  /// Begins a search, which has visited no node.
  mutating func beginSearch() {
    if search == .max {
      for index in 0..<links.count { links[index].lastVisit = 0 }
      search = 0
    }
    search += 1
  }

  /// Notes that the search visits a node; `nil` if it has visited the node before.
  @inline(__always)
  mutating func visit(_ node: Int32) -> Link? {
    let link = links[Int(node)]
    guard link.lastVisit != search else { return nil }
    links[Int(node)].lastVisit = search
    return link
  }
}
