extension String {
  /// The beginning of the text that fits into the router's limit for strings.
  ///
  /// The text is cut before the first character that does not fit. Only texts that people read are cut: a shortened
  /// title still serves, but a shortened identifier would be another identifier.
  var limited: String {
    // The limit `stringLength`, in bytes; see "Limits" in the routing contract.
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
