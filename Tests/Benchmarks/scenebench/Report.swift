import Foundation

/// All measurements of one run.
struct Report: Encodable {
  var machine: String
  var sections: [Table]

  var text: String {
    (["# \(machine)"] + sections.map(\.text)).joined(separator: "\n\n")
  }

  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}

/// A table of figures; some columns also have ratios.
struct Table: Encodable {
  /// One line of figures, each the median of the repetitions.
  struct Row: Encodable {
    var label: String
    /// The value of each column; `nil` for a column without a measurement.
    ///
    /// The array can be shorter than the list of columns. The remaining columns then have no measurement either.
    var values: [Double?]
    /// The first row's values divided by this row's values, for the table's `comparedColumns`.
    ///
    /// The first row has no ratios.
    var ratios: [Double] = []
    /// The project's target for the ratios, or for the values if the row has no ratios.
    var target: String?
    /// The greatest share of the machine's processor time, from 0 to 1, that other processes used during a repetition.
    var foreignLoad: Double?

    /// Makes a row without ratios.
    init(_ label: String, _ values: [Double?], target: String? = nil) {
      self.label = label
      self.values = values
      self.target = target
    }
  }

  var title: String
  /// The names of the columns with their units.
  var columns: [String]
  /// The columns with ratios.
  var comparedColumns: [Int] = []
  var rows: [Row] = []
  /// Remarks about the figures.
  var notes: [String] = []

  /// The table in columns of equal width.
  var text: String {
    let showsTarget = rows.contains { $0.target != nil }
    let showsLoad = rows.contains { $0.foreignLoad != nil }
    let header =
      [title] + columns + comparedColumns.map { "ratio of \(columns[$0])" } + (showsLoad ? ["others %"] : [])
      + (showsTarget ? ["target"] : [])
    let lines = rows.map { row in
      [row.ratios.isEmpty ? row.label : "  beside \(row.label)"]
        + columns.indices.map { Self.figure($0 < row.values.count ? row.values[$0] : nil) }
        + comparedColumns.indices.map {
          $0 < row.ratios.count ? String(format: "%.2f", row.ratios[$0]) : ""
        }
        + (showsLoad ? [row.foreignLoad.map { String(format: "%.0f", $0 * 100) } ?? ""] : [])
        + (showsTarget ? [row.target ?? ""] : [])
    }
    let widths = header.indices.map { column in ([header] + lines).map { $0[column].count }.max() ?? 0 }
    let aligned = ([header] + lines).map { line in
      line.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + padding : padding + cell
      }.joined(separator: "  ")
    }
    return (aligned + notes).joined(separator: "\n")
  }

  /// Returns a number rounded to three digits; a number above 999 keeps all digits before the point.
  private static func figure(_ value: Double?) -> String {
    guard let value else { return "-" }
    let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
    return String(format: "%.\(digits)f", value)
  }
}
