/// Valid while the trie holds the text.
struct IdentifierKey: Hashable {
  let node: Int32

  /// The root, whose empty text every text contains; the trie never holds an empty text.
  static let wildcard = IdentifierKey(node: IdentifierTrie.root)
  /// For an identifier that matches nothing; in no trie.
  static let never = IdentifierKey(node: -1)
}

/// A compact trie that finds which of its folded texts occur in another text.
///
/// The search is that of a z-fast trie (Belazzougui, Boldi, Pagh and Vigna, 2009). A table finds a node by the hash of
/// its *handle*, which is a beginning of the node's text. The handle is longer than the parent's text. Of the lengths
/// in this range, it has the length with the most trailing zeros in binary. So a binary search finds the node with the
/// longest text that a given text begins with, in at most one step for each binary digit of ``maximumLength``.
///
/// A change costs time in proportion to the length of the changed text, and never rebuilds the trie.
struct IdentifierTrie: ~Copyable, Sendable {
  private struct Node {
    var handleHash: UInt64 = 0
    var text = TextReference.none
    /// The first byte after the parent's text.
    var edge: UInt8 = 0
    var length: Int32 = 0
    var firstChild = IdentifierTrie.noNode
    /// For a free node, the next free node.
    var nextSibling = IdentifierTrie.noNode
    var value: Int32 = 0
  }

  /// Not in ``Node``, so that a search up to the root touches little memory.
  private struct Link {
    /// Twice the index of the parent, plus one if the node's text is held.
    private var parentAndState: Int32
    var lastVisit: UInt32 = 0

    init(parent: Int32) { parentAndState = parent << 1 }

    var parent: Int32 {
      get { parentAndState >> 1 }
      set { parentAndState = newValue << 1 | parentAndState & 1 }
    }

    /// Otherwise the node only joins its children.
    var isHeld: Bool {
      get { parentAndState & 1 != 0 }
      set { parentAndState = parentAndState & ~1 | (newValue ? 1 : 0) }
    }
  }

  static var root: Int32 { 0 }
  static var noNode: Int32 { -1 }

  private var nodes = PagedArray<Node>()
  private var links = PagedArray<Link>()
  private var search: UInt32 = 0
  private var firstFree = noNode
  /// All nodes except the root, by the hash of their handles.
  private var handles = HandleTable()
  private(set) var texts = TextArena()
  private(set) var polynomial: PolynomialHash
  private var hashes = PrefixHashes()
  private var filters: PrefixFilters
  /// One less than a power of two, and not less than any text since the trie was last empty.
  private(set) var maximumLength = 0
  private(set) var count = 0

  init(seed: UInt64) {
    polynomial = PolynomialHash(seed: seed)
    filters = PrefixFilters(seed: seed &* 0x9E37_79B9_7F4A_7C15)
    nodes.append(Node())
    links.append(Link(parent: Self.noNode))
  }

  /// Without the root; every node without a held text has at least two children.
  var nodeCount: Int { handles.count }

  @inline(__always)
  func value(of key: IdentifierKey) -> Int32? {
    // The trie frees its nodes when it becomes empty, so the node of an old key may not exist any longer.
    UInt32(bitPattern: key.node) < nodes.count && links[Int(key.node)].isHeld
      ? nodes[Int(key.node)].value : nil
  }

  mutating func setValue(_ value: Int32, of key: IdentifierKey) { nodes[Int(key.node)].value = value }

  func length(of key: IdentifierKey) -> Int { Int(nodes[Int(key.node)].length) }

  func withText<Result>(of key: IdentifierKey, _ body: (Span<UInt8>) -> Result) -> Result {
    let node = nodes[Int(key.node)]
    return texts.withBytes(node.text, count: Int(node.length), body)
  }

  /// The number in `lower + 1...upper` with the most trailing zeros in binary; `lower` must be less than `upper`.
  @inline(__always)
  static func handleLength(_ lower: Int, _ upper: Int) -> Int {
    upper & (-1 &<< (Int.bitWidth - 1 - (lower ^ upper).leadingZeroBitCount))
  }
}

// MARK: - Searching

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
  private mutating func exitNode(
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

// MARK: - Adding

extension IdentifierTrie {
  /// The text must not be empty; if it is held already, its value stays and is returned as `present`.
  mutating func insert(_ text: Span<UInt8>, _ value: Int32) -> (key: IdentifierKey, present: Int32?) {
    while maximumLength < text.count { maximumLength = 2 * maximumLength + 1 }
    polynomial.prepare(length: maximumLength)
    let node = node(of: text)
    guard !links[Int(node)].isHeld else { return (IdentifierKey(node: node), nodes[Int(node)].value) }
    nodes[Int(node)].value = value
    links[Int(node)].isHeld = true
    count += 1
    filters.insert(text)
    continueFilling()
    return (IdentifierKey(node: node), nil)
  }

  private mutating func node(of text: Span<UInt8>) -> Int32 {
    hashes.begin()
    let above = exitNode(at: 0, in: text, limit: maximumLength).node
    let length = Int(nodes[Int(above)].length)
    if length == text.count { return above }
    guard let below = child(of: above, text[length]) else { return addLeaf(under: above, text) }
    return split(below, under: above, text)
  }

  private mutating func addLeaf(under parent: Int32, _ text: Span<UInt8>) -> Int32 {
    let leaf = takeNode(text, count: text.count, parent: parent)
    let handle = Self.handleLength(Int(nodes[Int(parent)].length), text.count)
    nodes[Int(leaf)].handleHash = hashes.prefix(to: handle, of: text, polynomial)
    handles.insert(nodes[Int(leaf)].handleHash, leaf)
    addChild(leaf, to: parent)
    return leaf
  }

  /// Inserts a middle node where the texts diverge; returns the node of `text`, which may be a new leaf below it.
  private mutating func split(_ node: Int32, under parent: Int32, _ text: Span<UInt8>) -> Int32 {
    let lower = nodes[Int(node)]
    let upperLength = Int(nodes[Int(parent)].length)
    var common = upperLength + 1
    while common < min(Int(lower.length), text.count), texts.byte(lower.text, at: common) == text[common] {
      common += 1
    }
    // If the old handle of `node` fits into the text of the middle node, the middle node gets it, and `node` a longer
    // one.
    let middle = takeNode(text, count: common, parent: parent)
    removeChild(node, from: parent)
    addChild(middle, to: parent)
    links[Int(node)].parent = middle
    addChild(node, to: middle)
    if Self.handleLength(upperLength, Int(lower.length)) > common {
      let length = Self.handleLength(upperLength, common)
      nodes[Int(middle)].handleHash = hashes.prefix(to: length, of: text, polynomial)
      handles.insert(nodes[Int(middle)].handleHash, middle)
    } else {
      nodes[Int(middle)].handleHash = lower.handleHash
      handles.replace(lower.handleHash, node, with: middle)
      // The loop takes fewer steps than the new text has bytes. Let h be the length of the old handle of `node`:
      // `common`, and so the new text, is at least h. 2h has more trailing zeros than h, so the text of `node`, and
      // `length`, is below 2h.
      let length = Self.handleLength(common, Int(lower.length))
      var handle = hashes.prefix(to: common, of: text, polynomial)
      for index in common..<length {
        handle = polynomial.hash(handle, appending: texts.byte(lower.text, at: index))
      }
      nodes[Int(node)].handleHash = handle
      handles.insert(handle, node)
    }
    return common == text.count ? middle : addLeaf(under: middle, text)
  }

  private mutating func takeNode(_ text: Span<UInt8>, count: Int, parent: Int32) -> Int32 {
    var node = Node()
    node.text = texts.store(text, count: count)
    node.length = Int32(count)
    guard firstFree != Self.noNode else {
      nodes.append(node)
      links.append(Link(parent: parent))
      return Int32(nodes.count - 1)
    }
    let index = firstFree
    firstFree = nodes[Int(index)].nextSibling
    nodes[Int(index)] = node
    links[Int(index)] = Link(parent: parent)
    return index
  }
}

extension IdentifierTrie {
  private func child(of parent: Int32, _ byte: UInt8) -> Int32? {
    var child = nodes[Int(parent)].firstChild
    while child != Self.noNode, nodes[Int(child)].edge != byte { child = nodes[Int(child)].nextSibling }
    return child == Self.noNode ? nil : child
  }

  private mutating func addChild(_ node: Int32, to parent: Int32) {
    nodes[Int(node)].edge = texts.byte(nodes[Int(node)].text, at: Int(nodes[Int(parent)].length))
    nodes[Int(node)].nextSibling = nodes[Int(parent)].firstChild
    nodes[Int(parent)].firstChild = node
  }

  private mutating func removeChild(_ node: Int32, from parent: Int32) {
    let next = nodes[Int(node)].nextSibling
    var child = nodes[Int(parent)].firstChild
    guard child != node else { return nodes[Int(parent)].firstChild = next }
    while nodes[Int(child)].nextSibling != node { child = nodes[Int(child)].nextSibling }
    nodes[Int(child)].nextSibling = next
  }

  private func onlyChild(of node: Int32) -> Int32? {
    let child = nodes[Int(node)].firstChild
    return child != Self.noNode && nodes[Int(child)].nextSibling == Self.noNode ? child : nil
  }
}

// MARK: - Removing

extension IdentifierTrie {
  /// A node with several children stays, because it connects them.
  mutating func remove(_ key: IdentifierKey) {
    let node = key.node
    links[Int(node)].isHeld = false
    count -= 1
    filters.remove()
    if let child = onlyChild(of: node) {
      join(node, child)
    } else if nodes[Int(node)].firstChild == Self.noNode {
      let parent = links[Int(node)].parent
      handles.remove(nodes[Int(node)].handleHash, node)
      removeChild(node, from: parent)
      free(node)
      if parent != Self.root, !links[Int(parent)].isHeld, let child = onlyChild(of: parent) {
        join(parent, child)
      }
    }
    if count == 0 { clear() }
    continueFilling()
  }

  private mutating func join(_ node: Int32, _ child: Int32) {
    let (middle, lower) = (nodes[Int(node)], nodes[Int(child)])
    let parent = links[Int(node)].parent
    if Self.handleLength(Int(nodes[Int(parent)].length), Int(lower.length)) > Int(middle.length) {
      handles.remove(middle.handleHash, node)
    } else {
      handles.remove(lower.handleHash, child)
      handles.replace(middle.handleHash, node, with: child)
      nodes[Int(child)].handleHash = middle.handleHash
    }
    removeChild(node, from: parent)
    addChild(child, to: parent)
    links[Int(child)].parent = parent
    free(node)
  }

  private mutating func free(_ index: Int32) {
    let node = nodes[Int(index)]
    texts.remove(node.text, count: Int(node.length))
    nodes[Int(index)] = Node()
    nodes[Int(index)].nextSibling = firstFree
    links[Int(index)] = Link(parent: Self.noNode)
    firstFree = index
  }

  /// The trie must not hold any text.
  private mutating func clear() {
    nodes = PagedArray()
    nodes.append(Node())
    links = PagedArray()
    links.append(Link(parent: Self.noNode))
    (firstFree, maximumLength) = (Self.noNode, 0)
  }

  private mutating func continueFilling() {
    guard let range = filters.nextToFill(of: nodes.count) else { return }
    for number in range where links[number].isHeld {
      let node = nodes[number]
      texts.withBytes(node.text, count: Int(node.length)) { filters.fill($0) }
    }
    filters.finishFilling(of: nodes.count)
  }
}

extension IdentifierTrie {
  @inline(__always)
  func spelling(of key: IdentifierKey) -> String {
    switch key {
    case .wildcard: "*"
    case .never: ""
    // Folded texts are valid UTF-8.
    default: withText(of: key) { unsafe String(copying: UTF8Span(unchecked: $0)) }
    }
  }

  /// The longer text, or else the one that sorts first; the most specific identifier is reported as the winner.
  func isMoreSpecific(_ left: IdentifierKey, than right: IdentifierKey) -> Bool {
    let (leftLength, rightLength) = (length(of: left), length(of: right))
    guard leftLength == rightLength else { return leftLength > rightLength }
    guard left != right else { return false }
    return withText(of: left) { left in withText(of: right) { right in left.sortsBefore(right) } }
  }
}
