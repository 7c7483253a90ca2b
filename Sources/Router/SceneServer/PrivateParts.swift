import SceneRouting

/// User and password, query and fragment of URLs.
///
/// Of a URL without `//`, such as `sip:USER:PASSWORD@HOST`, the user stays, because `mailto:USER@HOST` says nothing
/// without it. The password, from the first `:` to the last `@` before the first `/` of the path, goes with its `:`.
package enum PrivateParts {
  /// Browsers accept any number of `/` and `\` between colon and host, even none ("special scheme",
  /// url.spec.whatwg.org).
  ///
  /// A `file` URL has no user.
  private static let schemesWithHost = ["http", "https", "ws", "wss", "ftp"]
  /// Another whole URL follows the colon.
  private static let schemesOfURLs = ["view-source", "blob", "jar"]

  static func removed(fromURL url: String) -> String {
    guard mayBePart(of: url.utf8.span) else { return url }
    let (secret, end) = find(in: url.utf8.span)
    let bytes = Array(url.utf8)
    let kept = bytes[..<(secret?.lowerBound ?? end)] + bytes[(secret?.upperBound ?? end)..<end]
    return String(decoding: kept, as: UTF8.self)
  }

  package static func removed(fromText text: String) -> String {
    guard mayBePart(of: text.utf8.span) else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(where: { !isEnd($0) }) {
      let word = rest[start...].prefix { !isEnd($0) }
      result += rest[..<start]
      let url = startOfURL(in: word) ?? word.endIndex
      result += word[..<url] + removed(fromURL: String(word[url...]))
      rest = rest[word.endIndex...]
    }
    return result + rest
  }

  private static func isEnd(_ character: Character) -> Bool {
    character.isWhitespace || "'\"`<>‘’“”«»".contains(character)
  }

  /// A URL is a scheme and a colon, followed by a host, a path, a password or another URL.
  private static func startOfURL(in word: Substring) -> Substring.Index? {
    let bytes = word.utf8
    for colon in bytes.indices where bytes[colon] == UInt8(ascii: ":") {
      var start = colon
      while start > bytes.startIndex, isInScheme(bytes[bytes.index(before: start)]) {
        bytes.formIndex(before: &start)
      }
      while start < colon, !isLetter(bytes[start]) { bytes.formIndex(after: &start) }
      guard start < colon else { continue }
      let scheme = word[start..<colon].lowercased()
      let isFollowedBySlash = bytes[colon...].dropFirst().first.map(isSlash) ?? false
      if isFollowedBySlash || schemesWithHost.contains(scheme) || schemesOfURLs.contains(scheme) {
        return start
      }
      let rest = Array(bytes[colon...].dropFirst())
      if password(in: rest.span, from: 0, to: rest.count) != nil { return start }
    }
    return nil
  }
}

// MARK: - Bytes

extension PrivateParts {
  /// Has no early exit, so that the compiler can compare many bytes with one instruction.
  private static func mayBePart(of url: Span<UInt8>) -> Bool {
    var nearest: UInt8 = .max
    for index in url.indices {
      let byte = url[index]
      nearest = min(nearest, byte ^ UInt8(ascii: "?"), byte ^ UInt8(ascii: "#"), byte ^ UInt8(ascii: "@"))
    }
    return nearest == 0
  }

  /// `secret` has user, password and `@` after `//`, or else a password; query or fragment begin at `end`.
  private static func find(in url: Span<UInt8>) -> (secret: Range<Int>?, end: Int) {
    let parts = URLParts(url)
    let end = parts.path.upperBound
    var start = 0
    while let length = URLParts.schemeLength(url.extracting(start..<end)) {
      let colon = start + length
      let hasHost = schemesWithHost.contains { isText($0, url, start..<colon) }
      start = colon + 1
      var host = start
      while host < end, isSlash(url[host]) { host += 1 }
      if !hasHost {
        // There is a host only after two slashes. If no slash follows the colon, the rest can be another URL.
        if host == start { continue }
        guard host >= start + 2 else { break }
        host = start + 2
      }
      var at: Int?
      var index = host
      while index < end, url[index] != UInt8(ascii: "/"), !hasHost || url[index] != UInt8(ascii: "\\") {
        if url[index] == UInt8(ascii: "@") { at = index }
        index += 1
      }
      if hasHost || at != nil { return (at.map { host..<$0 + 1 }, end) }
      break
    }
    if parts.scheme.isEmpty || isText("file", url, parts.scheme) { return (nil, end) }
    return (password(in: url, from: parts.scheme.upperBound + 1, to: end), end)
  }

  /// From the first `:` up to the last `@` after it, before the first `/` that does not stand at the start.
  private static func password(in url: Span<UInt8>, from start: Int, to end: Int) -> Range<Int>? {
    var index = start
    while index < end, isSlash(url[index]) { index += 1 }
    var colon: Int?
    var at: Int?
    while index < end, url[index] != UInt8(ascii: "/") {
      if url[index] == UInt8(ascii: ":") { colon = colon ?? index }
      if url[index] == UInt8(ascii: "@"), colon != nil { at = index }
      index += 1
    }
    guard let colon, let at else { return nil }
    return colon..<at
  }

  /// Ignores case; `text` must be in lower case.
  private static func isText(_ text: String, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    text.utf8.count == range.count && zip(text.utf8, range).allSatisfy { $0 == bytes[$1] | 0x20 }
  }

  private static func isSlash(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isInScheme(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
  }
}
