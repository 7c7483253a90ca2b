/// Bytes that are appended to, in memory that is used over and over.
///
/// An array would do, at several times the instructions for the few bytes that a writer adds at a time: at each
/// it looks whether it is shared.
@safe struct ByteBuffer: ~Copyable {
  private static let initialCapacity = 256

  private var memory = UnsafeMutableRawPointer.allocate(
    byteCount: Self.initialCapacity,
    alignment: 1
  )
  private var capacity = Self.initialCapacity
  /// How many bytes it holds.
  private(set) var count = 0

  deinit {
    unsafe memory.deallocate()
  }

  /// What it holds.
  var bytes: RawSpan {
    @_lifetime(borrow self)
    get { unsafe _overrideLifetime(RawSpan(_unsafeStart: memory, byteCount: count), borrowing: self) }
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    unsafe memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  @inline(__always)
  mutating func append(contentsOf bytes: Span<UInt8>) {
    if bytes.count > capacity - count { grow(by: bytes.count) }
    unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe (memory + count).copyMemory(from: start, byteCount: bytes.count)
    }
    count += bytes.count
  }

  /// Drops what was appended last.
  mutating func removeLast(_ removed: Int) {
    precondition(removed <= count)
    count -= removed
  }

  /// Drops everything; keeps the memory if that is no more than `limit`.
  mutating func removeAll(keepingUpTo limit: Int) {
    count = 0
    if capacity > limit { self = ByteBuffer() }
  }

  private mutating func grow(by room: Int) {
    capacity = Swift.max(2 * capacity, count + room)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
    unsafe larger.copyMemory(from: memory, byteCount: count)
    unsafe memory.deallocate()
    unsafe memory = larger
  }
}
