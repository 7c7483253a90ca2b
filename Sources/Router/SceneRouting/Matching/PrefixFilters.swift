/// The filters for identifiers of all lengths.
///
/// There is a filter for identifiers of 1 byte, of 2 to 3, of 4 to 7 and of 8 or more, which has the first 1, 2, 4 or 8
/// bytes of each. One more has the four bytes from the first and from the second on of all that are as long: asked at
/// every even position of a text, it excludes most, and the ones before them. Of identifiers of four bytes, which have
/// no second four, one is asked at the odd positions.
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

    /// Empty filters to take the place of others.
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
  /// Filters that are being filled, to take the place of the others.
  private var next: Filters?
  /// The next node to go into them.
  private var nextNode = 0
  /// How many identifiers there are.
  private var count = 0
  /// How many have been removed since the filters were created.
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
    next?.insert(text)
    count += 1
  }

  mutating func remove() {
    count -= 1
    removed += 1
    if count == 0 { self = PrefixFilters(seed: seed) }
  }

  /// The nodes whose texts are to be filled in now, if others should take the place of the filters.
  ///
  /// Eight at a time: when all have been filled in, the filters are far from half as full again.
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

  /// Replaces the filters if the others have been filled with the texts of all nodes.
  mutating func finishFilling(of nodeCount: Int) {
    guard let filled = next, nextNode >= nodeCount else { return }
    filters = filled
    next = nil
  }
}

// MARK: - Asking

extension PrefixFilters {
  /// How far a text has been searched.
  struct Progress {
    /// How long the identifiers are at least that are looked for now: 1, 2, 4 at odd positions, 5 for all others.
    fileprivate var shortest = 1
    /// The next position.
    fileprivate var next = 0
    /// Where an identifier may begin.
    fileprivate(set) var position = 0
    /// How long the identifier may be, if that is known.
    var longest: Int?
  }

  /// Finds the next position at which an identifier may begin; false if there is none.
  ///
  /// A position may be found several times, for identifiers of different lengths.
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
      // Unless the four bytes at an even position have passed, to which the position before it belongs.
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
