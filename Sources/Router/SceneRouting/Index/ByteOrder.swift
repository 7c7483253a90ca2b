extension Span where Element == UInt8 {
  /// Gives the result of `lexicographicallyPrecedes`, but compares eight bytes at a time.
  func sortsBefore(_ other: borrowing Span<UInt8>) -> Bool {
    let start = commonCount(with: other)
    guard start < count, start < other.count else { return count < other.count }
    return self[start] < other[start]
  }

  func commonCount(with other: borrowing Span<UInt8>) -> Int {
    let least = Swift.min(count, other.count)
    var start = 0
    while start + 8 <= least {
      // Both spans have at least eight bytes from `start` on.
      let left = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt64.self)
      let right = unsafe other.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt64.self)
      guard left == right else { break }
      start += 8
    }
    while start < least, self[start] == other[start] { start += 1 }
    return start
  }
}
