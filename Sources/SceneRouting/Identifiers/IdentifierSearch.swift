/// What a text contains, looked for in steps between which identifiers may come and go.
///
/// A text of 64 KiB, or one that contains thousands of identifiers, takes so long that others would have to wait. What
/// is found counts for the state in which the search is done, as if all had been looked for then.
///
/// One search is under way at a time: one that finds another under way begins, perhaps anew.
package struct IdentifierSearch: Sendable {
  /// How many steps are taken at once: about a millisecond.
  package static let slice = 25_000

  private let string: String
  /// Folded when the search begins, so that one that waits takes no room.
  private(set) var text = FoldedText("")
  /// Tells it from all others; 0 until it begins.
  private(set) var ticket = 0
  private var visits = AncestorLinks.Search.none
  /// How many positions of the text have been searched.
  private var position = 0
  /// Where identifiers were found that have not been noted.
  private var found: [Range<Int>] = []

  /// A search that has not begun, in the comparison string of an event.
  package init(for event: Event) { self.init(in: event.comparison?.string ?? "") }

  init(in string: String) { self.string = string }

  /// Begins, with nothing found.
  mutating func begin(_ ticket: Int, _ visits: AncestorLinks.Search) {
    self = IdentifierSearch(in: string)
    text = FoldedText(string)
    self.ticket = ticket
    self.visits = visits
  }

  /// Whether the whole text has been searched, and all that was found been taken.
  var isOver: Bool { position == text.bytes.count && found.isEmpty }

  /// Goes on looking for what a trie holds.
  mutating func findMore(in trie: inout IdentifierTrie, _ steps: inout Int) {
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
}
