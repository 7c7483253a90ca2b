extension Scenario.Event {
  /// The string that identifiers are looked for in, and where in the event it is.
  var comparison: (string: String, field: ReferenceRouter.MatchedField)? {
    switch content {
    case .url(let url): return (url, .url)
    case .activity(let activity):
      if let target = activity.targetContentIdentifier { return (target, .targetContentIdentifier) }
      if let webpage = activity.webpageURL { return (webpage, .webpageURL) }
      return nil
    }
  }

  /// The URL that document groups look at, and where in the event it is.
  var document: (url: String, field: ReferenceRouter.MatchedField)? {
    switch content {
    case .url(let url): return (url, .url)
    case .activity(let activity): return activity.webpageURL.map { ($0, .webpageURL) }
    }
  }

  /// Whether what the event's URL names is of a type: a MIME type or a filename extension.
  func isDocument(ofType type: String) -> Bool {
    guard let document else { return false }
    if type.utf8.contains(UInt8(ascii: "/")) { return hasContentType(type) }
    guard let filenameExtension = filenameExtension(of: document.url) else { return false }
    return ReferenceFolding.caseFold(filenameExtension) == ReferenceFolding.caseFold(type)
  }

  /// Whether an application with these claims stands for the event.
  func isClaimed(by claims: Scenario.Claims) -> Bool {
    switch content {
    case .activity(let activity): return claims.activityTypes.contains(activity.activityType)
    case .url(let url):
      let scheme = asciiLowercased(String(url.unicodeScalars.prefix { $0 != ":" }))
      return claims.schemes.contains { asciiLowercased($0) == scheme }
        || (scheme == "file" && claims.mimeTypes.contains(where: hasContentType))
    }
  }

  private func hasContentType(_ type: String) -> Bool {
    guard let contentType else { return false }
    let known = asciiLowercased(contentType.prefix { $0 != ";" }.filter { $0 != " " })
    let wanted = asciiLowercased(type)
    return wanted.hasSuffix("/*") ? known.hasPrefix(wanted.dropLast()) : known == wanted
  }
}

/// The filename extension of the last path segment of a URL.
private func filenameExtension(of url: String) -> String? {
  // Bytes, because a combining mark after a delimiter would make it another `Character`.
  var path = Array(url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
  path = Array(path.drop { $0 != UInt8(ascii: ":") }.dropFirst())
  if path.starts(with: "//".utf8) {
    path = Array(path.dropFirst(2).drop { $0 != UInt8(ascii: "/") })
  }
  let segment = Array(path.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed())
  let name = percentDecoded(segment)
  guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, dot < name.count - 1 else { return nil }
  return String(decoding: name[(dot + 1)...], as: UTF8.self)
}

/// The bytes with all valid percent escapes replaced.
private func percentDecoded(_ bytes: [UInt8]) -> [UInt8] {
  var decoded: [UInt8] = []
  var rest = bytes[...]
  while let byte = rest.popFirst() {
    let digits = rest.prefix(2)
    if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(isHexDigit),
      let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    {
      decoded.append(value)
      rest = rest.dropFirst(2)
    } else {
      decoded.append(byte)
    }
  }
  return decoded
}

private func isHexDigit(_ byte: UInt8) -> Bool {
  "0123456789abcdefABCDEF".utf8.contains(byte)
}

private func asciiLowercased(_ string: String) -> String {
  String(decoding: string.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
}
