/// Excludes that an identifier has certain bytes at its beginning, or leaves it open.
///
/// A Bloom filter whose three bits for a prefix are in one word (Putze, Sanders and Singler, 2007). Nothing can be
/// removed from it: another one is filled instead. `Prefix` has as many bytes as the filter compares.
struct PrefixFilter<Prefix: FixedWidthInteger & BitwiseCopyable> {
  private let multiplier: UInt64
  /// The number of words is two to this power.
  private let wordBits: Int
  private var words: [UInt64]
  private var bitCount = 0

  /// An empty filter of 512 bytes, or of `wordBits`.
  ///
  /// Nobody who does not know `seed` can make up texts that pass by accident.
  init(seed: UInt64, wordBits: Int = 6) {
    multiplier = seed | 1
    self.wordBits = wordBits
    words = [UInt64](repeating: 0, count: 1 << wordBits)
  }

  var isEmpty: Bool { bitCount == 0 }

  /// Whether too many prefixes pass by accident: if a quarter of the bits are set, one in a hundred does.
  private var isTooSmall: Bool { bitCount > 16 << wordBits }

  private var isTooLarge: Bool { bitCount < 2 << wordBits && wordBits > 6 }

  /// Whether a filter of another size should take the place of this one.
  var hasWrongSize: Bool { isTooSmall || isTooLarge }

  /// An empty filter of the size that this one should have.
  var successor: Self {
    Self(seed: multiplier, wordBits: isTooSmall ? wordBits + 1 : isTooLarge ? wordBits - 1 : wordBits)
  }

  /// Adds the bytes of a text from a position on; there have to be enough.
  mutating func insert(_ text: Span<UInt8>, at position: Int = 0) {
    let (word, bits) = place(prefix(of: text, at: position))
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

  /// The first position, of `start` and each `step` bytes later, whose bytes pass.
  // Not inlined, so that there is a register for each value in the loop.
  @inline(never)
  func firstPosition(from start: Int, by step: Int = 1, in text: Span<UInt8>) -> Int? {
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
      position &+= step
    }
    return nil
  }

  /// The bytes from a position on as a number.
  @inline(__always)
  private func prefix(of text: Span<UInt8>, at position: Int) -> UInt64 {
    // Any bytes are a number, and the same bytes are always the same one.
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
