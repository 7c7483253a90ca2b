/// The filters for identifiers of all lengths.
///
/// Four filters have the beginnings of the identifiers:
/// - `ofOne`: the byte of an identifier of 1 byte
/// - `ofTwo`: the first 2 bytes of an identifier of 2 or 3 bytes
/// - `ofFour`: the first 4 bytes of an identifier of 4 to 7 bytes
/// - `ofEight`: the first 8 bytes of a longer identifier
///
/// A fifth filter, `pairs`, lets a search skip every second position. For each identifier of five bytes or more, it has
/// two prefixes: the four bytes from the first byte on, and the four bytes from the second byte on. A search asks
/// `pairs` only about the even positions of a text. If the bytes at an even position do not pass, no identifier of five
/// bytes or more begins at this position or one byte before.
///
/// An identifier of exactly four bytes has no second prefix, so `pairs` cannot find it at an odd position. A search
/// therefore asks a sixth filter, `fours`, about the odd positions. `fours` has only the identifiers of exactly four
/// bytes.
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

    /// Makes empty filters to replace the given filters.
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
  /// Filters that are being filled to replace ``filters``.
  private var next: Filters?
  /// The number of the trie's next node whose text is to be added to ``next``.
  private var nextNode = 0
  /// The number of identifiers.
  private var count = 0
  /// The number of identifiers that were removed since the filters were created, or since the filling of the last
  /// replacement began.
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

  /// The nodes whose texts the caller adds to the replacement filters next; `nil` if there is no replacement.
  ///
  /// There are at most eight nodes for each call, so that every change of the trie stays cheap. Eight are enough: until
  /// all nodes have been added, the present filters grow by much less than half.
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

  /// Replaces the filters if the next filters have the texts of all nodes.
  mutating func finishFilling(of nodeCount: Int) {
    guard let filled = next, nextNode >= nodeCount else { return }
    filters = filled
    next = nil
  }
}

// MARK: - Asking

extension PrefixFilters {
  /// The progress of a search through a text.
  struct Progress {
    /// The number of the present pass over the text: 1, 2, 4 or 5.
    ///
    /// The numbers come from the lengths of the identifiers that the passes find:
    /// - 1: identifiers of one byte
    /// - 2: identifiers of two or three bytes
    /// - 4: identifiers of exactly four bytes that begin at odd positions
    /// - 5: identifiers of exactly four bytes that begin at even positions, and all longer identifiers
    fileprivate var shortest = 1
    /// The next position to look at.
    fileprivate var next = 0
    /// The position found, at which an identifier may begin.
    fileprivate(set) var position = 0
    /// The greatest possible length of an identifier at ``position``; `nil` if it is not known.
    var longest: Int?
  }

  /// Finds the next position at which an identifier may begin.
  ///
  /// Returns false if there is no further position.
  ///
  /// The search goes over the text four times, each time for other identifiers (see ``Progress``). It can find the same
  /// position again in another pass, but at most once in each pass.
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
      // A search of `pairs` finds an even position. The loop first tests the odd position that is one byte before this
      // even position, if there is one. Then the loop tests the even position. After that, it searches `pairs` again.
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
