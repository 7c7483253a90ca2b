/// Says of the first bytes of a text that no identifier begins with them, or that one may.
///
/// A Bloom filter whose three bits for a prefix are in one word (Putze, Sanders and Singler, 2007). Nothing can be
/// removed from it: instead another one is filled. `Prefix` has as many bytes as the filter looks at.
struct PrefixFilter<Prefix: FixedWidthInteger & BitwiseCopyable> {
  private let multiplier: UInt64
  /// The number of words is two to this power.
  private let wordBits: Int
  private var words: [UInt64]
  private var bitCount = 0

  /// An empty filter of 512 bytes, or of `wordBits`.
  ///
  /// `seed` keeps others from making up texts that pass for no reason.
  init(seed: UInt64, wordBits: Int = 6) {
    multiplier = seed | 1
    self.wordBits = wordBits
    words = [UInt64](repeating: 0, count: 1 << wordBits)
  }

  var isEmpty: Bool { bitCount == 0 }

  /// Whether too many prefixes pass for no reason: a quarter of all bits lets one in a hundred pass.
  private var isTooSmall: Bool { bitCount > 16 << wordBits }

  private var isTooLarge: Bool { bitCount < 2 << wordBits && wordBits > 6 }

  /// Whether a filter of another size should take the place of this one.
  var hasWrongSize: Bool { isTooSmall || isTooLarge }

  /// An empty filter of the size that this one should have.
  var successor: Self {
    Self(seed: multiplier, wordBits: isTooSmall ? wordBits + 1 : isTooLarge ? wordBits - 1 : wordBits)
  }

  /// Notes the first bytes of a text, which has so many.
  mutating func insert(_ text: Span<UInt8>) {
    let (word, bits) = place(prefix(of: text, at: 0))
    bitCount += (bits & ~words[word]).nonzeroBitCount
    words[word] |= bits
  }

  /// Whether an identifier may begin with the bytes from a position on; false if there are too few.
  @inline(__always)
  func mayPass(_ text: Span<UInt8>, at position: Int) -> Bool {
    guard position + MemoryLayout<Prefix>.size <= text.count else { return false }
    let (word, bits) = place(prefix(of: text, at: position))
    return words[word] & bits == bits
  }

  /// The positions among the 64 from `start` on whose first bytes pass, as bits.
  @inline(__always)
  func positions(from start: Int, in text: Span<UInt8>) -> UInt64 {
    let count = min(64, text.count - MemoryLayout<Prefix>.size + 1 - start)
    guard count > 0, !isEmpty else { return 0 }
    let words = self.words.span
    let bytes = unsafe text.extracting(start..<start + count + MemoryLayout<Prefix>.size - 1).bytes
    // The first of the three bits tells most positions apart.
    var positions: UInt64 = 0
    for index in (0..<count).reversed() {
      // Every index is in the part.
      let prefix = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: Prefix.self)
      // The upper bits name the word, and the six after them the bit.
      let place = (UInt64(truncatingIfNeeded: prefix) &* multiplier) &>> UInt64(58 - wordBits)
      let word = words[Int(truncatingIfNeeded: place &>> 6)]
      positions = positions &+ positions &+ (word &>> (place & 63) & 1)
    }
    var left = positions
    while left != 0 {
      let bit = left & ~(left - 1)
      if !mayPass(text, at: start + left.trailingZeroBitCount) { positions ^= bit }
      left ^= bit
    }
    return positions
  }

  /// The bytes from a position on as a number.
  @inline(__always)
  private func prefix(of text: Span<UInt8>, at position: Int) -> UInt64 {
    // Any bytes are a number, and which one is the same for all texts.
    let prefix = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: Prefix.self)
    return UInt64(truncatingIfNeeded: prefix)
  }

  @inline(__always)
  private func place(_ prefix: UInt64) -> (word: Int, bits: UInt64) {
    let hash = prefix &* multiplier
    // The upper half of a product depends on all bits of the prefix.
    let rest = hash &<< UInt64(wordBits)
    let bits: UInt64 = 1 &<< (rest &>> 58) | 1 &<< (rest &>> 52) | 1 &<< (rest &>> 46)
    return (Int(truncatingIfNeeded: hash &>> UInt64(64 - wordBits)), bits)
  }
}
