extension GlobTable {
  /// Whether a name matches a pattern with `*`, `?`, `[a-z]`, `[!a-z]` and `\` (fnmatch, without flags).
  static func matches(_ pattern: ArraySlice<UInt8>, _ name: [UInt8]) -> Bool {
    var (position, index) = (pattern.startIndex, 0)
    // The places after the last `*` in the pattern, and after its text in the name. After a mismatch the search goes on
    // from there, with one more byte of text for the `*`.
    var star: (position: Int, index: Int)?
    while index < name.count {
      if position < pattern.endIndex, pattern[position] == UInt8(ascii: "*") {
        position += 1
        star = (position, index)
      } else if let next = step(pattern, at: position, name[index]) {
        position = next
        index += 1
      } else if let last = star {
        star = (last.position, last.index + 1)
        (position, index) = (last.position, last.index + 1)
      } else {
        return false
      }
    }
    return pattern[position...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// The position after the part that begins at `position`; nil if the byte does not match it.
  private static func step(_ pattern: ArraySlice<UInt8>, at position: Int, _ byte: UInt8) -> Int? {
    guard position < pattern.endIndex else { return nil }
    switch pattern[position] {
    case UInt8(ascii: "?"): return position + 1
    case UInt8(ascii: "\\") where position + 1 < pattern.endIndex:
      return pattern[position + 1] == byte ? position + 2 : nil
    case UInt8(ascii: "["):
      if let set = set(pattern, at: position + 1, byte) { return set.isMember ? set.end : nil }
      return byte == UInt8(ascii: "[") ? position + 1 : nil
    case let other: return other == byte ? position + 1 : nil
    }
  }

  /// `start` is after the `[` of the set; nil if no `]` closes the set.
  private static func set(
    _ pattern: ArraySlice<UInt8>,
    at start: Int,
    _ byte: UInt8
  ) -> (isMember: Bool, end: Int)? {
    var position = start
    var isMember = false
    let isInverted = position < pattern.endIndex && "!^".utf8.contains(pattern[position])
    if isInverted { position += 1 }
    let first = position
    while position < pattern.endIndex, pattern[position] != UInt8(ascii: "]") || position == first {
      let isRange =
        position + 2 < pattern.endIndex && pattern[position + 1] == UInt8(ascii: "-")
        && pattern[position + 2] != UInt8(ascii: "]")
      let end = isRange ? pattern[position + 2] : pattern[position]
      isMember = isMember || pattern[position] <= byte && byte <= end
      position += isRange ? 3 : 1
    }
    return position < pattern.endIndex ? (isMember != isInverted, position + 1) : nil
  }
}
