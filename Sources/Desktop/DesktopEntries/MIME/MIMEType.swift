enum MIMEType {
  /// `TYPE/SUBTYPE` in the characters of RFC 6838 4.2, and `*`.
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

  static func scheme(of type: String) -> String? {
    type.hasPrefix(schemePrefix) ? String(type.dropFirst(schemePrefix.count)) : nil
  }

  static let schemePrefix = "x-scheme-handler/"
}

extension DesktopEntry {
  package static func scheme(ofType type: String) -> String? { MIMEType.scheme(of: type) }

  package static func type(ofScheme scheme: String) -> String { MIMEType.schemePrefix + scheme }
}
