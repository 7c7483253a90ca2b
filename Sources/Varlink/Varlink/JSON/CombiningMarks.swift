extension String {
  /// No text of any language has so many in a row; Unicode's Stream-Safe Text Format allows 30 (UAX #15).
  private static var mostMarks: Int { 128 }

  /// A string with too many marks is refused, because the time to compare, hash and normalize it would grow with the
  /// square of their number.
  var hasTooManyMarksInARow: Bool {
    // One byte in every 256 is enough: a row of more than 128 marks has more bytes, at least two for each in UTF-8.
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
