extension String {
  /// The most combining marks in a row: more than four times the 30 that the Stream-Safe Text Format allows (UAX #15).
  private static var mostMarks: Int { 128 }

  /// Whether more than 128 combining marks stand in a row.
  ///
  /// No text of any language has so many.
  ///
  /// Such a string is refused, because the time for comparing, hashing and normalizing it grows with the square of the
  /// number of marks.
  var hasTooManyMarksInARow: Bool {
    // A mark has at least two bytes, so a run that is too long covers at least one of the places that are looked at.
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
