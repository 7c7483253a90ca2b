extension IdentifierTrie {
  @inline(__always)
  func spelling(of key: IdentifierKey) -> String {
    switch key {
    case .wildcard: "*"
    case .never: ""
    // Folded texts are valid UTF-8.
    default: withText(of: key) { unsafe String(copying: UTF8Span(unchecked: $0)) }
    }
  }

  /// The longer text, or else the one that sorts first; the most specific identifier is reported as the winner.
  func isMoreSpecific(_ left: IdentifierKey, than right: IdentifierKey) -> Bool {
    let (leftLength, rightLength) = (length(of: left), length(of: right))
    guard leftLength == rightLength else { return leftLength > rightLength }
    guard left != right else { return false }
    return withText(of: left) { left in withText(of: right) { right in left.sortsBefore(right) } }
  }
}
