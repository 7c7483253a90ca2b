extension String {
  /// Cut before the first character that does not fit into the router's limit for strings.
  ///
  /// Only for texts that people read: a shortened title still serves, but a shortened identifier would be another
  /// identifier.
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
