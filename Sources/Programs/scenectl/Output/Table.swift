/// Rows of text in aligned columns.
///
/// The columns fit the terminal unless `isWhole` is set. On a narrow terminal, texts are cut and some columns are left
/// out. Ids are never cut, because people type ids.
struct Table {
  /// The columns of ids.
  private static let ids: Set = ["SCENE", "APPLICATION", "DECLARATION", "PROCESS", "FOR"]
  /// The columns that are left out one by one, in this order, if the terminal is too narrow.
  ///
  /// Empty columns are left out before these columns. If the table is too wide without these columns, the remaining
  /// columns that contain no ids are left out, from the last to the first.
  private static let leastImportant = ["PENDING", "PROCESS", "SINCE", "KIND", "FROM", "DECLARATION"]
  /// The smallest width of a cut text: enough to distinguish most texts.
  private static let leastWidth = 8

  private let titles: [String]
  private let isWhole: Bool
  private var rows: [[String]] = []

  init(_ titles: String..., isWhole: Bool = false) {
    self.titles = titles
    self.isWhole = isWhole
  }

  /// Adds a row; a nil is an empty cell.
  mutating func append(_ cells: String?...) { rows.append(cells.map { $0?.printable ?? "" }) }

  /// Returns the text of a list in a cell: the first three elements, or all elements with `--full`.
  func cell(_ list: [String]) -> String { isWhole ? list.joined(separator: ", ") : list.abridged }

  var isEmpty: Bool { rows.isEmpty }

  /// Prints the titles and the rows, or another text if there are no rows.
  func show(orElse nothing: String = "") throws(OutputError) {
    guard !isEmpty else { return try Terminal.show(nothing) }
    for line in lines { try Terminal.show(line) }
  }

  /// The titles and the rows, at most as wide as the terminal unless `isWhole` is set.
  var lines: [String] {
    var widths = ([titles] + rows).reduce(into: titles.map { _ in 0 }) { widths, cells in
      for (column, cell) in cells.enumerated() { widths[column] = max(widths[column], cell.columns) }
    }
    var shown = Array(titles.indices)
    if !isWhole, let limit = Terminal.size?.columns {
      while Self.width(shown.map { leastWidth($0, widths) }) > limit, let column = dispensable(of: shown) {
        shown.removeAll { $0 == column }
      }
      while Self.width(shown.map { widths[$0] }) > limit, let widest = widestText(of: shown, widths) {
        widths[widest] -= 1
      }
    }
    func line(_ cells: [String]) -> String {
      let line = shown.map { cells[$0].cut(to: widths[$0]).padded(to: widths[$0]) }.joined(
        separator: Self.gap
      )
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
    return [Terminal.styled(line(titles), .strong)] + rows.map(line)
  }

  /// Returns the width to which a column may be cut; `widths` has the width of each column's widest cell.
  private func leastWidth(_ column: Int, _ widths: [Int]) -> Int {
    Self.ids.contains(titles[column]) ? widths[column] : min(widths[column], Self.leastWidth)
  }

  /// Returns which of the `shown` columns is left out next; nil if only one column is shown.
  private func dispensable(of shown: [Int]) -> Int? {
    guard shown.count > 1 else { return nil }
    return shown.first { column in rows.allSatisfy { $0[column].isEmpty } }
      ?? Self.leastImportant.lazy.compactMap { title in shown.first { titles[$0] == title } }.first
      ?? shown.last { !Self.ids.contains(titles[$0]) } ?? shown.last
  }

  /// Returns the widest column that may be cut; nil if no column may be cut.
  private func widestText(of shown: [Int], _ widths: [Int]) -> Int? {
    shown.filter { leastWidth($0, widths) < widths[$0] }.max { widths[$0] < widths[$1] }
  }

  /// Returns the width of a line with columns of these widths.
  private static func width(_ widths: [Int]) -> Int {
    widths.reduce(0, +) + gap.count * max(0, widths.count - 1)
  }

  private static let gap = "  "
}

extension [String] {
  /// The first three elements, and the number of elements if there are more.
  var abridged: String {
    let shown = 3
    return prefix(shown).joined(separator: ", ") + (count > shown ? ", … (\(count))" : "")
  }
}

extension String {
  /// Returns the text, filled up with blanks to a width in columns of a terminal.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - columns)) }

  /// Returns the text, cut to a width in columns of a terminal; an ellipsis replaces the rest.
  fileprivate func cut(to width: Int) -> String {
    guard columns > width else { return self }
    var room = width - 1
    return prefix { character in
      room -= character.columns
      return room >= 0
    } + "…"
  }

  /// The width of the text in columns of a terminal.
  fileprivate var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension Character {
  /// The blocks of Unicode with Wide or Fullwidth characters (UAX #11).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
    0xFFE0...0xFFE6, 0x20000...0x3FFFD,
  ]

  /// The width of the character in columns of a terminal; wide characters and emoji take two.
  fileprivate var columns: Int {
    guard let scalar = unicodeScalars.first else { return 1 }
    return scalar.properties.isEmojiPresentation || Self.wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }
}
