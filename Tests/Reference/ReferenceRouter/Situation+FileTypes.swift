extension Situation {
  /// The MIME type of the file that the event's URL names, in lower case and without parameters.
  ///
  /// If the sender gave a type, this type counts. Otherwise the type follows from the name of the file.
  var fileType: String? {
    guard let document = event.document else { return nil }
    if let type = event.contentType.flatMap(typeWithoutParameters) { return type }
    let name = lastSegment(of: document.url)
    return name.isEmpty ? nil : scenario.fileTypes?.type(ofFileNamed: name)
  }

  /// Whether the event's URL names a file of `type`, which is a MIME type or a filename extension.
  func isDocument(ofType type: String) -> Bool {
    guard let document = event.document else { return false }
    if type.utf8.contains(UInt8(ascii: "/")) { return distance(to: type) != nil }
    guard let filenameExtension = filenameExtension(of: document.url) else { return false }
    return ReferenceFolding.caseFold(filenameExtension) == ReferenceFolding.caseFold(type)
  }

  /// Whether an application claims the event.
  func isClaimed(by application: Scenario.Application) -> Bool {
    guard application.claims?.isEmpty == false else { return false }
    return hasOtherClaim(application) || distanceOfClaims(of: application) != nil
  }

  /// Whether an application claims nothing, or claims the event's scheme, activity type or family of MIME types.
  func hasOtherClaim(_ application: Scenario.Application) -> Bool {
    guard let claims = application.claims, !claims.isEmpty else { return true }
    switch event.content {
    case .activity(let activity): return claims.activityTypes.contains(activity.activityType)
    case .url:
      let hasFamily = claims.mimeTypes.contains { $0.hasSuffix("/*") && distance(to: $0) != nil }
      return claims.schemes.contains { asciiLowercased($0) == scheme }
        || (scheme == "file" && hasFamily && !isRemoved(application, fromTypesCloserThan: 1))
    }
  }

  /// The number of steps from the type of the file to the closest type that the application claims.
  ///
  /// The steps lead from a type to its supertypes. The number is 0 if the application claims the type of the file
  /// itself. The number is nil if none of the types that the application claims counts for the file.
  func distanceOfClaims(of application: Scenario.Application) -> Int? {
    kinds.indices.first { isClaimed(typeAt: $0, by: application) }
  }

  /// Whether an application gets the file because it claims the file's type (`distance` 0) or one of its supertypes.
  ///
  /// The user's lists may remove the application from a closer type. The application then gets the file only if both
  /// conditions hold:
  /// - The application is the default of the claimed type.
  /// - No application claims a closer type.
  private func isClaimed(typeAt distance: Int, by application: Scenario.Application) -> Bool {
    let names = names(ofTypeAt: distance)
    guard application.claims?.mimeTypes.contains(where: { names.contains(asciiLowercased($0)) }) == true
    else {
      return false
    }
    guard isRemoved(application, fromTypesCloserThan: distance) else { return true }
    let isCloserClaimed = applications.contains { other in
      !other.isForNamedEventsOnly && (0..<distance).contains { isClaimed(typeAt: $0, by: other) }
    }
    return defaultId(ofTypeAt: distance) == application.id && !isCloserClaimed
  }

  private func isRemoved(_ application: Scenario.Application, fromTypesCloserThan distance: Int) -> Bool {
    kinds.indices.prefix(distance).contains { closer in
      preferences(forTypeAt: closer).contains { $0.removed.contains(application.id) }
    }
  }

  /// The entries of the user's lists for the file's type (`distance` 0) or one of its supertypes.
  func preferences(forTypeAt distance: Int) -> [Scenario.Preference] {
    names(ofTypeAt: distance).compactMap { scenario.preferences.types[$0] }
  }

  /// The name and the aliases of the file's type (`distance` 0) or one of its supertypes.
  func names(ofTypeAt distance: Int) -> Set<String> {
    scenario.fileTypes?.names(of: kinds[distance]) ?? [kinds[distance]]
  }

  /// The entries of the user's lists for families of types (`image/*`), and for the scheme or activity type.
  ///
  /// The families are those of the file's type and of its aliases.
  var preferencesForOtherClaims: [Scenario.Preference] {
    var names: Set<String> = []
    if let type = kinds.first { names = scenario.fileTypes?.names(of: type) ?? [type] }
    let families = Set(names.map { $0.prefix { $0 != "/" } + "/*" })
    return families.compactMap { scenario.preferences.types[String($0)] } + [scenario.preferences.others]
  }

  /// The user's default application for the event.
  ///
  /// These defaults are tried in order:
  /// 1. the defaults of the file's type and its supertypes, the closest type first
  /// 2. the defaults of families of types, of the scheme and of the activity type
  ///
  /// The default of a supertype does not count if an application claims a closer type.
  func userDefault(among applications: [Scenario.Application]) -> String? {
    let claimed = applications.compactMap { distanceOfClaims(of: $0) }.min()
    for distance in kinds.indices where distance <= claimed ?? distance {
      guard let id = defaultId(ofTypeAt: distance) else { continue }
      if applications.contains(where: { $0.id == id }) { return id }
    }
    let defaults = preferencesForOtherClaims.compactMap(\.defaultId)
    return defaults.first { id in applications.contains { $0.id == id } }
  }

  /// The user's default application for the file's type (`distance` 0) or one of its supertypes.
  func defaultId(ofTypeAt distance: Int) -> String? {
    preferences(forTypeAt: distance).compactMap(\.defaultId).first
  }

  var scheme: String? {
    guard case .url(let url) = event.content else { return nil }
    return asciiLowercased(String(url.unicodeScalars.prefix { $0 != ":" }))
  }

  /// The number of steps from the type of the file up to its supertype `type`; nil if `type` is no such supertype.
  ///
  /// The number is 0 if `type` is the file's own type, or the family (`image/*`) of the type or of one of its aliases.
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
  // The code works on bytes, because Swift joins a delimiter and a following combining mark into one `Character`.
  var path = Array(url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
  path = Array(path.drop { $0 != UInt8(ascii: ":") }.dropFirst())
  if path.starts(with: "//".utf8) {
    path = Array(path.dropFirst(2).drop { $0 != UInt8(ascii: "/") })
  }
  let segment = Array(path.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed())
  return percentDecoded(segment)
}

/// The bytes with every valid percent escape decoded.
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
