/// Names a text in an ``IdentifierTrie`` for as long as it is held.
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
/// searched as a z-fast trie (Belazzougui, Boldi, Pagh and Vigna, 2009): each node is filed under the hash of its
/// *handle*, the beginning of its text whose length is the number with the most trailing zeros among those above its
/// parent's length and up to its own. Binary search over lengths then finds the longest node that a text begins
/// with, in as many steps as the length has bits. In a second table it is filed under one byte more than its parent's
/// text, where that finds its children.
///
/// No change costs more than the text it is about, and nothing is ever rebuilt.
struct IdentifierTrie {
  struct Node {
    var hash: UInt64 = 0
    var handleHash: UInt64 = 0
    var text = TextReference.none
    var childCount: Int16 = 0
    var length: Int32 = 0
    /// The numbers of all children, combined with exclusive or: of an only child it is the number.
    ///
    /// Of a node that is free: the next free one.
    var children: Int32 = 0
    /// What the user of the trie keeps with a held text.
    var value: Int32 = 0
  }

  static var root: Int32 { 0 }

  private(set) var nodes = PagedArray<Node>()
  var ancestors = AncestorLinks()
  private var firstFree: Int32 = -1
  /// All nodes but the root, each under its handle.
  var handles = HandleTable()
  /// All nodes but the root, each under one byte more than its parent's text.
  var edges = HandleTable()
  var texts = TextArena()
  var polynomial: PolynomialHash
  var filters: PrefixFilters
  /// How many texts have a length of so many bits.
  private var lengthCounts = [Int](repeating: 0, count: Int.bitWidth)
  /// No held text is longer.
  private(set) var maximumLength = 0
  /// How many texts are held.
  private(set) var count = 0

  init(seed: UInt64) {
    polynomial = PolynomialHash(seed: seed)
    filters = PrefixFilters(seed: seed &* 0x9E37_79B9_7F4A_7C15)
    nodes.append(Node())
    ancestors.append(AncestorLinks.Link(parent: -1))
  }

  /// How many nodes there are beside the root; each held text has one, and all others have at least two children.
  var nodeCount: Int { handles.count }

  /// What is kept with a text; `nil` if it is not held any longer.
  @inline(__always)
  func value(of key: IdentifierKey) -> Int32? {
    // A trie without texts has no nodes but the root.
    UInt32(bitPattern: key.node) < nodes.count && ancestors[key.node].isHeld
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

  /// The greatest length of so many bits.
  private static func greatestLength(bits: Int) -> Int { (1 << bits) - 1 }

  private static func bits(ofLength length: Int) -> Int { Int.bitWidth - length.leadingZeroBitCount }

  /// Counts texts of a length up or down.
  private mutating func noteLength(_ length: Int, _ change: Int) {
    let bits = Self.bits(ofLength: length)
    lengthCounts[bits] += change
    guard lengthCounts[bits] < 2 else { return }
    maximumLength = lengthCounts.lastIndex { $0 > 0 }.map(Self.greatestLength) ?? 0
  }
}

// MARK: - Adding

extension IdentifierTrie {
  /// Makes a text held that is not empty, and keeps a value with it; `present` is the one that is kept already.
  mutating func insert(_ text: Span<UInt8>, _ value: Int32) -> (key: IdentifierKey, present: Int32?) {
    // A search begins with the greatest length that has as many bits as any text.
    polynomial.prepare(length: Self.greatestLength(bits: Self.bits(ofLength: text.count)))
    let node = node(of: text)
    guard !ancestors[node].isHeld else { return (IdentifierKey(node: node), nodes[Int(node)].value) }
    nodes[Int(node)].value = value
    ancestors[node].isHeld = true
    count += 1
    noteLength(text.count, 1)
    filters.insert(text)
    advanceFilters()
    return (IdentifierKey(node: node), nil)
  }

  /// The node of a text, made if there is none.
  private mutating func node(of text: Span<UInt8>) -> Int32 {
    var hashes = PrefixHashes(of: text)
    let above = longestPrefix(of: text, &hashes)
    let length = Int(nodes[Int(above)].length)
    if length == text.count { return above }
    guard let below = child(of: above, text[length]) else { return addLeaf(under: above, text, &hashes) }
    return split(below, under: above, text, &hashes)
  }

  private mutating func addLeaf(
    under parent: Int32,
    _ text: Span<UInt8>,
    _ hashes: inout PrefixHashes
  ) -> Int32 {
    let leaf = takeNode(text, count: text.count, parent: parent, &hashes)
    let handle = Self.handleLength(Int(nodes[Int(parent)].length), text.count)
    nodes[Int(leaf)].handleHash = hashes.prefix(handle, polynomial)
    handles.insert(nodes[Int(leaf)].handleHash, leaf, length: text.count)
    edges.insert(edgeHash(of: leaf, under: parent), leaf, length: text.count)
    nodes[Int(parent)].childCount += 1
    nodes[Int(parent)].children ^= leaf
    return leaf
  }

  /// Makes the node where a text parts from that of `node`, and the text's own below it.
  private mutating func split(
    _ node: Int32,
    under parent: Int32,
    _ text: Span<UInt8>,
    _ hashes: inout PrefixHashes
  ) -> Int32 {
    let lower = nodes[Int(node)]
    let upperLength = Int(nodes[Int(parent)].length)
    var common = upperLength + 1
    while common < min(Int(lower.length), text.count), texts.byte(lower.text, at: common) == text[common] {
      common += 1
    }
    let middle = takeNode(text, count: common, parent: parent, &hashes)
    // The middle node takes the place of the lower one among the children, and its handle if that is short enough.
    let edge = edgeHash(of: node, under: parent)
    edges.replace(edge, node, with: middle, length: common)
    nodes[Int(parent)].children ^= node ^ middle
    ancestors[node].parent = middle
    nodes[Int(middle)].childCount = 1
    nodes[Int(middle)].children = node
    edges.insert(edgeHash(of: node, under: middle), node, length: Int(lower.length))
    if Self.handleLength(upperLength, Int(lower.length)) > common {
      let handle = hashes.prefix(Self.handleLength(upperLength, common), polynomial)
      nodes[Int(middle)].handleHash = handle
      handles.insert(handle, middle, length: common)
    } else {
      nodes[Int(middle)].handleHash = lower.handleHash
      handles.replace(lower.handleHash, node, with: middle, length: common)
      // Fewer than the text has: the old handle lies in the text, and no number up to twice it is better.
      let length = Self.handleLength(common, Int(lower.length))
      var handle = nodes[Int(middle)].hash
      for index in common..<length {
        handle = polynomial.hash(handle, appending: texts.byte(lower.text, at: index))
      }
      nodes[Int(node)].handleHash = handle
      handles.insert(handle, node, length: Int(lower.length))
    }
    return common == text.count ? middle : addLeaf(under: middle, text, &hashes)
  }

  private mutating func takeNode(
    _ text: Span<UInt8>,
    count: Int,
    parent: Int32,
    _ hashes: inout PrefixHashes
  ) -> Int32 {
    var node = Node()
    node.hash = hashes.prefix(count, polynomial)
    node.text = texts.store(text, count: count)
    node.length = Int32(count)
    let link = AncestorLinks.Link(parent: parent)
    guard firstFree >= 0 else {
      nodes.append(node)
      ancestors.append(link)
      return Int32(nodes.count - 1)
    }
    let index = firstFree
    firstFree = nodes[Int(index)].children
    nodes[Int(index)] = node
    ancestors[index] = link
    return index
  }

  private func edgeHash(of node: Int32, under parent: Int32) -> UInt64 {
    let above = nodes[Int(parent)]
    return polynomial.hash(above.hash, appending: texts.byte(nodes[Int(node)].text, at: Int(above.length)))
  }
}

// MARK: - Removing

extension IdentifierTrie {
  /// Removes a text that is held: its node is removed, or stays where others part.
  mutating func remove(_ key: IdentifierKey) {
    let node = key.node
    let removed = nodes[Int(node)]
    ancestors[node].isHeld = false
    count -= 1
    noteLength(Int(removed.length), -1)
    filters.remove(length: Int(removed.length))
    switch removed.childCount {
    case 0:
      let parent = ancestors[node].parent
      handles.remove(removed.handleHash, node)
      edges.remove(edgeHash(of: node, under: parent), node)
      nodes[Int(parent)].childCount -= 1
      nodes[Int(parent)].children ^= node
      free(node)
      if nodes[Int(parent)].childCount == 1, !ancestors[parent].isHeld, parent != Self.root { join(parent) }
    case 1: join(node)
    default: break
    }
    if count == 0 { clear() }
    advanceFilters()
  }

  /// Removes a node with one child, which takes its place.
  private mutating func join(_ node: Int32) {
    let middle = nodes[Int(node)]
    let child = middle.children
    let parent = ancestors[node].parent
    let lower = nodes[Int(child)]
    let upperLength = Int(nodes[Int(parent)].length)
    edges.remove(edgeHash(of: child, under: node), child)
    edges.replace(edgeHash(of: node, under: parent), node, with: child, length: Int(lower.length))
    nodes[Int(parent)].children ^= node ^ child
    if Self.handleLength(upperLength, Int(lower.length)) > Int(middle.length) {
      handles.remove(middle.handleHash, node)
    } else {
      handles.remove(lower.handleHash, child)
      handles.replace(middle.handleHash, node, with: child, length: Int(lower.length))
      nodes[Int(child)].handleHash = middle.handleHash
    }
    ancestors[child].parent = parent
    free(node)
  }

  private mutating func free(_ index: Int32) {
    let node = nodes[Int(index)]
    texts.remove(node.text, count: Int(node.length))
    nodes[Int(index)] = Node()
    nodes[Int(index)].children = firstFree
    ancestors[index] = AncestorLinks.Link(parent: -1)
    firstFree = index
  }

  /// Frees the memory of nodes none of which is used.
  private mutating func clear() {
    nodes = PagedArray()
    nodes.append(Node())
    ancestors.removeAll()
    ancestors.append(AncestorLinks.Link(parent: -1))
    firstFree = -1
  }

  /// Continues to fill the filters that replace others, by a few nodes.
  private mutating func advanceFilters() {
    for index in 0..<PrefixFilters.count {
      guard let range = filters.nextRange(index, count: nodes.count) else { continue }
      for number in range {
        let node = nodes[number]
        guard ancestors[Int32(number)].isHeld, PrefixFilters.contains(index, length: Int(node.length)) else {
          continue
        }
        texts.withBytes(node.text, count: Int(node.length)) { filters.insertIntoSuccessor(index, $0) }
      }
      filters.finish(index, count: nodes.count)
    }
  }
}
