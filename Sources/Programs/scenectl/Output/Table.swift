import ArgumentParser

/// Rows of text in aligned columns, which fit the terminal unless `isWhole`: texts are cut, and some columns left out.
///
/// Ids are never cut, because people type them.
struct Table {
  private static let ids: Set = ["SCENE", "APPLICATION", "DECLARATION", "PROCESS", "FOR"]
  /// Left out one by one, after the empty columns, until the table fits; then the other columns without ids, from the
  /// last.
  private static let leastImportant = [
    "ALLOWS", "PREFERS", "PENDING", "PROCESS", "SINCE", "KIND", "FROM", "DECLARATION",
  ]
  /// Enough to distinguish most texts.
  private static let leastWidth = 8
  /// Enough to read what a window shows; less only if no other column can be left out.
  private static let readableWidths = ["TITLE": 20, "SHOWS": 28]

  private let titles: [String]
  private let isWhole: Bool
  private var rows: [[String]] = []

  init(_ titles: String..., isWhole: Bool = false) { self.init(titles, isWhole: isWhole) }

  init(_ titles: [String], isWhole: Bool = false) {
    self.titles = titles
    self.isWhole = isWhole
  }

  mutating func append(_ cells: String?...) { append(cells) }

  mutating func append(_ cells: [String?]) { rows.append(cells.map { $0?.printable ?? "" }) }

  func cell(_ list: [String]) -> String { isWhole ? list.joined(separator: ", ") : list.abridged }

  var isEmpty: Bool { rows.isEmpty }

  func show(orElse nothing: String = "") throws(OutputError) {
    guard !isEmpty else { return try Terminal.show(nothing) }
    for line in lines { try Terminal.show(line) }
  }

  var lines: [String] {
    var widths = ([titles] + rows).reduce(into: titles.map { _ in 0 }) { widths, cells in
      for (column, cell) in cells.enumerated() { widths[column] = max(widths[column], cell.columns) }
    }
    var shown = Array(titles.indices)
    if !isWhole, let limit = Terminal.size?.columns {
      while Self.width(shown.map { readableWidth($0, widths) }) > limit,
        let column = unimportant(of: shown)
      {
        shown.removeAll { $0 == column }
      }
      while Self.width(shown.map { leastWidth($0, widths) }) > limit, let column = dispensable(of: shown) {
        shown.removeAll { $0 == column }
      }
      for least in [readableWidth, leastWidth] {
        while Self.width(shown.map { widths[$0] }) > limit, let widest = widest(of: shown, widths, least) {
          widths[widest] -= 1
        }
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

  /// `widths` has the width of each column's widest cell.
  private func leastWidth(_ column: Int, _ widths: [Int]) -> Int {
    Self.ids.contains(titles[column]) ? widths[column] : min(widths[column], Self.leastWidth)
  }

  private func readableWidth(_ column: Int, _ widths: [Int]) -> Int {
    max(leastWidth(column, widths), min(widths[column], Self.readableWidths[titles[column]] ?? 0))
  }

  private func unimportant(of shown: [Int]) -> Int? {
    shown.first { column in rows.allSatisfy { $0[column].isEmpty } }
      ?? Self.leastImportant.lazy.compactMap { title in shown.first { titles[$0] == title } }.first
  }

  private func dispensable(of shown: [Int]) -> Int? {
    guard shown.count > 1 else { return nil }
    return unimportant(of: shown) ?? shown.last { !Self.ids.contains(titles[$0]) }
      ?? shown.last { titles[$0] != "SCENE" } ?? shown.last
  }

  private func widest(of shown: [Int], _ widths: [Int], _ least: (Int, [Int]) -> Int) -> Int? {
    shown.filter { least($0, widths) < widths[$0] }.max { widths[$0] < widths[$1] }
  }

  private static func width(_ widths: [Int]) -> Int {
    widths.reduce(0, +) + gap.count * max(0, widths.count - 1)
  }

  private static let gap = "  "
}

extension [String] {
  var abridged: String {
    let shown = 3
    return prefix(shown).joined(separator: ", ") + (count > shown ? ", … (\(count))" : "")
  }
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - columns)) }

  func cut(to width: Int) -> String {
    guard columns > width else { return self }
    var room = width - 1
    return prefix { character in
      room -= character.columns
      return room >= 0
    } + "…"
  }

  var columns: Int { reduce(0) { $0 + $1.columns } }
}

extension String {
  /// Without `https://`, and with `~` for a file below the user's home.
  var withoutUsualBeginning: String {
    if hasPrefix("https://") { return String(dropFirst("https://".count)) }
    guard hasPrefix("file:///") else { return self }
    return Host.abbreviated(String(dropFirst("file://".count)))
  }
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

struct TableOptions: ParsableArguments {
  @Flag(help: "Print whole lines, even if they do not fit the terminal.")
  var full = false
}
