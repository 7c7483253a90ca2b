extension Event {
  /// Returns a link as browsers repair it, because the router refuses white space and control characters in URLs.
  ///
  /// White space and control characters at the ends are cut, tabs and line breaks are dropped, and all others are
  /// percent-encoded. Everything else stays as it is. The characters are those of ASCII.
  public static func repaired(_ link: String) -> String {
    guard link.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return link }
    let bytes = link.utf8.drop { $0 <= 0x20 }
    guard let last = bytes.lastIndex(where: { $0 > 0x20 }) else { return "" }
    var repaired: [UInt8] = []
    for byte in bytes[...last] {
      switch byte {
      case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
      case ...0x20, 0x7F:
        repaired += "%\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8
      default: repaired.append(byte)
      }
    }
    return String(decoding: repaired, as: UTF8.self)
  }
}
