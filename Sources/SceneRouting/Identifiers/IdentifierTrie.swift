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
    var length: Int32 = 0
    var childCount: Int16 = 0
    /// Whether the text is held, and by whom: `holder` names one set or a group.
    private var isHeldByGroup = false
    private(set) var isHeld = false
    /// All children, combined with exclusive or: the last one's number when the others are gone.
    ///
    /// The next free node for one that is free.
    var children: Int32 = 0
    private var holder: Int32 = 0

    var holders: Holders {
      get {
        guard isHeld else { return .none }
        return isHeldByGroup
          ? .group(HolderGroupID(slot: holder)) : .single(IdentifierSetID(slot: holder))
      }
      set {
        switch newValue {
        case .none: (isHeld, isHeldByGroup, holder) = (false, false, 0)
        case .single(let set): (isHeld, isHeldByGroup, holder) = (true, false, set.slot)
        case .group(let group): (isHeld, isHeldByGroup, holder) = (true, true, group.slot)
        }
      }
    }
  }

  static var root: Int32 { 0 }

  private(set) var nodes = PagedArray<Node>()
  /// What each node hangs from, and whether its text is held.
  var ancestors = AncestorLinks()
  private var firstFree: Int32 = -1
  /// All nodes, each under its handle.
  var handles = HandleTable()
  /// All nodes, each under one byte more than its parent's text.
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

  /// How many nodes there are beside the root; each held text has one, and all others have at least two children.
  var nodeCount: Int { handles.count }

  func text(of node: Int32) -> [UInt8] {
    withText(of: node) { text in
      [UInt8](capacity: text.count) { for index in text.indices { $0.append(text[index]) } }
    }
  }

  func isText(of node: Int32, _ text: Span<UInt8>) -> Bool {
    let node = nodes[Int(node)]
    return Int(node.length) == text.count && texts.isStored(text, from: 0, count: text.count, at: node.text)
  }

  func withText<Result>(of node: Int32, _ body: (Span<UInt8>) -> Result) -> Result {
    let node = nodes[Int(node)]
    return texts.withBytes(node.text, count: Int(node.length), body)
  }

  /// Who holds a node's text; nobody if the node has been removed.
  @inline(__always)
  func holders(of node: Int32) -> Holders { node < nodes.count ? nodes[Int(node)].holders : .none }

  /// Says who holds a node's text; the text goes when nobody does.
  mutating func setHolders(of node: Int32, _ holders: Holders) {
    nodes[Int(node)].holders = holders
    ancestors[node].isHeld = holders != .none
    if holders == .none { remove(node) }
  }

  /// How long a node's text is.
  func length(of node: Int32) -> Int { Int(nodes[Int(node)].length) }

  /// The number above `lower` and up to `upper` with the most trailing zeros.
  @inline(__always)
  static func handleLength(_ lower: Int, _ upper: Int) -> Int {
    upper & (-1 << (Int.bitWidth - 1 - (lower ^ upper).leadingZeroBitCount))
  }
}

// MARK: - Adding

extension IdentifierTrie {
  /// The node of a text that is not empty, made if there is none; the caller has to make it held.
  mutating func insert(_ text: Span<UInt8>) -> Int32 {
    // A search begins with the greatest length that has as many bits as any text.
    polynomial.prepare(length: Self.greatestLength(bits: Self.bits(ofLength: text.count)))
    var hashes = PrefixHashes(of: text)
    let above = longestPrefix(of: text, &hashes)
    let node: Int32
    if Int(nodes[Int(above)].length) == text.count {
      node = above
    } else if let below = child(of: above, text[Int(nodes[Int(above)].length)]) {
      node = split(below, under: above, text, &hashes)
    } else {
      node = addLeaf(under: above, text, &hashes)
    }
    guard !nodes[Int(node)].isHeld else { return node }
    count += 1
    noteLength(text.count, 1)
    filters.insert(text)
    advanceFilters()
    return node
  }

  private mutating func addLeaf(
    under parent: Int32,
    _ text: Span<UInt8>,
    _ hashes: inout PrefixHashes
  ) -> Int32 {
    let leaf = takeNode(text, count: text.count, parent: parent, &hashes)
    file(leaf, under: parent, handleHash(parent, text.count, &hashes))
    return leaf
  }

  /// Makes the node where the text leaves the way from `parent` to `node`, and the text's own below it.
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
      let handle = handleHash(parent, common, &hashes)
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

  /// The hash of the handle that a node of so many bytes of the text has under a parent.
  private func handleHash(_ parent: Int32, _ length: Int, _ hashes: inout PrefixHashes) -> UInt64 {
    hashes.prefix(Self.handleLength(Int(nodes[Int(parent)].length), length), polynomial)
  }

  private func edgeHash(of node: Int32, under parent: Int32) -> UInt64 {
    let above = nodes[Int(parent)]
    return polynomial.hash(above.hash, appending: texts.byte(nodes[Int(node)].text, at: Int(above.length)))
  }

  private mutating func file(_ node: Int32, under parent: Int32, _ handleHash: UInt64) {
    nodes[Int(node)].handleHash = handleHash
    let length = Int(nodes[Int(node)].length)
    handles.insert(handleHash, node, length: length)
    edges.insert(edgeHash(of: node, under: parent), node, length: length)
    nodes[Int(parent)].childCount += 1
    nodes[Int(parent)].children ^= node
  }
}

// MARK: - Removing

extension IdentifierTrie {
  /// Takes a node out whose text is not held any longer, or leaves it where others part.
  private mutating func remove(_ node: Int32) {
    let removed = nodes[Int(node)]
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
      giveBack(node)
      let above = nodes[Int(parent)]
      if above.childCount == 1, !above.isHeld, parent != Self.root { join(parent) }
    case 1: join(node)
    default: break
    }
    if count == 0 { clear() }
    advanceFilters()
  }

  /// Takes out a node with one child, which takes its place.
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
    giveBack(node)
  }

  /// Gives back the room of nodes that are all free.
  private mutating func clear() {
    nodes = PagedArray()
    nodes.append(Node())
    ancestors.removeAll()
    ancestors.append(AncestorLinks.Link(parent: -1))
    firstFree = -1
  }

  private mutating func giveBack(_ index: Int32) {
    let node = nodes[Int(index)]
    texts.remove(node.text, count: Int(node.length))
    var free = Node()
    free.children = firstFree
    nodes[Int(index)] = free
    firstFree = index
  }

  /// Goes on replacing filters that are too full, by a few nodes.
  private mutating func advanceFilters() {
    for index in 0..<PrefixFilters.count {
      guard let range = filters.nextRange(index, count: nodes.count) else { continue }
      for number in range {
        let node = nodes[number]
        guard node.isHeld, PrefixFilters.contains(index, length: Int(node.length)) else { continue }
        texts.withBytes(node.text, count: Int(node.length)) { filters.insertIntoSuccessor(index, $0) }
      }
      filters.finish(index, count: nodes.count)
    }
  }
}
