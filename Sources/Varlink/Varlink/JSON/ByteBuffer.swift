/// A growing byte buffer that can be reused.
///
/// An array would check at each append whether it is shared, which costs several times as much as storing the few
/// bytes.
@safe struct ByteBuffer: ~Copyable {
  private static let initialCapacity = 256

  private var memory = UnsafeMutableRawPointer.allocate(
    byteCount: Self.initialCapacity,
    alignment: 1
  )
  private var capacity = Self.initialCapacity
  private(set) var count = 0

  deinit {
    unsafe memory.deallocate()
  }

  var bytes: RawSpan {
    @_lifetime(borrow self)
    get { unsafe _overrideLifetime(RawSpan(_unsafeStart: memory, byteCount: count), borrowing: self) }
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    store(byte)
  }

  @inline(__always)
  mutating func append(contentsOf bytes: Span<UInt8>) {
    reserve(bytes.count)
    store(bytes)
  }

  mutating func repeatBytes(_ places: Range<Int>) {
    precondition(places.lowerBound >= 0 && places.upperBound <= count)
    reserve(places.count)
    unsafe (memory + count).copyMemory(from: memory + places.lowerBound, byteCount: places.count)
    count += places.count
  }

  @inline(__always)
  mutating func append(name: StaticString, afterComma: Bool) {
    name.withUTF8Buffer { name in
      reserve(name.count + 4)
      var end = unsafe memory + count
      if afterComma { unsafe Self.store(UInt8(ascii: ","), at: &end) }
      unsafe Self.store(UInt8(ascii: "\""), at: &end)
      unsafe name.span.copy(to: end)
      unsafe end += name.count
      unsafe Self.store(UInt8(ascii: "\""), at: &end)
      unsafe Self.store(UInt8(ascii: ":"), at: &end)
      count = unsafe end - memory
    }
  }

  /// Appends nothing and returns false if a byte has to be escaped.
  @inline(__always)
  mutating func append(quoted text: Span<UInt8>) -> Bool {
    reserve(text.count + 2)
    var end = unsafe memory + count
    unsafe Self.store(UInt8(ascii: "\""), at: &end)
    guard unsafe text.copyUnescaped(to: end) else { return false }
    unsafe end += text.count
    unsafe Self.store(UInt8(ascii: "\""), at: &end)
    count = unsafe end - memory
    return true
  }

  mutating func removeLast(_ removed: Int) {
    precondition(removed <= count)
    count -= removed
  }

  mutating func removeAll(keepingUpTo limit: Int) {
    count = 0
    if capacity > limit { self = ByteBuffer() }
  }

  @inline(__always)
  private mutating func reserve(_ room: Int) {
    if room > capacity - count { grow(by: room) }
  }

  // The caller of the functions `store` must have reserved the memory.
  @inline(__always)
  private static func store(_ byte: UInt8, at end: inout UnsafeMutableRawPointer) {
    unsafe end.storeBytes(of: byte, as: UInt8.self)
    unsafe end += 1
  }

  @inline(__always)
  private mutating func store(_ byte: UInt8) {
    unsafe memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  @inline(__always)
  private mutating func store(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe (memory + count).copyMemory(from: start, byteCount: bytes.count)
    }
    count += bytes.count
  }

  @inline(never)
  private mutating func grow(by room: Int) {
    capacity = Swift.max(2 * capacity, count + room)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
    unsafe larger.copyMemory(from: memory, byteCount: count)
    unsafe memory.deallocate()
    unsafe memory = larger
  }
}
