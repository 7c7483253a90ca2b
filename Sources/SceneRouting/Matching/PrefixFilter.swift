/// Says of the first bytes of a text that no identifier begins with them, or that one may.
///
/// A Bloom filter whose three bits for a prefix are in one word (Putze, Sanders and Singler, 2007). Nothing can be
/// taken out: who keeps it fills a new one instead.
struct PrefixFilter {
  /// 64 words are 512 bytes.
  private static var leastWordBits: Int { 6 }

  private let multiplier: UInt64
  private let wordBits: Int
  private var words: [UInt64]
  private var bitCount = 0

  /// An empty filter for prefixes of the same length.
  ///
  /// `seed` keeps others from making up texts that pass for no reason; `size` is that of another filter, times a
  /// power of two.
  init(seed: UInt64, size: Int = 0) {
    multiplier = seed | 1
    wordBits = max(size, Self.leastWordBits)
    words = [UInt64](repeating: 0, count: 1 << wordBits)
  }

  /// The size of the filter that should take the place of this one, if one should.
  ///
  /// A quarter of all bits lets one in a hundred pass for no reason.
  var betterSize: Int? {
    if bitCount > 16 << wordBits { return wordBits + 1 }
    if bitCount < 2 << wordBits, wordBits > Self.leastWordBits { return wordBits - 1 }
    return nil
  }

  var size: Int { wordBits }

  mutating func insert(_ prefix: UInt64) {
    let (word, bits) = place(prefix)
    let present = words[word]
    guard present & bits != bits else { return }
    bitCount += (bits & ~present).nonzeroBitCount
    words[word] = present | bits
  }

  @inline(__always)
  func mayContain(_ prefix: UInt64) -> Bool {
    let (word, bits) = place(prefix)
    return words[word] & bits == bits
  }

  /// The positions among the 64 from `start` on whose first bytes pass, as bits.
  ///
  /// `Prefix` has as many bytes as the filter files by.
  @inline(__always)
  func positions<Prefix: FixedWidthInteger & BitwiseCopyable>(
    from start: Int,
    in text: Span<UInt8>,
    _: Prefix.Type
  ) -> UInt64 {
    let count = min(64, text.count - MemoryLayout<Prefix>.size + 1 - start)
    guard count > 0 else { return 0 }
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
      if !mayContain(text.prefix(Prefix.self, at: start + left.trailingZeroBitCount)) { positions ^= bit }
      left ^= bit
    }
    return positions
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

extension Span<UInt8> {
  /// The bytes from a position on as a number.
  @inline(__always)
  func prefix<Prefix: FixedWidthInteger & BitwiseCopyable>(_: Prefix.Type, at position: Int) -> UInt64 {
    // Any bytes are a number, and which one is the same for all texts.
    UInt64(truncatingIfNeeded: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: position, as: Prefix.self))
  }
}
