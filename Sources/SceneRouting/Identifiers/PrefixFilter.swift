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
  /// `width` is how many bytes the filter files by.
  @inline(__always)
  func positions(from start: Int, in text: Span<UInt8>, width: Int) -> UInt64 {
    let count = min(64, text.count - width + 1 - start)
    guard count > 0 else { return 0 }
    let words = self.words.span
    let text = text.extracting(start..<start + count + width - 1)
    let top = UInt64(8 * (width - 1))
    var window: UInt64 = 0
    for index in 0..<width - 1 { window |= UInt64(text[index]) &<< UInt64(8 * (index + 1)) }
    var positions: UInt64 = 0
    for index in 0..<count {
      window = window &>> 8 | UInt64(text[index + width - 1]) &<< top
      let (word, bits) = place(window)
      let passes: UInt64 = words[word] & bits == bits ? 1 : 0
      positions |= passes &<< UInt64(index)
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
