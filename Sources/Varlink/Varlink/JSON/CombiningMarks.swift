extension String {
  /// The most combining marks that are allowed in a row.
  ///
  /// For comparison: Unicode's Stream-Safe Text Format allows 30 marks in a row (UAX #15).
  private static var mostMarks: Int { 128 }

  /// Whether the string has more than 128 combining marks in a row.
  ///
  /// No text of any language has so many marks in a row.
  ///
  /// A string with too many marks is refused. The time to compare, hash and normalize such a string would grow with the
  /// square of the number of marks.
  var hasTooManyMarksInARow: Bool {
    // The loop looks at one byte in every 256. It cannot miss a row of more than 128 marks, because each mark has at
    // least two bytes in UTF-8.
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
