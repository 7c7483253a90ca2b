/// The nodes of one parsed text, in memory that is reused for the next text.
///
/// This type replaces an array, because an array checks at each append whether it is shared (see ``ByteBuffer``).
@safe struct JSONTape: ~Copyable {
  private static let initialCapacity = 64
  /// The tape keeps its memory for the next text if the memory has room for at most this many nodes.
  ///
  /// This many nodes take 256 KiB.
  private static let retainedCapacity = 16_384

  /// The memory of the nodes, allocated when the first node is appended.
  private var memory = unsafe UnsafeMutableBufferPointer<JSONNode>(start: nil, count: 0)
  private var capacity = 0
  /// The number of nodes.
  private(set) var count = 0

  deinit {
    unsafe memory.deallocate()
  }

  /// The nodes of the tape.
  var nodes: Span<JSONNode> {
    @_lifetime(borrow self)
    get { unsafe _overrideLifetime(memory.extracting(..<count).span, borrowing: self) }
  }

  subscript(index: Int) -> JSONNode {
    @inline(__always)
    get {
      precondition(index >= 0 && index < count)
      return unsafe memory[index]
    }
    @inline(__always)
    set {
      precondition(index >= 0 && index < count)
      unsafe memory[index] = newValue
    }
  }

  @inline(__always)
  mutating func append(_ node: JSONNode) {
    if count == capacity { grow() }
    unsafe memory.initializeElement(at: count, to: node)
    count += 1
  }

  /// Removes all nodes.
  mutating func removeAll() {
    count = 0
    if capacity > Self.retainedCapacity { self = JSONTape() }
  }

  @inline(never)
  private mutating func grow() {
    capacity = max(2 * capacity, Self.initialCapacity)
    let larger = UnsafeMutableBufferPointer<JSONNode>.allocate(capacity: capacity)
    _ = unsafe larger.moveInitialize(fromContentsOf: memory)
    unsafe memory.deallocate()
    unsafe memory = larger
  }
}
