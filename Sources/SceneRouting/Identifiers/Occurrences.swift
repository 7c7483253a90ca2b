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
  /// So many sets are noted together: no step takes as long as an array of all does that grows.
  private static var pageSize: Int { 1024 }

  /// The sets in order, so that the first is at hand when the search is done.
  let crowd: Int32
  /// By the numbers of the sets; a page in which nothing is noted is empty.
  private var pages: [[Occurrence?]] = []

  init(in crowd: Int32) { self.crowd = crowd }

  subscript(set: IdentifierSetID) -> Occurrence? {
    get {
      let (page, index) = place(of: set)
      return page < pages.count && !pages[page].isEmpty ? pages[page][index] : nil
    }
    set {
      let (page, index) = place(of: set)
      while pages.count <= page { pages.append([]) }
      if pages[page].isEmpty { pages[page] = Array(repeating: nil, count: Self.pageSize) }
      pages[page][index] = newValue
    }
  }

  private func place(of set: IdentifierSetID) -> (quotient: Int, remainder: Int) {
    Int(set.slot).quotientAndRemainder(dividingBy: Self.pageSize)
  }
}
