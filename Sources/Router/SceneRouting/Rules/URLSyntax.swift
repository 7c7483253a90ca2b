/// Nothing here normalises a URL.
package enum URLSyntax {
  /// `[A-Za-z][A-Za-z0-9+.-]*:`, then no space or control character; "A URL is" in the routing contract.
  package static func isAbsolute(_ text: String) -> Bool {
    let bytes = text.utf8.span
    guard URLParts.schemeLength(bytes) != nil else { return false }
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
  package static func scheme(of url: String) -> String? {
    guard let length = URLParts.schemeLength(url.utf8.span) else { return nil }
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
    let parts = URLParts(url.utf8.span)
    guard !parts.scheme.isEmpty else { return nil }
    let path = url.utf8[parts.path]
    let segment = path.lastIndex(of: UInt8(ascii: "/")).map { path[$0...].dropFirst() } ?? path
    return percentDecoded(segment)
  }

  /// Invalid escapes stay as they are.
  package static func percentDecoded(_ text: some Collection<UInt8>) -> [UInt8] {
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
