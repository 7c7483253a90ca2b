/// What a text contains, looked for in steps between which identifiers may come and go.
///
/// A text of 64 KiB, or one that contains thousands of identifiers, takes so long that others would have to wait. What
/// is found counts for the state in which the search is done, as if all had been looked for then: identifiers that are
/// added meanwhile are collected, and looked for in further rounds.
///
/// One search is under way at a time: one that finds another under way begins, perhaps anew.
package struct IdentifierSearch: Sendable {
  /// So many steps take about a millisecond.
  package static let turn = 25_000
  /// So many rounds are there at most; the last is made at once.
  ///
  /// Each round is for what was added during the one before, which is less each time unless the text and all that is
  /// added are made for the purpose.
  static let mostRounds = 5

  /// An identifier, and where in the text it is.
  struct Finding {
    let key: IdentifierKey
    let range: Range<Int>
  }

  private let string: String
  /// Folded when the search begins, so that one that waits takes no room.
  private(set) var text = FoldedText("")
  /// Tells it from all others; 0 until it begins.
  private(set) var ticket = 0
  private(set) var visits = AncestorLinks.Search.none
  private(set) var rounds = 0
  /// How many positions of the text have been searched in this round.
  var position = 0
  /// The identifiers that this round is for; all if there are none.
  private var newcomers: IdentifierTrie?
  /// The most specific identifier of each set.
  private(set) var findings: [IdentifierSetID: Finding] = [:]
  /// The identifiers of many sets.
  private(set) var widespread: [IdentifierKey: Finding] = [:]

  /// A search that has not begun, in the comparison string of an event.
  package init(for event: Event) { self.init(in: event.comparison?.string ?? "") }

  init(in string: String) { self.string = string }

  /// Begins, with nothing found.
  mutating func begin(_ ticket: Int, _ visits: AncestorLinks.Search) {
    self = IdentifierSearch(in: string)
    text = FoldedText(string)
    self.ticket = ticket
    self.visits = visits
    rounds = 1
  }

  var isRoundOver: Bool { position == text.bytes.count }
}

// MARK: - Findings

extension IdentifierSearch {
  /// Notes what a set holds, unless it holds something more specific.
  ///
  /// Whatever becomes of the set, it holds both or neither; and where its owner takes the event, it is for the more
  /// specific one.
  mutating func note(_ finding: Finding, of set: IdentifierSetID) {
    if let present = findings[set], !isMoreSpecific(finding, than: present) { return }
    findings[set] = finding
  }

  /// Notes what so many sets hold that they are not gone through.
  mutating func noteWidespread(_ finding: Finding) { widespread[finding.key] = finding }

  /// As ``IdentifierTable/isMoreSpecific(_:than:)``, without asking the table.
  private func isMoreSpecific(_ left: Finding, than right: Finding) -> Bool {
    guard left.range.count == right.range.count else { return left.range.count > right.range.count }
    return text.bytes[left.range].lexicographicallyPrecedes(text.bytes[right.range])
  }
}

// MARK: - Newcomers

extension IdentifierSearch {
  var isForNewcomers: Bool { newcomers != nil }

  /// Begins a round for identifiers that were added during the last.
  mutating func beginRound(for newcomers: consuming IdentifierTrie) {
    visits = newcomers.beginSearch()
    self.newcomers = newcomers
    position = 0
    rounds += 1
  }

  /// Goes on looking for them; returns where the text has any.
  mutating func matchesOfNewcomers(_ steps: inout Int) -> [Range<Int>] {
    guard var newcomers = newcomers.take() else { return [] }
    let start = position
    var found: [(node: Int32, position: Int)] = []
    position += newcomers.forEachMatch(
      in: text.bytes.span.extracting(start...),
      of: visits,
      steps: &steps
    ) { found.append(($0, start + $1)) }
    let ranges = found.map { $0.position..<$0.position + newcomers.length(of: $0.node) }
    self.newcomers = newcomers
    return ranges
  }
}
