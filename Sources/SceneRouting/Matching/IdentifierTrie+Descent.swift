/// The search for the *exit node* of one position of a text: the node with the longest text that is found there.
///
/// Binary search over lengths: each step probes whether there is a node with a certain handle, and narrows the lengths
/// that the exit node may have.
struct Descent {
  /// Where the text that is searched begins.
  let position: Int
  /// The hash of what is before the position.
  private let before: UInt64
  /// No longer handle is probed.
  private let limit: Int
  /// The last node that was found, and the hash of the handle by which it was.
  var node = IdentifierTrie.root
  fileprivate var foundHash: UInt64 = 0
  /// The exit node is longer than `lower` if it is another, and no longer than `upper`.
  fileprivate var lower = 0
  fileprivate var upper: Int
  /// Whether handles are told apart by their whole hashes, and not by tags: they are once a tag has misled.
  fileprivate var isExact = false
  /// The handle that is probed, where it would be, and what is there first.
  fileprivate var handle: (length: Int, hash: UInt64) = (0, 0)
  fileprivate var place = HandleTable.Place()
  fileprivate var first = HandleTable.Entry()
  /// Whether the bytes of a node have been compared, not only their hash: those of its ancestors need not be.
  var isCompared = false

  /// A descent that has found the root.
  @inline(__always)
  init(at position: Int, after before: UInt64, limit: Int) {
    (self.position, self.before, self.limit, upper) = (position, before, limit, limit)
  }

  fileprivate var isNarrowed: Bool { lower >= upper }

  /// Begins once more, as a tag was that of another hash: nothing found with it counts.
  fileprivate mutating func restart() {
    (node, lower, upper, isExact) = (IdentifierTrie.root, 0, limit, true)
  }

  /// The hash of the first bytes at the position.
  @inline(__always)
  fileprivate func hash(
    _ length: Int,
    _ hashes: inout PrefixHashes,
    _ polynomial: borrowing PolynomialHash
  ) -> UInt64 {
    polynomial.hash(of: length, between: before, and: hashes.prefix(position + length, polynomial))
  }
}

extension IdentifierTrie {
  /// The node with the longest text that a text begins with.
  func longestPrefix(of text: Span<UInt8>, _ hashes: inout PrefixHashes) -> Int32 {
    var descent = Descent(at: 0, after: 0, limit: text.count)
    finish(&descent, text.count, &hashes)
    return descent.node
  }

  /// Finds the exit node.
  @inline(__always)
  func finish(_ descent: inout Descent, _ textCount: Int, _ hashes: inout PrefixHashes) {
    repeat {
      while !descent.isNarrowed {
        probe(&descent, &hashes)
        descent.first = handles.entry(at: descent.place)
        narrow(&descent)
      }
    } while !verify(&descent, textCount, &hashes)
  }

  /// Finds the exit nodes of several positions together, as each step waits for memory.
  @inline(__always)
  func finish(
    _ descents: inout InlineArray<16, Descent>,
    _ count: Int,
    _ textCount: Int,
    _ hashes: inout PrefixHashes
  ) {
    var open: UInt32 = 0
    for index in 0..<count where !descents[index].isNarrowed { open |= 1 << UInt32(index) }
    while open != 0 {
      for index in Bits(open) { probe(&descents[index], &hashes) }
      // All are asked for before one is looked at, so that they come from memory together.
      for index in Bits(open) { descents[index].first = handles.entry(at: descents[index].place) }
      for index in Bits(open) {
        narrow(&descents[index])
        if descents[index].isNarrowed { open ^= 1 << UInt32(index) }
      }
    }
    for index in 0..<count where !verify(&descents[index], textCount, &hashes) {
      finish(&descents[index], textCount, &hashes)
    }
  }

  /// Chooses the next handle, and where it would be.
  @inline(__always)
  private func probe(_ descent: inout Descent, _ hashes: inout PrefixHashes) {
    descent.handle.length = Self.handleLength(descent.lower, descent.upper)
    descent.handle.hash = descent.hash(descent.handle.length, &hashes, polynomial)
    descent.place = handles.place(of: descent.handle.hash)
  }

  /// Notes whether there is a node with the handle, by its tag alone unless one has misled.
  @inline(__always)
  private func narrow(_ descent: inout Descent) {
    guard !descent.isExact else { return narrowExactly(&descent) }
    guard let entry = handles.probableEntry(at: descent.place, descent.first) else {
      descent.upper = descent.handle.length - 1
      return
    }
    descent.node = entry.node
    descent.foundHash = descent.handle.hash
    descent.lower = Int(entry.length)
    // No node is shorter than its handle.
    if descent.lower < descent.handle.length { descent.restart() }
  }

  /// Makes sure of the node that was found; false if the descent has to be finished once more.
  @inline(__always)
  private func verify(_ descent: inout Descent, _ textCount: Int, _ hashes: inout PrefixHashes) -> Bool {
    guard descent.node != Self.root else { return true }
    let node = nodes[Int(descent.node)]
    guard node.handleHash == descent.foundHash else {
      descent.restart()
      return false
    }
    let length = Int(node.length)
    if descent.position + length > textCount || descent.hash(length, &hashes, polynomial) != node.hash {
      descent.node = links[Int(descent.node)].parent
    }
    return true
  }

  /// Notes whether there is a node with the handle, by its whole hash.
  private func narrowExactly(_ descent: inout Descent) {
    let handle = descent.handle
    let found = handles.node(under: handle.hash) {
      nodes[Int($0)].handleHash == handle.hash && Int(nodes[Int($0)].length) >= handle.length
    }
    guard let found else {
      descent.upper = handle.length - 1
      return
    }
    (descent.node, descent.foundHash, descent.lower) = (found, handle.hash, Int(nodes[Int(found)].length))
  }
}

/// The numbers of the bits that are set, the lowest first.
private struct Bits: Sequence, IteratorProtocol {
  private var left: UInt32

  @inline(__always)
  init(_ bits: UInt32) { left = bits }

  @inline(__always)
  mutating func next() -> Int? {
    guard left != 0 else { return nil }
    defer { left &= left - 1 }
    return left.trailingZeroBitCount
  }
}
