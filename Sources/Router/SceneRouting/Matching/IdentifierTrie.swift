/// Identifies a text in an ``IdentifierTrie`` while the trie holds the text.
struct IdentifierKey: Hashable {
  /// The index of the text's node in the trie.
  let node: Int32

  /// The key of `*`, for which the root of the trie stands.
  ///
  /// The root's text is empty, and every text contains the empty text, just as `*` matches every text. No other
  /// identifier gets this key, because the trie never holds an empty text.
  static let wildcard = IdentifierKey(node: IdentifierTrie.root)
  /// The key of an identifier that matches nothing.
  ///
  /// The key is in no trie.
  static let never = IdentifierKey(node: -1)
}

/// A set of folded texts that can find which of its texts occur in another text.
///
/// This is a compact trie: a tree in which each node stands for a held text, or for the longest common beginning of
/// several held texts.
///
/// The search is that of a z-fast trie (Belazzougui, Boldi, Pagh and Vigna, 2009). Each node has a *handle*, which is a
/// beginning of the node's text. A table finds the node by the hash of its handle.
///
/// The handle is longer than the parent's text and at most as long as the node's text. Of the lengths in this range,
/// the handle has the length with the most trailing zeros in binary. This choice makes a binary search possible. The
/// search finds the node with the longest text that a given text begins with. The search takes at most one step for
/// each binary digit of ``maximumLength``.
///
/// A change costs time in proportion to the length of the changed text, and never rebuilds the whole trie.
struct IdentifierTrie: ~Copyable, Sendable {
  struct Node {
    var handleHash: UInt64 = 0
    var text = TextReference.none
    /// The first byte of the node's text after the parent's text.
    var edge: UInt8 = 0
    var length: Int32 = 0
    /// The first child in the list of children; -1 for none.
    var firstChild = IdentifierTrie.noNode
    /// The next child of the same parent; for a free node, the next free node.
    var nextSibling = IdentifierTrie.noNode
    /// The value of a held text.
    var value: Int32 = 0
  }

  /// The part of a node that a search up to the root reads.
  ///
  /// This part is not in ``Node``, so that a search touches little memory.
  struct Link {
    /// Twice the index of the parent, plus one if the node's text is held.
    private var parentAndState: Int32
    /// The last search that visited the node; 0 for none.
    var lastVisit: UInt32 = 0

    init(parent: Int32) { parentAndState = parent << 1 }

    var parent: Int32 {
      get { parentAndState >> 1 }
      set { parentAndState = newValue << 1 | parentAndState & 1 }
    }

    /// Whether the node's text is held.
    ///
    /// Otherwise the node only joins its children.
    var isHeld: Bool {
      get { parentAndState & 1 != 0 }
      set { parentAndState = parentAndState & ~1 | (newValue ? 1 : 0) }
    }
  }

  static var root: Int32 { 0 }
  static var noNode: Int32 { -1 }

  private(set) var nodes = PagedArray<Node>()
  /// The link of each node.
  var links = PagedArray<Link>()
  /// The number of the last search.
  var search: UInt32 = 0
  private var firstFree = noNode
  /// All nodes except the root, each under the hash of its handle.
  var handles = HandleTable()
  var texts = TextArena()
  private(set) var polynomial: PolynomialHash
  /// The hashes of the text that is searched or added.
  var hashes = PrefixHashes()
  var filters: PrefixFilters
  /// No text that was added since the trie was last empty is longer than this.
  ///
  /// The value is one less than a power of two.
  private(set) var maximumLength = 0
  /// The number of held texts.
  private(set) var count = 0

  init(seed: UInt64) {
    polynomial = PolynomialHash(seed: seed)
    filters = PrefixFilters(seed: seed &* 0x9E37_79B9_7F4A_7C15)
    nodes.append(Node())
    links.append(Link(parent: Self.noNode))
  }

  /// The number of nodes, not counting the root.
  ///
  /// Each held text has a node, and every other node has at least two children.
  var nodeCount: Int { handles.count }

  /// The value of a text; `nil` if the text is not held any longer.
  @inline(__always)
  func value(of key: IdentifierKey) -> Int32? {
    // The trie frees its nodes when it becomes empty, so the node of an old key may not exist any longer.
    UInt32(bitPattern: key.node) < nodes.count && links[Int(key.node)].isHeld
      ? nodes[Int(key.node)].value : nil
  }

  mutating func setValue(_ value: Int32, of key: IdentifierKey) { nodes[Int(key.node)].value = value }

  /// The number of bytes of a text; 0 for ``IdentifierKey/wildcard``.
  func length(of key: IdentifierKey) -> Int { Int(nodes[Int(key.node)].length) }

  func withText<Result>(of key: IdentifierKey, _ body: (Span<UInt8>) -> Result) -> Result {
    let node = nodes[Int(key.node)]
    return texts.withBytes(node.text, count: Int(node.length), body)
  }

  /// The number in `lower + 1...upper` that has the most trailing zeros in binary.
  ///
  /// `lower` must be less than `upper`.
  @inline(__always)
  static func handleLength(_ lower: Int, _ upper: Int) -> Int {
    upper & (-1 &<< (Int.bitWidth - 1 - (lower ^ upper).leadingZeroBitCount))
  }
}

// MARK: - Adding

extension IdentifierTrie {
  /// Adds a text with a value; the text must not be empty.
  ///
  /// If the text is held already, its value stays and is returned as `present`.
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

  /// The node of a text.
  ///
  /// Makes the node if there is none.
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

  /// Adds a new text by inserting a middle node where the new text and the text of `node` diverge.
  ///
  /// Returns the node of the new text. This is the middle node if the new text ends there. Otherwise it is a new leaf
  /// below the middle node.
  private mutating func split(_ node: Int32, under parent: Int32, _ text: Span<UInt8>) -> Int32 {
    let lower = nodes[Int(node)]
    let upperLength = Int(nodes[Int(parent)].length)
    var common = upperLength + 1
    while common < min(Int(lower.length), text.count), texts.byte(lower.text, at: common) == text[common] {
      common += 1
    }
    // The middle node takes the place of `node` among the parent's children.
    //
    // A table finds each node by its handle, which is a beginning of the node's text. If the handle of `node` is no
    // longer than the text of the middle node, the middle node takes over this handle, and `node` gets a longer handle.
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
      // The loop takes fewer steps than the new text has bytes. To see this, let h be the length of the old handle of
      // `node`:
      // - The old handle is no longer than the text of the middle node, with which the new text begins. So `common` is
      //   at least h, and the new text has at least h bytes.
      // - Of the lengths from `upperLength + 1` to the length of the text of `node`, the old handle has the length with
      //   the most trailing zeros in binary. 2h has more trailing zeros than h, so 2h is beyond these lengths. The text
      //   of `node` is therefore shorter than 2h bytes. `length` is at most the length of this text.
      // The loop goes from `common` to `length`, so it takes fewer than h steps.
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

// MARK: - Children

extension IdentifierTrie {
  /// The child whose text continues the text of `parent` with `byte`.
  ///
  /// A node has at most 256 children.
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

  /// The child of a node, if the node has exactly one.
  private func onlyChild(of node: Int32) -> Int32? {
    let child = nodes[Int(node)].firstChild
    return child != Self.noNode && nodes[Int(child)].nextSibling == Self.noNode ? child : nil
  }
}

// MARK: - Removing

extension IdentifierTrie {
  /// Removes a held text.
  ///
  /// If the text's node has at most one child, the node is removed too. If the node has several children, it stays,
  /// because it connects them.
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

  /// Removes a node with one child and puts the child in its place.
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

  /// Frees the memory of the removed nodes.
  ///
  /// The trie must not hold any text, so only the root is kept.
  private mutating func clear() {
    nodes = PagedArray()
    nodes.append(Node())
    links = PagedArray()
    links.append(Link(parent: Self.noNode))
    (firstFree, maximumLength) = (Self.noNode, 0)
  }

  /// Adds a few more texts to the filters that will replace the present ones; does nothing if no replacement is needed.
  private mutating func continueFilling() {
    guard let range = filters.nextToFill(of: nodes.count) else { return }
    for number in range where links[number].isHeld {
      let node = nodes[number]
      texts.withBytes(node.text, count: Int(node.length)) { filters.fill($0) }
    }
    filters.finishFilling(of: nodes.count)
  }
}
