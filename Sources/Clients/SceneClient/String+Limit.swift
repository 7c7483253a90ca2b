extension String {
  /// As much of the text as the router takes of a string, cut before a character that does not fit.
  ///
  /// For what people read: a shorter title serves as well, where an identifier would be another.
  var limited: String {
    // `stringLength`, in bytes; see "Limits" in the routing contract.
    let limit = 1 << 10
    guard utf8.count > limit else { return self }
    var (end, length) = (startIndex, 0)
    while true {
      length += self[end].utf8.count
      guard length <= limit else { return String(self[..<end]) }
      end = index(after: end)
    }
  }
}
