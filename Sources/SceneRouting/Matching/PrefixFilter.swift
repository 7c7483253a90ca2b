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

  /// The first position from `start` on at which an identifier may begin.
  // Not inlined, so that all that is in the loop has a register.
  @inline(never)
  func firstPosition(from start: Int, in text: Span<UInt8>) -> Int? {
    guard !isEmpty else { return nil }
    let words = words.span
    let bytes = unsafe text.bytes
    let shift = UInt64(58 - wordBits)
    let end = text.count - MemoryLayout<Prefix>.size + 1
    var position = start
    while position < end {
      // Ends before the text does.
      let prefix = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: Prefix.self)
      // The upper bits of the product select the word, and the six after them the first of the three bits.
      let hash = UInt64(truncatingIfNeeded: prefix) &* multiplier
      let place = hash &>> shift
      // There are as many words as such upper bits.
      let word = unsafe words[unchecked: Int(truncatingIfNeeded: place &>> 6)]
      if word &>> (place & 63) & 1 != 0 {
        let bits = bits(hash)
        if word & bits == bits { return position }
      }
      position &+= 1
    }
    return nil
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
    return (Int(truncatingIfNeeded: hash &>> UInt64(64 - wordBits)), bits(hash))
  }

  /// The three bits: the upper half of a product depends on all bits of the prefix.
  @inline(__always)
  private func bits(_ hash: UInt64) -> UInt64 {
    let rest = hash &<< UInt64(wordBits)
    return 1 &<< (rest &>> 58) | 1 &<< (rest &>> 52) | 1 &<< (rest &>> 46)
  }
}
