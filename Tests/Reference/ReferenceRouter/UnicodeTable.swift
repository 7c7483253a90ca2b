/// Reads the tables of `UnicodeCharacterData`.
enum UnicodeTable {
  /// The scalars of a table that lists only scalars, and gives them no values.
  static func scalars(of text: String) -> Set<UInt32> {
    Set(entries(of: text).flatMap(\.scalars))
  }

  /// The values of a table in which all scalars of a run have the same values.
  static func constants(of text: String) -> [UInt32: [UInt32]] {
    var table: [UInt32: [UInt32]] = [:]
    for entry in entries(of: text) {
      for scalar in entry.scalars {
        table[scalar] = entry.values
      }
    }
    return table
  }

  /// The values of a table that gives only the value of the first scalar of each run.
  ///
  /// The values of the other scalars grow with the scalars. For example, `41-5A=61` gives 41 the value 61, and 42 the
  /// value 62.
  static func mappings(of text: String) -> [UInt32: [UInt32]] {
    var table: [UInt32: [UInt32]] = [:]
    for entry in entries(of: text) {
      for scalar in entry.scalars {
        let isRun = entry.scalars.count > 1
        table[scalar] = isRun ? [entry.values[0] + scalar - entry.scalars[0]] : entry.values
      }
    }
    return table
  }

  private static func entries(of text: String) -> [(scalars: [UInt32], values: [UInt32])] {
    text.split(whereSeparator: \.isWhitespace).map { entry in
      let sides = entry.split(separator: "=")
      let run = sides[0].split(separator: "/")
      let ends = run[0].split(separator: "-").map(number)
      let step = run.count == 2 ? number(run[1]) : 1
      let values = sides.count == 2 ? sides[1].split(separator: ".").map(number) : []
      return (Array(stride(from: ends[0], through: ends[ends.count - 1], by: Int(step))), values)
    }
  }

  private static func number(_ digits: Substring) -> UInt32 {
    UInt32(digits, radix: 16)!
  }
}
