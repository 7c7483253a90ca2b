extension Scenario: CustomStringConvertible {
  /// All parts of the scenario; characters outside ASCII are escaped.
  package var description: String {
    var lines = ["scenario \(name)"]
    lines += applications.flatMap(\.lines)
    lines += scenes.flatMap(\.lines)
    lines += activityReports.map { "  \($0.sceneId) reports isActive: \($0.isActive)" }
    if !preferences.isEmpty { lines.append("  preferences \(preferences)") }
    lines += hostChoices.sorted { $0.key < $1.key }.map { "  the user chose \($0.value) for \($0.key)" }
    lines += senderChoices.map { "  the user chose \($0.applicationId) for \($0.subject) from \($0.sender)" }
    if let machineName { lines.append("  this machine is \(machineName)") }
    lines += [fileTypes.map { "  types \($0.ends), aliases \($0.aliases), bases \($0.bases)" }].compactMap {
      $0
    }
    lines += ["  event \(event)"]
    lines += ["  constraints \(constraints)"]
    return lines.joined(separator: "\n")
  }
}

extension Scenario.Application {
  fileprivate var lines: [String] {
    var words = ["  application \(id), \(source)"]
    if isSingleScene { words.append("single-scene") }
    if isForNamedEventsOnly { words.append("for named events only") }
    if let claims {
      words.append("claims \(claims.schemes) \(claims.activityTypes) \(claims.mimeTypes) \(claims.hosts)")
    }
    return [words.joined(separator: ", ")] + declarations.map { "    \($0.line)" }
  }
}

extension Scenario.Declaration {
  fileprivate var line: String {
    var words = ["\(kind.rawValue) \(id)", "matching \(matching.map(quoted) ?? "nil")"]
    if !supportedTypes.isEmpty { words.append("types \(quoted(supportedTypes))") }
    if isSingleton { words.append("singleton") }
    words.append("answers \(openAnswer)")
    return words.joined(separator: ", ")
  }
}

extension Scenario.Scene {
  fileprivate var lines: [String] {
    let kind = declarationId.map { "/\($0)" } ?? ""
    return ["  scene \(id) of \(applicationId)\(kind), answers \(answer)"]
      + registrations.map {
        "    \($0.id): showing \(quoted($0.showing)), preferring \(quoted($0.preferring)), "
          + "allowing \(quoted($0.allowing))"
      }
  }
}

extension Scenario.Event: CustomStringConvertible {
  /// The parts of the event; characters outside ASCII are escaped.
  package var description: String {
    let type =
      (resolvedURL.map { ", resolved \(quoted($0))" } ?? "")
      + (contentType.map { ", contentType \($0)" } ?? "") + (sender.map { ", from \($0)" } ?? "")
    switch content {
    case .url(let url): return "url \(quoted(url))\(type)"
    case .activity(let activity):
      let target = activity.targetContentIdentifier.map(quoted) ?? "nil"
      let webpage = activity.webpageURL.map(quoted) ?? "nil"
      return "activity \(activity.activityType), target \(target), webpage \(webpage)\(type)"
    }
  }
}

extension Scenario.Constraints: CustomStringConvertible {
  /// The constraints that are set.
  package var description: String {
    let words = [
      applicationId.map { "application \($0)" },
      sceneId.map { "scene \($0)" },
      originSceneId.map { "origin \($0)" },
      allowNewScene ? nil : "no new scene",
    ]
    return "[\(words.compactMap { $0 }.joined(separator: ", "))]"
  }
}

private func quoted(_ strings: [String]) -> String {
  "[\(strings.map(quoted).joined(separator: ", "))]"
}

private func quoted(_ string: String) -> String {
  "\"\(string.unicodeScalars.map { $0.escaped(asASCII: true) }.joined())\""
}
