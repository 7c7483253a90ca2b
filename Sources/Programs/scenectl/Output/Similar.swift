extension String {
  /// At most three words that contain the text, or have a part that differs from it by at most two letters.
  func similar(among words: [String]) -> [String] {
    let text = lowercased()
    let rated = Set(words).compactMap { word -> (word: String, distance: Int)? in
      let other = word.lowercased()
      if text.utf8.count > 2, other.contains(text) { return (word, 0) }
      let parts = [other] + other.split(whereSeparator: { "-._".contains($0) }).map(String.init)
      let distance = parts.map(text.distance).min() ?? .max
      return distance <= Swift.min(2, text.utf8.count / 3) ? (word, distance) : nil
    }
    return rated.sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }.prefix(3).map(\.word)
  }

  /// A change adds, removes or replaces a letter, or swaps two neighbours.
  private func distance(to other: String) -> Int {
    let (one, two) = (Array(unicodeScalars), Array(other.unicodeScalars))
    guard abs(one.count - two.count) <= 2 else { return .max }
    var rows = [Array(0...two.count)]
    for (row, scalar) in one.enumerated() {
      var distances = [row + 1]
      for (column, match) in two.enumerated() {
        let replaced = rows[row][column] + (scalar == match ? 0 : 1)
        var least = Swift.min(replaced, rows[row][column + 1] + 1, distances[column] + 1)
        if row > 0, column > 0, scalar == two[column - 1], one[row - 1] == match {
          least = Swift.min(least, rows[row - 1][column - 1] + 1)
        }
        distances.append(least)
      }
      rows.append(distances)
    }
    return rows[one.count][two.count]
  }
}

extension [String] {
  var question: String { isEmpty ? "" : " Did you mean \(map { "'\($0)'" }.joined(separator: " or "))?" }
}
