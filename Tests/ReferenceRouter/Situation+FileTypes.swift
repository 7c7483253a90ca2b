extension Situation {
  /// The MIME type of what the event's URL names, in lower case and without parameters.
  ///
  /// What the sender knew, else what the name says.
  var fileType: String? {
    guard let document = event.document else { return nil }
    if let type = event.contentType.flatMap(typeWithoutParameters) { return type }
    let name = lastSegment(of: document.url)
    return name.isEmpty ? nil : scenario.fileTypes?.type(ofFileNamed: name)
  }

  /// Whether what the event's URL names is of a type: a MIME type or a filename extension.
  func isDocument(ofType type: String) -> Bool {
    guard let document = event.document else { return false }
    if type.utf8.contains(UInt8(ascii: "/")) { return distance(to: type) != nil }
    guard let filenameExtension = filenameExtension(of: document.url) else { return false }
    return ReferenceFolding.caseFold(filenameExtension) == ReferenceFolding.caseFold(type)
  }

  /// Whether an application with these claims stands for the event.
  func isClaimed(by claims: Scenario.Claims) -> Bool {
    !claims.isEmpty && hasOtherClaim(claims) || distanceOfClaims(claims) != nil
  }

  /// Whether the claims cover the event by something else than its very type, or one that it is a kind of.
  func hasOtherClaim(_ claims: Scenario.Claims) -> Bool {
    if claims.isEmpty { return true }
    switch event.content {
    case .activity(let activity): return claims.activityTypes.contains(activity.activityType)
    case .url:
      return claims.schemes.contains { asciiLowercased($0) == scheme }
        || (scheme == "file" && claims.mimeTypes.contains { $0.hasSuffix("/*") && distance(to: $0) != nil })
    }
  }

  /// How far the type of the file is from the closest type that is claimed; 0 for the type itself.
  private func distanceOfClaims(_ claims: Scenario.Claims) -> Int? {
    guard case .url = event.content, scheme == "file" else { return nil }
    return claims.mimeTypes.filter { !$0.hasSuffix("/*") }.compactMap(distance).min()
  }

  func distanceOfClaims(of application: Scenario.Application) -> Int? {
    application.claims.flatMap(distanceOfClaims)
  }

  /// The application that the user made the default for the event.
  ///
  /// That of the closest type that has one, unless one still closer is claimed; else that of the scheme or the activity.
  func userDefault(among applications: [Scenario.Application]) -> String? {
    let claimed = applications.compactMap { distanceOfClaims(of: $0) }.min()
    for distance in 0..<(kinds.count) where distance <= claimed ?? distance {
      guard let id = defaultId(ofTypeAt: distance) else { continue }
      if applications.contains(where: { $0.id == id }) { return id }
    }
    return scenario.defaultApplicationId
  }

  /// The application that the user made the default for what the file is a kind of, so many steps away.
  func defaultId(ofTypeAt distance: Int) -> String? {
    guard kinds.indices.contains(distance) else { return nil }
    let names = scenario.fileTypes?.names(of: kinds[distance]) ?? [kinds[distance]]
    return scenario.typeDefaults.first { names.contains($0.key) }?.value
  }

  /// The type of the file that the event is about, and what it is a kind of, if it can be claimed.
  private var kinds: [String] {
    guard scheme == "file", let fileType else { return [] }
    return scenario.fileTypes?.order(of: fileType) ?? [fileType]
  }

  private var scheme: String? {
    guard case .url(let url) = event.content else { return nil }
    return asciiLowercased(String(url.unicodeScalars.prefix { $0 != ":" }))
  }

  /// How far the type of the file is from a type or a family; nil if it is not covered.
  private func distance(to type: String) -> Int? {
    guard let fileType else { return nil }
    let wanted = asciiLowercased(type)
    let names = scenario.fileTypes?.names(of: fileType) ?? [fileType]
    if wanted.hasSuffix("/*") { return names.contains { $0.hasPrefix(wanted.dropLast()) } ? 0 : nil }
    return scenario.fileTypes.map { $0.distance(from: fileType, to: wanted) }
      ?? (fileType == wanted ? 0 : nil)
  }
}

private func typeWithoutParameters(_ contentType: String) -> String? {
  let type = asciiLowercased(contentType.prefix { $0 != ";" }.filter { $0 != " " })
  return type.utf8.contains(UInt8(ascii: "/")) ? type : nil
}

/// The filename extension of the last path segment of a URL.
private func filenameExtension(of url: String) -> String? {
  let name = lastSegment(of: url)
  guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, dot < name.count - 1 else { return nil }
  return String(decoding: name[(dot + 1)...], as: UTF8.self)
}

/// The last path segment of a URL, decoded.
private func lastSegment(of url: String) -> [UInt8] {
  // Bytes, because a combining mark after a delimiter would make it another `Character`.
  var path = Array(url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
  path = Array(path.drop { $0 != UInt8(ascii: ":") }.dropFirst())
  if path.starts(with: "//".utf8) {
    path = Array(path.dropFirst(2).drop { $0 != UInt8(ascii: "/") })
  }
  let segment = Array(path.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed())
  return percentDecoded(segment)
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
