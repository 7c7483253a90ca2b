import DesktopEntries
import SceneRouting

extension Linter {
  func unmatchable(in application: LintedApplication) -> [Finding] {
    var findings: [Finding] = []
    func find(_ scene: SceneDeclaration?, _ sentence: String, advice: String) {
      findings.append(Finding(.neverMatches, at: application.place(of: scene), sentence, advice: advice))
    }
    if let entry = application.entry, !entry.takesEvents, entry.hasSceneKeys || !entry.claims.isEmpty {
      findings.append(
        Finding(
          .neverMatches,
          at: application.place(ofLine: entry.scenes[0].lineOfExec),
          "'Exec' takes no URL and no file, so the application gets only events that name it.",
          advice: "Add '%u' to 'Exec', or 'X-Scened-Aware=true' if the program speaks to scened."
        )
      )
    }
    let typesKey = application.name("X-Scened-SupportedTypes", "supportedTypes")
    let matchingKey = application.name("X-Scened-Matching", "matching")
    for scene in application.declaration.scenes {
      findings += checked(
        scene.kind == .windowGroup ? scene.matching ?? [] : [],
        of: application,
        at: application.place(of: scene)
      )
      switch scene.kind {
      case .windowGroup where !scene.supportedTypes.isEmpty:
        find(
          scene,
          "A window group opens no file types.",
          advice: "Remove '\(typesKey)', or make it a document group."
        )
      case .documentGroup where scene.supportedTypes.isEmpty:
        find(scene, "The document group has no file types.", advice: "Add types with '\(typesKey)'.")
      case .documentGroup where scene.matching != nil:
        find(scene, "A document group matches no identifiers.", advice: "Remove '\(matchingKey)'.")
      default: break
      }
      for type in scene.kind == .documentGroup ? scene.supportedTypes : [] {
        if !type.contains("/"), let dot = type.lastIndex(of: ".") {
          find(
            scene,
            "'\(type)' is no filename extension, because an extension begins after the last dot.",
            advice: "Write '\(type[dot...].dropFirst())'."
          )
        } else if type.contains("/"), !canGet(type, application.claims) {
          find(
            scene,
            "The application claims types, but not '\(type)', so it never gets such files.",
            advice: "Claim '\(type)' too, or remove it."
          )
        }
      }
    }
    return findings
  }

  private func canGet(_ type: String, _ claims: Claims) -> Bool {
    // A link that matches such a claim can name a file of any type.
    guard claims.schemes.isEmpty, claims.hosts.isEmpty, claims.activityTypes.isEmpty else { return true }
    return claims.mimeTypes.isEmpty || claims.mimeTypes.contains { covers($0, type) || covers(type, $0) }
  }

  /// Each is a MIME type, `TYPE/*` or a filename extension.
  func covers(_ other: String, _ type: String) -> Bool {
    let (other, type) = (other.lowercased(), type.lowercased())
    if other.hasSuffix("/*") { return type.hasPrefix(other.dropLast()) }
    return other == type
      || type.contains("/") && !type.hasSuffix("/*") && database.isSubclass(type, of: other)
  }

  /// Another declaration of the application always comes first.
  func shadowed(in application: LintedApplication) -> [Finding] {
    var findings: [Finding] = []
    func find(_ scene: SceneDeclaration, _ subject: String, by first: SceneDeclaration, _ reason: String) {
      findings.append(
        Finding(
          .shadowed,
          at: application.place(of: scene),
          "\(subject) never opens '\(scene.id)': \(reason), and '\(first.id)' comes first.",
          advice: "Move '\(scene.id)' before '\(first.id)', or remove it."
        )
      )
    }
    let scenes = application.declaration.scenes
    let all = scenes.first { $0.kind == .windowGroup && $0.matching?.contains(wildcard) == true }
    let plain = scenes.first { $0.isWithoutCondition }
    for (index, scene) in scenes.enumerated() {
      let earlier = scenes[..<index]
      if scene.isWithoutCondition {
        if let plain, plain.id != scene.id {
          findings.append(
            Finding(
              .shadowed,
              at: application.place(of: scene),
              "'\(scene.id)' is never chosen, because '\(plain.id)' has no condition either and comes first.",
              advice: "Give it a condition with '\(application.name("X-Scened-Matching", "matching"))'."
            )
          )
        } else if let all {
          findings.append(
            Finding(
              .shadowed,
              at: application.place(of: scene),
              "'\(scene.id)' is never chosen, because '\(all.id)' matches everything.",
              advice: "Remove '*' from '\(all.id)', or '\(scene.id)'."
            )
          )
        }
      } else if let first = earlier.first(where: { $0.id == all?.id }), scene.hasCondition {
        find(scene, "An event", by: first, "'\(first.id)' matches everything")
      } else if scene.kind == .windowGroup {
        for identifier in scene.matching ?? [] where !FoldedText(identifier).isEmpty {
          guard let (first, shorter) = Self.first(of: earlier, in: identifier) else { continue }
          find(scene, "'\(identifier)'", by: first, "it contains '\(shorter)' of '\(first.id)'")
        }
      } else {
        for type in scene.supportedTypes {
          let first = earlier.lazy.filter { $0.kind == .documentGroup }
            .compactMap { first in first.supportedTypes.first { covers($0, type) }.map { (first, $0) } }.first
          if let (first, other) = first { find(scene, "'\(type)'", by: first, "it is covered by '\(other)'") }
        }
      }
    }
    return findings
  }

  /// A scene that matches `wiki` also matches every link with `wiki/help`, because `wiki/help` contains `wiki`.
  private static func first(
    of scenes: ArraySlice<SceneDeclaration>,
    in identifier: String
  ) -> (scene: SceneDeclaration, identifier: String)? {
    guard identifier != wildcard else { return nil }
    let text = FoldedText(identifier).bytes
    for scene in scenes where scene.kind == .windowGroup {
      for shorter in scene.matching ?? [] {
        let part = FoldedText(shorter)
        if !part.isEmpty, text.firstRange(of: part.bytes) != nil { return (scene, shorter) }
      }
    }
    return nil
  }
}

extension SceneDeclaration {
  /// Such a declaration takes the events that match no other.
  var isWithoutCondition: Bool { kind == .windowGroup && matching == nil }
}
