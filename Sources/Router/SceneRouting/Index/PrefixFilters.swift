/// `ofOne`, `ofTwo`, `ofFour` and `ofEight` have the beginnings of identifiers of 1, 2 to 3, 4 to 7, and more bytes.
///
/// `pairs` lets a search skip every second position. It has the four bytes from the first and from the second byte of
/// each identifier of five bytes or more, and is asked about even positions. If these bytes do not pass, no such
/// identifier begins at the position or one byte before. An identifier of four bytes has no second prefix, so `fours`,
/// which has only these, is asked about odd positions.
struct PrefixFilters: ~Copyable, Sendable {
  private struct Filters {
    var ofOne: PrefixFilter<UInt8>
    var ofTwo: PrefixFilter<UInt16>
    var ofFour: PrefixFilter<UInt32>
    var ofEight: PrefixFilter<UInt64>
    var fours: PrefixFilter<UInt32>
    var pairs: PrefixFilter<UInt32>

    init(seed: UInt64) {
      ofOne = PrefixFilter(seed: seed)
      ofTwo = PrefixFilter(seed: seed)
      ofFour = PrefixFilter(seed: seed)
      ofEight = PrefixFilter(seed: seed)
      fours = PrefixFilter(seed: seed)
      pairs = PrefixFilter(seed: seed)
    }

    init(succeeding filters: Filters) {
      ofOne = filters.ofOne.successor
      ofTwo = filters.ofTwo.successor
      ofFour = filters.ofFour.successor
      ofEight = filters.ofEight.successor
      fours = filters.fours.successor
      pairs = filters.pairs.successor
    }

    var hasWrongSize: Bool {
      ofOne.hasWrongSize || ofTwo.hasWrongSize || ofFour.hasWrongSize || ofEight.hasWrongSize
        || fours.hasWrongSize || pairs.hasWrongSize
    }

    mutating func insert(_ text: Span<UInt8>) {
      switch text.count {
      case 1: ofOne.insert(text)
      case 2...3: ofTwo.insert(text)
      case 4...7: ofFour.insert(text)
      default: ofEight.insert(text)
      }
      guard text.count >= 4 else { return }
      pairs.insert(text)
      if text.count > 4 { pairs.insert(text, at: 1) } else { fours.insert(text) }
    }
  }

  private let seed: UInt64
  private var filters: Filters
  private var next: Filters?
  /// The trie's next node whose text is to be added to ``next``.
  private var nextNode = 0
  private var count = 0
  /// Since the filters were made, or since the filling of the last replacement began.
  private var removed = 0

  init(seed: UInt64) {
    self.seed = seed
    filters = Filters(seed: seed)
  }
}

extension PrefixFilters {
  mutating func insert(_ text: Span<UInt8>) {
    filters.insert(text)
    next?.insert(text)
    count += 1
  }

  mutating func remove() {
    count -= 1
    removed += 1
    if count == 0 { self = PrefixFilters(seed: seed) }
  }

  /// The nodes whose texts the caller adds next; `nil` if there is no replacement.
  ///
  /// Eight nodes for each change of the trie keep it cheap, and are enough: until all nodes have been added, the
  /// present filters grow by much less than half.
  mutating func nextToFill(of nodeCount: Int) -> Range<Int>? {
    if next == nil, filters.hasWrongSize || removed > max(count, 1024) {
      next = Filters(succeeding: filters)
      (nextNode, removed) = (0, 0)
    }
    guard next != nil else { return nil }
    let start = nextNode
    nextNode = min(start + 8, nodeCount)
    return start..<nextNode
  }

  mutating func fill(_ text: Span<UInt8>) { next?.insert(text) }

  mutating func finishFilling(of nodeCount: Int) {
    guard let filled = next, nextNode >= nodeCount else { return }
    filters = filled
    next = nil
  }
}

// MARK: - Asking

extension PrefixFilters {
  struct Progress {
    /// The pass over the text: 1, 2 (two or three bytes), 4 (exactly four bytes, at odd positions) or 5 (all others).
    fileprivate var shortest = 1
    fileprivate var next = 0
    fileprivate(set) var position = 0
    /// The greatest possible length at ``position``; `nil` if it is not known.
    var longest: Int?
  }

  /// Can find a position again in another of the four passes, but at most once in each.
  @inline(__always)
  func findNext(in text: Span<UInt8>, _ progress: inout Progress) -> Bool {
    if progress.shortest == 1 {
      if let position = filters.ofOne.firstPosition(from: progress.next, in: text) {
        (progress.position, progress.next, progress.longest) = (position, position + 1, 1)
        return true
      }
      (progress.shortest, progress.next) = (2, 0)
    }
    if progress.shortest == 2 {
      if let position = filters.ofTwo.firstPosition(from: progress.next, in: text) {
        (progress.position, progress.next, progress.longest) = (position, position + 1, 3)
        return true
      }
      (progress.shortest, progress.next) = (4, 1)
    }
    if progress.shortest == 4 {
      if let position = filters.fours.firstPosition(from: progress.next, by: 2, in: text) {
        (progress.position, progress.next, progress.longest) = (position, position + 2, 4)
        return true
      }
      (progress.shortest, progress.next) = (5, 0)
    }
    while true {
      // `pairs` finds an even position; the odd one before it is tested first.
      if progress.next == 0 || progress.next & 1 == 1 {
        let even = filters.pairs.firstPosition(from: (progress.next + 1) & ~1, by: 2, in: text)
        guard let even else { return false }
        progress.next = max(even - 1, 0)
      }
      progress.position = progress.next
      progress.next += 1
      progress.longest = filters.ofEight.mayPass(text, at: progress.position) ? nil : 7
      if progress.longest == nil || filters.ofFour.mayPass(text, at: progress.position) { return true }
    }
  }
}

/// If the filter says no, no identifier begins with these bytes; if it says yes, it can be wrong.
///
/// This is a Bloom filter whose three bits for a prefix are in one word (Putze, Sanders and Singler, 2007). Nothing can
/// be removed from it, so another filter is filled as its replacement.
private struct PrefixFilter<Prefix: FixedWidthInteger & BitwiseCopyable> {
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
