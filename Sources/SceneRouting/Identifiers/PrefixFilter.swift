/// Says of the first bytes of a text that no identifier begins with them, or that one may.
///
/// A Bloom filter whose three bits for a prefix are in one word (Putze, Sanders and Singler, 2007). Nothing can be
/// taken out: who keeps it fills a new one instead.
struct PrefixFilter {
  private static var pageBits: Int { 9 }
  /// 64 words are 512 bytes.
  private static var leastWordBits: Int { 6 }

  private let multiplier: UInt64
  private let wordBits: Int
  /// Pages without bits are one page in many places, until they are written to.
  private var pages: [[UInt64]]
  private var bitCount = 0

  /// An empty filter for prefixes of the same length.
  ///
  /// `seed` keeps others from making up texts that pass for no reason; `size` is that of another filter, times a
  /// power of two.
  init(seed: UInt64, size: Int = 0) {
    multiplier = seed | 1
    wordBits = max(size, Self.leastWordBits)
    let count = max((1 << wordBits) >> Self.pageBits, 1)
    pages = [[UInt64]](
      repeating: [UInt64](repeating: 0, count: min(1 << wordBits, 1 << Self.pageBits)),
      count: count
    )
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
    let present = pages[word >> Self.pageBits][word & (1 << Self.pageBits - 1)]
    guard present & bits != bits else { return }
    bitCount += (bits & ~present).nonzeroBitCount
    pages[word >> Self.pageBits][word & (1 << Self.pageBits - 1)] = present | bits
  }

  @inline(__always)
  func mayContain(_ prefix: UInt64) -> Bool {
    let (word, bits) = place(prefix)
    return pages[word >> Self.pageBits][word & (1 << Self.pageBits - 1)] & bits == bits
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
