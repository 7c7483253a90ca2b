/// Nothing here normalises a URL.
package enum URLSyntax {
  /// `[A-Za-z][A-Za-z0-9+.-]*:`, then no space or control character; "A URL is" in the routing contract.
  package static func isAbsolute(_ text: String) -> Bool {
    guard schemeLength(text) != nil else { return false }
    let bytes = text.utf8.span
    var lowest: UInt8 = .max
    var nearestToDelete: UInt8 = .max
    // The loop has no branch and no early exit, so that the compiler checks many bytes with one instruction.
    for index in bytes.indices {
      lowest = min(lowest, bytes[index])
      nearestToDelete = min(nearestToDelete, bytes[index] ^ 0x7F)
    }
    return lowest > 0x20 && nearestToDelete > 0
  }

  /// In lower case, because schemes are case-insensitive (RFC 3986 3.1).
  static func scheme(of url: String) -> String? {
    guard let length = schemeLength(url) else { return nil }
    // This can run for every event, and `lowercased()` would take ten times as long.
    return unsafe String(unsafeUninitializedCapacity: length) { scheme in
      for (index, byte) in url.utf8.prefix(length).enumerated() {
        unsafe scheme[index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
      }
      return length
    }
  }

  /// In bytes: NAME_MAX of Linux.
  private static let maximumNameLength = 255

  /// In lower case, percent-decoded; a name whose only dot is its first character has none.
  static func filenameExtension(of url: String) -> String? {
    guard let name = lastSegment(of: url), let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0,
      dot + 1 < name.count, name.count - dot <= maximumNameLength
    else { return nil }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  /// The last path segment, percent-decoded; `nil` if it is empty or too long for a file name.
  static func fileName(of url: String) -> [UInt8]? {
    guard let name = lastSegment(of: url), 1...maximumNameLength ~= name.count else { return nil }
    return name
  }

  private static func lastSegment(of url: String) -> [UInt8]? {
    guard let schemeLength = schemeLength(url) else { return nil }
    var rest = url.utf8.dropFirst(schemeLength + 1)
    rest = rest.prefix { $0 != UInt8(ascii: "#") }
    rest = rest.prefix { $0 != UInt8(ascii: "?") }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2).drop { $0 != UInt8(ascii: "/") }
    }
    let segment = rest.lastIndex(of: UInt8(ascii: "/")).map { rest[rest.index(after: $0)...] } ?? rest
    return percentDecoded(segment)
  }

  private static func schemeLength(_ text: String) -> Int? {
    let bytes = text.utf8.span
    for index in bytes.indices {
      let byte = bytes[index]
      // Nearly all characters of a scheme are letters.
      if (byte | 0x20) &- UInt8(ascii: "a") < 26 { continue }
      guard index > 0 else { return nil }
      switch byte {
      case UInt8(ascii: ":"): return index
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "-"):
        break
      default: return nil
      }
    }
    return nil
  }

  /// Invalid escapes stay as they are.
  private static func percentDecoded(_ text: some Collection<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(hexValue),
        let low = rest.dropFirst().first.flatMap(hexValue)
      {
        decoded.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return decoded
  }
}
