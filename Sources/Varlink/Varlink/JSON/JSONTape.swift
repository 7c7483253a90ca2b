/// The nodes of one parsed text, in memory that is reused; for why it is no array, see ``ByteBuffer``.
@safe struct JSONTape: ~Copyable {
  private static let initialCapacity = 64
  /// The most nodes whose memory is kept for the next text; they take 256 KiB.
  private static let retainedCapacity = 16_384
  private var memory = unsafe UnsafeMutableBufferPointer<JSONNode>(start: nil, count: 0)
  private var capacity = 0
  private(set) var count = 0

  deinit {
    unsafe memory.deallocate()
  }

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
