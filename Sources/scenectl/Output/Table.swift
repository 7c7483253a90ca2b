/// Rows of text in aligned columns.
struct Table {
  private let titles: [String]
  private var rows: [[String]] = []

  init(_ titles: String...) { self.titles = titles }

  mutating func append(_ cells: String...) { rows.append(cells.map(\.printable)) }

  /// One line for each row, under the titles; cells of the last column are not padded.
  var lines: [String] {
    let widths = titles.indices.map { column in
      ([titles] + rows).map { $0[column].count }.max() ?? 0
    }
    func line(_ cells: [String]) -> String {
      zip(cells, widths).enumerated().map { column, cell in
        column == cells.count - 1 ? cell.0 : cell.0 + String(repeating: " ", count: cell.1 - cell.0.count)
      }.joined(separator: "  ")
    }
    return [Terminal.styled(line(titles), .strong)] + rows.map(line)
  }

  /// Prints the table; of an empty one nothing but `nothing`.
  func show(orElse nothing: String) {
    if rows.isEmpty { return Terminal.show(nothing) }
    for line in lines { Terminal.show(line) }
  }
}
