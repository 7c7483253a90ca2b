/// Identifies a text in an ``IdentifierTrie`` for as long as it is held.
struct IdentifierKey: Hashable {
  /// The node of the trie.
  let node: Int32

  /// The key of the empty text, which every text contains: that of `*`.
  ///
  /// It is the root's, which is in every trie and held by none.
  static let wildcard = IdentifierKey(node: IdentifierTrie.root)
  /// The key of what matches nothing, and is in no trie.
  static let never = IdentifierKey(node: -1)
}

/// Folded texts, and which of them another text contains.
///
/// A compact trie: a node stands for a text that is held, or for the longest common beginning of several. It is
/// searched as a z-fast trie (Belazzougui, Boldi, Pagh and Vigna, 2009): a table finds each node by the hash of its
/// *handle*. That is a beginning of the node's text. Its length is above that of the parent's text and at most that of
/// the node's own; of these numbers it is the one with the most trailing zeros. So binary search over lengths finds the
/// longest node that a text begins with, in as many steps as the length has bits.
///
/// A change costs no more than its text is long, and nothing is ever rebuilt as a whole.
struct IdentifierTrie: ~Copyable, Sendable {
  struct Node {
    var handleHash: UInt64 = 0
    var text = TextReference.none
    /// The first byte of the text behind the parent's.
    var edge: UInt8 = 0
    var length: Int32 = 0
    /// The first of the children, which are a list; -1 for none.
    var firstChild = IdentifierTrie.noNode
    /// The next child of the same parent, or the next node that is free.
    var nextSibling = IdentifierTrie.noNode
    /// The value that is kept with a held text.
    var value: Int32 = 0
  }

  /// What a search from a node up to the root needs; apart from the rest, as so it takes little memory.
  struct Link {
    /// The parent, times two; one more for a node whose text is held.
    private var parentAndState: Int32
    /// The last search that visited the node; 0 for none.
    var lastVisit: UInt32 = 0

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

  static var root: Int32 { 0 }
  static var noNode: Int32 { -1 }

  private(set) var nodes = PagedArray<Node>()
  /// The links of the nodes, and the number of the last search.
  var links = PagedArray<Link>()
  var search: UInt32 = 0
  private var firstFree = noNode
  /// All nodes but the root, each under its handle.
  var handles = HandleTable()
  var texts = TextArena()
  private(set) var polynomial: PolynomialHash
  /// The hashes of the text that is searched or added.
  var hashes = PrefixHashes()
  var filters: PrefixFilters
  /// No text has been longer since the trie was last empty; one less than a power of two.
  private(set) var maximumLength = 0
  /// How many texts are held.
  private(set) var count = 0

  init(seed: UInt64) {
    polynomial = PolynomialHash(seed: seed)
    filters = PrefixFilters(seed: seed &* 0x9E37_79B9_7F4A_7C15)
    nodes.append(Node())
    links.append(Link(parent: Self.noNode))
  }

  /// How many nodes there are beside the root; each held text has one, and all others have at least two children.
  var nodeCount: Int { handles.count }

  /// What is kept with a text; `nil` if it is not held any longer.
  @inline(__always)
  func value(of key: IdentifierKey) -> Int32? {
    // A trie without texts has no nodes but the root.
    UInt32(bitPattern: key.node) < nodes.count && links[Int(key.node)].isHeld
      ? nodes[Int(key.node)].value : nil
  }

  mutating func setValue(_ value: Int32, of key: IdentifierKey) { nodes[Int(key.node)].value = value }

  /// How many bytes a text has.
  func length(of key: IdentifierKey) -> Int { Int(nodes[Int(key.node)].length) }

  func withText<Result>(of key: IdentifierKey, _ body: (Span<UInt8>) -> Result) -> Result {
    let node = nodes[Int(key.node)]
    return texts.withBytes(node.text, count: Int(node.length), body)
  }

  /// The number above `lower` and up to `upper` with the most trailing zeros.
  @inline(__always)
  static func handleLength(_ lower: Int, _ upper: Int) -> Int {
    upper & (-1 << (Int.bitWidth - 1 - (lower ^ upper).leadingZeroBitCount))
  }
}

// MARK: - Adding

extension IdentifierTrie {
  /// Holds a text, which is not empty, with a value; if it is held already, `present` is its value and stays.
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

  /// The node of a text, made if there is none.
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

  /// Makes the node where a text and that of `node` part, and below it the text's own.
  private mutating func split(_ node: Int32, under parent: Int32, _ text: Span<UInt8>) -> Int32 {
    let lower = nodes[Int(node)]
    let upperLength = Int(nodes[Int(parent)].length)
    var common = upperLength + 1
    while common < min(Int(lower.length), text.count), texts.byte(lower.text, at: common) == text[common] {
      common += 1
    }
    // The middle node takes the place of the lower one among the children, and its handle if that is short enough.
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
      // Shorter than the text: that has the old handle, and no number up to twice its length has more trailing zeros.
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
  /// The child of a node whose text continues with a byte; there are 256 at most.
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

  /// The child of a node that has no other.
  private func onlyChild(of node: Int32) -> Int32? {
    let child = nodes[Int(node)].firstChild
    return child != Self.noNode && nodes[Int(child)].nextSibling == Self.noNode ? child : nil
  }
}

// MARK: - Removing

extension IdentifierTrie {
  /// Removes a text that is held, and its node unless other texts part there.
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

  /// Removes a node with one child, which takes its place.
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

  /// Frees the memory of nodes none of which is used.
  private mutating func clear() {
    nodes = PagedArray()
    nodes.append(Node())
    links = PagedArray()
    links.append(Link(parent: Self.noNode))
    (firstFree, maximumLength) = (Self.noNode, 0)
  }

  /// Adds a few texts to filters that are being filled.
  private mutating func continueFilling() {
    guard let range = filters.nextToFill(of: nodes.count) else { return }
    for number in range where links[number].isHeld {
      let node = nodes[number]
      texts.withBytes(node.text, count: Int(node.length)) { filters.fill($0) }
    }
    filters.finishFilling(of: nodes.count)
  }
}
