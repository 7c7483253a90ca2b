/// Names of MIME types.
enum MIMEType {
  /// Whether a text is `TYPE/SUBTYPE` of the characters of RFC 6838 4.2, or has `*` for the subtype.
  static func isValid(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return false }
    return parts.joined().allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: "!#$&-^_.+*".utf8.contains(byte)
      }
    }
  }

  /// What follows `x-scheme-handler/`, the name under which URL schemes are among MIME types.
  static func scheme(of type: String) -> String? {
    let prefix = "x-scheme-handler/"
    return type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : nil
  }
}
