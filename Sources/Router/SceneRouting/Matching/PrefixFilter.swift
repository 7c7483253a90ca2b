/// A filter that guesses whether any identifier begins with certain bytes.
///
/// If the filter says no, no identifier begins with these bytes. If the filter says yes, it can be wrong. This is a
/// Bloom filter whose three bits for a prefix are in one word (Putze, Sanders and Singler, 2007).
///
/// Nothing can be removed from the filter, so another filter is filled as its replacement. `Prefix` has as many bytes
/// as the filter compares.
struct PrefixFilter<Prefix: FixedWidthInteger & BitwiseCopyable> {
  private let multiplier: UInt64
  /// The binary logarithm of the number of words.
  private let wordBits: Int
  private var words: [UInt64]
  private var bitCount = 0

  /// Makes an empty filter of 2^`wordBits` words, by default 512 bytes.
  ///
  /// The `seed` is secret, so that attackers cannot make up texts that pass although no identifier begins with them.
  init(seed: UInt64, wordBits: Int = 6) {
    multiplier = seed | 1
    self.wordBits = wordBits
    words = [UInt64](repeating: 0, count: 1 << wordBits)
  }

  var isEmpty: Bool { bitCount == 0 }

  /// Whether the filter is so full that too many prefixes pass although no identifier begins with them.
  ///
  /// The filter is too full if more than a quarter of its bits are set. At this limit, about two in a hundred prefixes
  /// pass although no identifier begins with them.
  private var isTooSmall: Bool { bitCount > 16 << wordBits }

  private var isTooLarge: Bool { bitCount < 2 << wordBits && wordBits > 6 }

  /// Whether a filter of another size should replace this filter.
  var hasWrongSize: Bool { isTooSmall || isTooLarge }

  /// An empty filter of the right size for the content of this filter.
  var successor: Self {
    Self(seed: multiplier, wordBits: isTooSmall ? wordBits + 1 : isTooLarge ? wordBits - 1 : wordBits)
  }

  /// Adds the prefix that begins at a position of a text.
  ///
  /// The text must not end within the prefix.
  mutating func insert(_ text: Span<UInt8>, at position: Int = 0) {
    let (word, bits) = place(prefix(of: text, at: position))
    bitCount += (bits & ~words[word]).nonzeroBitCount
    words[word] |= bits
  }

  /// Whether the prefix that begins at a position of a text passes the filter.
  ///
  /// Returns false if the text has too few bytes from that position on for a whole prefix.
  @inline(__always)
  func mayPass(_ text: Span<UInt8>, at position: Int) -> Bool {
    guard position + MemoryLayout<Prefix>.size <= text.count else { return false }
    let (word, bits) = place(prefix(of: text, at: position))
    return words[word] & bits == bits
  }

  /// The first position at which a prefix of the text passes the filter.
  ///
  /// Only the positions `start`, `start + step`, `start + 2 * step` and so on are tested.
  // Not inlined, so that the loop has a register for each value.
  @inline(never)
  func firstPosition(from start: Int, by step: Int = 1, in text: Span<UInt8>) -> Int? {
    guard !isEmpty else { return nil }
    let words = words.span
    let bytes = unsafe text.bytes
    let shift = UInt64(58 - wordBits)
    let end = text.count - MemoryLayout<Prefix>.size + 1
    var position = start
    while position < end {
      // The loop stops where too few bytes are left for a whole prefix, so this read stays within the text.
      let prefix = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: Prefix.self)
      // The upper bits of the product select the word. The next six bits select the first of the three bits.
      let hash = UInt64(truncatingIfNeeded: prefix) &* multiplier
      let place = hash &>> shift
      // `place >> 6` has only `wordBits` bits, so it is less than 2^`wordBits`, which is the number of words.
      let word = unsafe words[unchecked: Int(truncatingIfNeeded: place &>> 6)]
      if word &>> (place & 63) & 1 != 0 {
        let bits = bits(hash)
        if word & bits == bits { return position }
      }
      position &+= step
    }
    return nil
  }

  /// The prefix that begins at a position of a text, as a number.
  @inline(__always)
  private func prefix(of text: Span<UInt8>, at position: Int) -> UInt64 {
    // This load is safe, because any bytes are a valid number. The order of the bytes does not matter, because the
    // number is only hashed.
    let prefix = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: Prefix.self)
    return UInt64(truncatingIfNeeded: prefix)
  }

  @inline(__always)
  private func place(_ prefix: UInt64) -> (word: Int, bits: UInt64) {
    let hash = prefix &* multiplier
    return (Int(truncatingIfNeeded: hash &>> UInt64(64 - wordBits)), bits(hash))
  }

  /// The three bits of a word that stand for a prefix.
  ///
  /// `hash` is the prefix times the secret multiplier. The three bits come from the upper bits of `hash`, because an
  /// upper bit of a product depends on more bits of the prefix than a lower bit does.
  @inline(__always)
  private func bits(_ hash: UInt64) -> UInt64 {
    let rest = hash &<< UInt64(wordBits)
    return 1 &<< (rest &>> 58) | 1 &<< (rest &>> 52) | 1 &<< (rest &>> 46)
  }
}
