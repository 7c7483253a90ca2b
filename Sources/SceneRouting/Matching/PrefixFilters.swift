/// The filters for identifiers of all lengths.
///
/// An identifier is in the filter of its length, under as many of its first bytes as it surely has: 1, 2, 4 or 8.
/// All with four bytes are also in one filter under these, which is all that most positions of a text are looked
/// up in.
struct PrefixFilters {
  private struct Filters {
    var ofOne: PrefixFilter<UInt8>
    var ofTwo: PrefixFilter<UInt16>
    var ofFour: PrefixFilter<UInt32>
    var ofEight: PrefixFilter<UInt64>
    var beginnings: PrefixFilter<UInt32>

    init(seed: UInt64) {
      ofOne = PrefixFilter(seed: seed)
      ofTwo = PrefixFilter(seed: seed)
      ofFour = PrefixFilter(seed: seed)
      ofEight = PrefixFilter(seed: seed)
      beginnings = PrefixFilter(seed: seed)
    }

    /// Empty filters to take the place of others.
    init(succeeding filters: Filters) {
      ofOne = filters.ofOne.successor
      ofTwo = filters.ofTwo.successor
      ofFour = filters.ofFour.successor
      ofEight = filters.ofEight.successor
      beginnings = filters.beginnings.successor
    }

    var hasWrongSize: Bool {
      ofOne.hasWrongSize || ofTwo.hasWrongSize || ofFour.hasWrongSize || ofEight.hasWrongSize
        || beginnings.hasWrongSize
    }

    mutating func insert(_ text: Span<UInt8>) {
      switch text.count {
      case 1: ofOne.insert(text)
      case 2...3: ofTwo.insert(text)
      case 4...7: ofFour.insert(text)
      default: ofEight.insert(text)
      }
      if text.count >= 4 { beginnings.insert(text) }
    }
  }

  private let seed: UInt64
  private var filters: Filters
  /// Filters that are being filled, to take the place of the others, and which node is the next to go into them.
  private var next: (filters: Filters, node: Int)?
  /// How many identifiers there are.
  private var count = 0
  /// How many have been removed since the filters were begun.
  private var removed = 0

  init(seed: UInt64) {
    self.seed = seed
    filters = Filters(seed: seed)
  }
}

// MARK: - Changing

extension PrefixFilters {
  mutating func insert(_ text: Span<UInt8>) {
    filters.insert(text)
    next?.filters.insert(text)
    count += 1
  }

  mutating func remove() {
    count -= 1
    removed += 1
    if count == 0 { self = PrefixFilters(seed: seed) }
  }

  /// The nodes whose texts are to be filled in now, if others should take the place of the filters.
  ///
  /// Eight: all have been filled in well before the filters are half as full again.
  mutating func nextToFill(of nodeCount: Int) -> Range<Int>? {
    if next == nil, filters.hasWrongSize || removed > max(count, 1024) {
      next = (Filters(succeeding: filters), 0)
      removed = 0
    }
    guard let start = next?.node else { return nil }
    let end = min(start + 8, nodeCount)
    next?.node = end
    return start..<end
  }

  mutating func fill(_ text: Span<UInt8>) { next?.filters.insert(text) }

  /// Puts filters into force that have been filled with the texts of all nodes.
  mutating func finishFilling(of nodeCount: Int) {
    guard let filled = next, filled.node >= nodeCount else { return }
    filters = filled.filters
    next = nil
  }
}

// MARK: - Asking

extension PrefixFilters {
  /// Identifiers of up to so many bytes are short.
  static var short: Int { 7 }

  /// Where among the 64 positions from `start` on a short and a long identifier may begin, as bits.
  @inline(__always)
  func positions(from start: Int, in text: Span<UInt8>) -> (short: UInt64, long: UInt64) {
    var short =
      filters.ofOne.positions(from: start, in: text) | filters.ofTwo.positions(from: start, in: text)
    var long: UInt64 = 0
    var left = filters.beginnings.positions(from: start, in: text)
    while left != 0 {
      let bit = left & ~(left - 1)
      let position = start + left.trailingZeroBitCount
      left ^= bit
      if filters.ofFour.mayPass(text, at: position) { short |= bit }
      if filters.ofEight.mayPass(text, at: position) { long |= bit }
    }
    return (short, long)
  }
}
