/// The filters for identifiers of all lengths.
///
/// An identifier is in the filter of its length, under as many of its first bytes as it surely has: 1, 2, 4 or 8.
/// All with four bytes are also in one filter under these, which is all that most positions of a text are looked
/// up in.
struct PrefixFilters {
  /// A filter that is being filled, to take another's place.
  private struct Successor {
    var filter: PrefixFilter
    /// Nodes below this one have been looked at.
    var cursor = 0
  }

  private struct Class {
    var filter: PrefixFilter
    var successor: Successor?
    /// How many identifiers are in the class.
    var count = 0
    /// How many have gone since the filter was begun.
    var removed = 0

    mutating func nextRange(count: Int, seed: UInt64) -> Range<Int>? {
      guard let start = successor?.cursor else {
        beginSuccessor(seed: seed)
        return nil
      }
      let end = max(min(start + 8, count), start)
      successor?.cursor = end
      return start..<end
    }

    private mutating func beginSuccessor(seed: UInt64) {
      let size: Int
      if let better = filter.betterSize {
        size = better
      } else if removed > max(self.count, PrefixFilters.leastRemoved) {
        size = filter.size
      } else {
        return
      }
      removed = 0
      successor = Successor(filter: PrefixFilter(seed: seed, size: size))
    }
  }

  /// How many filters there are.
  static var count: Int { 5 }
  /// The filter of all identifiers with four bytes.
  private static var beginnings: Int { 4 }
  private static var leastRemoved: Int { 1024 }

  private let seed: UInt64
  private var classes: [Class]

  init(seed: UInt64) {
    self.seed = seed
    classes = (0..<Self.count).map { _ in Class(filter: PrefixFilter(seed: seed)) }
  }

  /// Whether a filter is for identifiers with so many bytes, at least one.
  @inline(__always)
  static func contains(_ index: Int, length: Int) -> Bool {
    if index == beginnings { return length >= 4 }
    return index == (length >= 8 ? 3 : Int.bitWidth - 1 - length.leadingZeroBitCount)
  }

  /// As many bytes of a text from a position on as a filter files by.
  @inline(__always)
  private static func prefix(_ index: Int, of text: Span<UInt8>, at position: Int) -> UInt64 {
    switch index {
    case 0: text.prefix(UInt8.self, at: position)
    case 1: text.prefix(UInt16.self, at: position)
    case 3: text.prefix(UInt64.self, at: position)
    default: text.prefix(UInt32.self, at: position)
    }
  }
}

// MARK: - Changing

extension PrefixFilters {
  mutating func insert(_ text: Span<UInt8>) {
    for index in 0..<Self.count where Self.contains(index, length: text.count) {
      let prefix = Self.prefix(index, of: text, at: 0)
      classes[index].filter.insert(prefix)
      classes[index].successor?.filter.insert(prefix)
      classes[index].count += 1
    }
  }

  mutating func remove(length: Int) {
    for index in 0..<Self.count where Self.contains(index, length: length) {
      classes[index].count -= 1
      classes[index].removed += 1
      if classes[index].count == 0 { classes[index] = Class(filter: PrefixFilter(seed: seed)) }
    }
  }

  /// The nodes whose texts have to be added to the successor of a filter next, if it has one or should have.
  ///
  /// So many that all have been added well before the successor is as full as the filter was.
  mutating func nextRange(_ index: Int, count: Int) -> Range<Int>? {
    classes[index].nextRange(count: count, seed: seed)
  }

  mutating func insertIntoSuccessor(_ index: Int, _ text: Span<UInt8>) {
    classes[index].successor?.filter.insert(Self.prefix(index, of: text, at: 0))
  }

  /// Puts the successor of a filter into force if it holds all identifiers.
  mutating func finish(_ index: Int, count: Int) {
    guard let successor = classes[index].successor, successor.cursor >= count else { return }
    classes[index].filter = successor.filter
    classes[index].successor = nil
  }
}

// MARK: - Asking

extension PrefixFilters {
  /// Identifiers of up to so many bytes are short.
  static var short: Int { 7 }

  /// Where among the 64 positions from `start` on a short and a long identifier may begin, as bits.
  @inline(__always)
  func positions(from start: Int, in text: Span<UInt8>) -> (short: UInt64, long: UInt64) {
    var positions: (short: UInt64, long: UInt64) = (0, 0)
    if classes[0].count > 0 {
      positions.short |= classes[0].filter.positions(from: start, in: text, UInt8.self)
    }
    if classes[1].count > 0 {
      positions.short |= classes[1].filter.positions(from: start, in: text, UInt16.self)
    }
    guard classes[Self.beginnings].count > 0 else { return positions }
    var left = classes[Self.beginnings].filter.positions(from: start, in: text, UInt32.self)
    while left != 0 {
      let bit = left & ~(left - 1)
      let position = start + left.trailingZeroBitCount
      left ^= bit
      if mayContain(2, text, at: position) { positions.short |= bit }
      if position + 8 <= text.count, mayContain(3, text, at: position) { positions.long |= bit }
    }
    return positions
  }

  @inline(__always)
  private func mayContain(_ index: Int, _ text: Span<UInt8>, at position: Int) -> Bool {
    classes[index].count > 0 && classes[index].filter.mayContain(Self.prefix(index, of: text, at: position))
  }
}
