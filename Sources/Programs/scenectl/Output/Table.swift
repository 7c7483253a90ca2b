/// Rows of text in aligned columns, which fit the terminal unless the table is whole.
struct Table {
  private let titles: [String]
  private let isWhole: Bool
  private var rows: [[String]] = []

  init(_ titles: String..., isWhole: Bool = false) {
    self.titles = titles
    self.isWhole = isWhole
  }

  /// Adds a row; a nil is an empty cell.
  mutating func append(_ cells: String?...) { rows.append(cells.map { $0?.printable ?? "" }) }

  /// Returns the text of a list in a cell: its first three elements, or all with `--full`.
  func cell(_ list: [String]) -> String { isWhole ? list.joined(separator: ", ") : list.abridged }

  var isEmpty: Bool { rows.isEmpty }

  /// Prints the rows under their titles; prints `nothing` if there are no rows.
  func show(orElse nothing: String = "") throws(OutputError) {
    guard !isEmpty else { return try Terminal.show(nothing) }
    for line in lines { try Terminal.show(line) }
  }

  /// The titles and the rows, at most as wide as the terminal unless the table is whole.
  var lines: [String] {
    let widths = widths(within: isWhole ? nil : Terminal.size?.columns)
    return [Terminal.styled(Self.line(titles, widths), .strong)] + rows.map { Self.line($0, widths) }
  }

  /// Returns the width of each column: its widest cell, or less for the widest columns so that all fit in `limit`.
  private func widths(within limit: Int?) -> [Int] {
    var widths = titles.indices.map { column in ([titles] + rows).map { $0[column].columns }.max() ?? 0 }
    let room = limit.map { $0 - Self.gap.count * (titles.count - 1) } ?? .max
    while widths.reduce(0, +) > room, let widest = widths.max(), widest > 1 {
      widths[widths.firstIndex(of: widest) ?? 0] -= 1
    }
    return widths
  }

  private static let gap = "  "

  private static func line(_ cells: [String], _ widths: [Int]) -> String {
    let line = zip(cells, widths).map { $0.cut(to: $1).padded(to: $1) }.joined(separator: gap)
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}

extension [String] {
  /// The first three elements, and the number of elements if there are more.
  var abridged: String {
    let shown = 3
    return prefix(shown).joined(separator: ", ") + (count > shown ? ", … (\(count))" : "")
  }
}

extension String {
  /// Returns the text with blanks after it, up to a width in columns of a terminal.
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

  /// The width of the character in columns of a terminal; emoji take two as well.
  fileprivate var columns: Int {
    guard let scalar = unicodeScalars.first else { return 1 }
    return scalar.properties.isEmojiPresentation || Self.wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }
}
