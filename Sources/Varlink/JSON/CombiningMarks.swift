extension String {
  /// The most combining marks in a row: four times as many as the Stream-Safe Text Format has (UAX #15).
  private static var mostMarks: Int { 128 }

  /// Whether there are so many combining marks in a row that nobody can have meant them.
  ///
  /// To compare, hash or normalize a string takes the square of their number: minutes for a message of them.
  var hasTooManyMarksInARow: Bool {
    // Marks have two bytes at least: of so many, one stands at such a place.
    let distance = 2 * Self.mostMarks
    guard utf8.count > distance else { return false }
    var place = utf8.startIndex
    while let next = utf8.index(place, offsetBy: distance, limitedBy: utf8.endIndex), next < utf8.endIndex {
      place = next
      guard utf8[place] >= 0x80, unicodeScalars[place].isMark else { continue }
      let after = unicodeScalars[place...].prefix(Self.mostMarks + 1).prefix { $0.isMark }
      let before = unicodeScalars[..<place].suffix(Self.mostMarks + 1).reversed().prefix { $0.isMark }
      if before.count + after.count > Self.mostMarks { return true }
    }
    return false
  }
}

extension Unicode.Scalar {
  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}
