/// If the filter says no, no identifier begins with these bytes; if it says yes, it can be wrong.
///
/// This is a Bloom filter whose three bits for a prefix are in one word (Putze, Sanders and Singler, 2007). Nothing can
/// be removed from it, so another filter is filled as its replacement.
struct PrefixFilter<Prefix: FixedWidthInteger & BitwiseCopyable> {
  private let multiplier: UInt64
  /// The binary logarithm of the number of words.
  private let wordBits: Int
  private var words: [UInt64]
  private var bitCount = 0

  /// 2^6 words are 512 bytes; a secret `seed` keeps attackers from making up texts that pass.
  init(seed: UInt64, wordBits: Int = 6) {
    multiplier = seed | 1
    self.wordBits = wordBits
    words = [UInt64](repeating: 0, count: 1 << wordBits)
  }

  var isEmpty: Bool { bitCount == 0 }

  /// More than a quarter of the bits are set; at this limit, about two in a hundred prefixes pass for no identifier.
  private var isTooSmall: Bool { bitCount > 16 << wordBits }

  private var isTooLarge: Bool { bitCount < 2 << wordBits && wordBits > 6 }

  var hasWrongSize: Bool { isTooSmall || isTooLarge }

  var successor: Self {
    Self(seed: multiplier, wordBits: isTooSmall ? wordBits + 1 : isTooLarge ? wordBits - 1 : wordBits)
  }

  /// The text must not end within the prefix.
  mutating func insert(_ text: Span<UInt8>, at position: Int = 0) {
    let (word, bits) = place(prefix(of: text, at: position))
    bitCount += (bits & ~words[word]).nonzeroBitCount
    words[word] |= bits
  }

  @inline(__always)
  func mayPass(_ text: Span<UInt8>, at position: Int) -> Bool {
    guard position + MemoryLayout<Prefix>.size <= text.count else { return false }
    let (word, bits) = place(prefix(of: text, at: position))
    return words[word] & bits == bits
  }

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
      // The condition of the loop keeps this read within the text.
      let prefix = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: Prefix.self)
      // The upper bits of the product select the word, the next six bits the first of the three bits.
      let hash = UInt64(truncatingIfNeeded: prefix) &* multiplier
      let place = hash &>> shift
      // `place >> 6` has only `wordBits` bits.
      let word = unsafe words[unchecked: Int(truncatingIfNeeded: place &>> 6)]
      if word &>> (place & 63) & 1 != 0 {
        let bits = bits(hash)
        if word & bits == bits { return position }
      }
      position &+= step
    }
    return nil
  }

  @inline(__always)
  private func prefix(of text: Span<UInt8>, at position: Int) -> UInt64 {
    // Any bytes are a valid number, and their order does not matter for a hash.
    let prefix = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: Prefix.self)
    return UInt64(truncatingIfNeeded: prefix)
  }

  @inline(__always)
  private func place(_ prefix: UInt64) -> (word: Int, bits: UInt64) {
    let hash = prefix &* multiplier
    return (Int(truncatingIfNeeded: hash &>> UInt64(64 - wordBits)), bits(hash))
  }

  /// Upper bits of a product depend on more bits of the prefix than lower bits do.
  @inline(__always)
  private func bits(_ hash: UInt64) -> UInt64 {
    let rest = hash &<< UInt64(wordBits)
    return 1 &<< (rest &>> 58) | 1 &<< (rest &>> 52) | 1 &<< (rest &>> 46)
  }
}
