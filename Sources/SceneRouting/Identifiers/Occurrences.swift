/// Where in a text an identifier occurs.
struct Occurrence {
  let key: IdentifierKey
  private let start: Int32
  private let end: Int32

  init(_ key: IdentifierKey, in range: Range<Int>) {
    self.key = key
    start = Int32(range.lowerBound)
    end = Int32(range.upperBound)
  }

  private var range: Range<Int> { Int(start)..<Int(end) }

  /// As ``IdentifierTable/isMoreSpecific(_:than:)``, told by the text in which both occur.
  func isMoreSpecific(than other: Occurrence, in text: FoldedText) -> Bool {
    guard range.count == other.range.count else { return range.count > other.range.count }
    guard key != other.key else { return false }
    return text.bytes.span.extracting(range).sortsBefore(text.bytes.span.extracting(other.range))
  }

  /// How many bytes it takes to tell which is more specific, at most.
  func comparedBytes(with other: Occurrence) -> Int {
    range.count == other.range.count && key != other.key ? range.count : 0
  }
}

/// What a search in steps has found: of each set the most specific of its identifiers.
///
/// Whatever becomes of the set, it holds all of them or none; and where its owner takes the event, it is for the most
/// specific one.
struct Occurrences {
  private struct Found {
    var occurrence: Occurrence
    /// The next set of the same owner and kind in which something was found.
    var next: IdentifierSetID?
  }

  /// The owners of the sets in order, so that the first is at hand when the search is done.
  let crowd: Int32
  /// By the numbers of the sets.
  private var found = SparseArray<Found>()
  /// The first sets, by the numbers of their owners, for each kind.
  private var firstSets = IdentifierSetKind.allCases.map { _ in SparseArray<IdentifierSetID>() }

  init(in crowd: Int32) { self.crowd = crowd }

  subscript(set: IdentifierSetID) -> Occurrence? { found[Int(set.slot)]?.occurrence }

  /// The first set of an owner in which something was found.
  func first(of owner: SetOwnerID, _ kind: IdentifierSetKind) -> IdentifierSetID? {
    firstSets[kind.rawValue][Int(owner.slot)]
  }

  func forEach(
    of owner: SetOwnerID,
    _ kind: IdentifierSetKind,
    _ body: (IdentifierSetID, Occurrence) -> Void
  ) {
    var next = first(of: owner, kind)
    while let set = next, let entry = found[Int(set.slot)] {
      body(set, entry.occurrence)
      next = entry.next
    }
  }

  mutating func replace(_ occurrence: Occurrence, of set: IdentifierSetID) {
    found[Int(set.slot)]?.occurrence = occurrence
  }

  /// Notes what was found with a set in which nothing was; returns whether nothing was with its owner.
  mutating func insert(
    _ occurrence: Occurrence,
    of set: IdentifierSetID,
    _ kind: IdentifierSetKind,
    _ owner: SetOwnerID
  ) -> Bool {
    let next = first(of: owner, kind)
    found[Int(set.slot)] = Found(occurrence: occurrence, next: next)
    firstSets[kind.rawValue][Int(owner.slot)] = set
    return next == nil
  }

  /// Forgets what was found with a set; returns whether it was all that was with its owner.
  mutating func remove(_ set: IdentifierSetID, _ kind: IdentifierSetKind, _ owner: SetOwnerID) -> Bool {
    guard let removed = found[Int(set.slot)] else { return false }
    found[Int(set.slot)] = nil
    guard var before = first(of: owner, kind), before != set else {
      firstSets[kind.rawValue][Int(owner.slot)] = removed.next
      return removed.next == nil
    }
    while let next = found[Int(before.slot)]?.next, next != set { before = next }
    found[Int(before.slot)]?.next = removed.next
    return false
  }

  /// Forgets that something was found with an owner; its sets have to be forgotten before they are given again.
  mutating func removeAll(of owner: SetOwnerID) {
    for kind in IdentifierSetKind.allCases { firstSets[kind.rawValue][Int(owner.slot)] = nil }
  }

  mutating func forget(_ set: IdentifierSetID) { found[Int(set.slot)] = nil }
}

/// Values by numbers, most of which have none.
private struct SparseArray<Element> {
  /// So many are kept together: no step takes as long as an array of all does that grows.
  private static var pageSize: Int { 1024 }

  /// A page with no value in it may be empty.
  private var pages: [[Element?]] = []

  subscript(index: Int) -> Element? {
    get {
      let (page, place) = index.quotientAndRemainder(dividingBy: Self.pageSize)
      return page < pages.count && !pages[page].isEmpty ? pages[page][place] : nil
    }
    set {
      let (page, place) = index.quotientAndRemainder(dividingBy: Self.pageSize)
      guard newValue != nil || page < pages.count && !pages[page].isEmpty else { return }
      while pages.count <= page { pages.append([]) }
      if pages[page].isEmpty { pages[page] = Array(repeating: nil, count: Self.pageSize) }
      pages[page][place] = newValue
    }
  }
}

extension SparseArray: Sendable where Element: Sendable {}
