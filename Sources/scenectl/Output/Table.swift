/// Rows of text in aligned columns.
struct Table {
  private let titles: [String]
  private var rows: [[String]] = []

  init(_ titles: String...) { self.titles = titles }

  mutating func append(_ cells: String...) { rows.append(cells.map(\.printable)) }

  /// Prints the rows under their titles; instead of none, `nothing`.
  func show(orElse nothing: String) throws(OutputError) {
    guard !rows.isEmpty else { return try Terminal.show(nothing) }
    let widths = titles.indices.map { column in
      ([titles] + rows).map { $0[column].columns }.max() ?? 0
    }
    try Terminal.show(Terminal.styled(Self.line(titles, widths), .strong))
    for row in rows { try Terminal.show(Self.line(row, widths)) }
  }

  private static func line(_ cells: [String], _ widths: [Int]) -> String {
    let line = zip(cells, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}

extension String {
  /// The text with blanks after it, up to a width on a terminal.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }

  /// How many columns of a terminal the text takes.
  fileprivate var columns: Int { reduce(0) { $0 + ($1.isWide ? 2 : 1) } }
}

extension Character {
  /// Whether it takes two columns: the blocks of Unicode that are Wide or Fullwidth (UAX #11), and emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
    0xFFE0...0xFFE6, 0x20000...0x3FFFD,
  ]

  fileprivate var isWide: Bool {
    guard let scalar = unicodeScalars.first else { return false }
    return scalar.properties.isEmojiPresentation || Self.wide.contains { $0.contains(scalar.value) }
  }
}
