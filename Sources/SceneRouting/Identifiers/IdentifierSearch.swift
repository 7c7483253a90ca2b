/// What a text contains, looked for in steps between which identifiers may come and go.
///
/// A text of 64 KiB, or one that contains thousands of identifiers, takes so long that others would have to wait. What
/// is found counts for the state in which the search is done, as if all had been looked for then: identifiers that are
/// added meanwhile are collected, and looked for in further rounds.
///
/// One search is under way at a time: one that finds another under way begins, perhaps anew.
package struct IdentifierSearch: Sendable {
  /// How many steps are taken at once: about a millisecond.
  package static let slice = 25_000
  /// So many rounds are there at most; the last is made at once.
  ///
  /// Each round is for what was added during the one before, which is less each time unless the text and all that is
  /// added are made for the purpose.
  static let mostRounds = 5

  private let string: String
  /// Folded when the search begins, so that one that waits takes no room.
  private(set) var text = FoldedText("")
  /// Tells it from all others; 0 until it begins.
  private(set) var ticket = 0
  private(set) var visits = AncestorLinks.Search.none
  private(set) var rounds = 0
  /// How many positions of the text have been searched in this round.
  private var position = 0
  /// Where identifiers were found that have not been noted.
  private var found: [Range<Int>] = []
  /// The identifiers that this round is for; all if there are none.
  private var newcomers: IdentifierTrie?
  /// Where the identifiers of crowds were found.
  private(set) var widespread: [IdentifierKey: Range<Int>] = [:]

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

  var isRoundOver: Bool { position == text.bytes.count && found.isEmpty }

  /// Goes on looking for the newcomers in a round for them, else for all in the table's trie.
  mutating func findMore(in all: inout IdentifierTrie, _ steps: inout Int) {
    if var newcomers = newcomers.take() {
      find(in: &newcomers, &steps)
      self.newcomers = newcomers
    } else {
      find(in: &all, &steps)
    }
  }

  private mutating func find(in trie: inout IdentifierTrie, _ steps: inout Int) {
    let start = position
    var matches: [(node: Int32, position: Int)] = []
    position += trie.forEachMatch(
      in: text.bytes.span.extracting(start...),
      of: visits,
      steps: &steps
    ) { matches.append(($0, start + $1)) }
    for (node, position) in matches { found.append(position..<position + trie.length(of: node)) }
  }

  /// Takes a place where an identifier was found.
  mutating func takeFound() -> Range<Int>? { found.popLast() }

  /// Notes what so many sets hold that they are not gone through.
  mutating func noteWidespread(_ key: IdentifierKey, in range: Range<Int>) { widespread[key] = range }
}

// MARK: - Rounds

extension IdentifierSearch {
  /// Begins a round for identifiers that were added during the last.
  mutating func beginRound(for newcomers: consuming IdentifierTrie) {
    visits = newcomers.beginSearch()
    self.newcomers = newcomers
    position = 0
    rounds += 1
  }
}
