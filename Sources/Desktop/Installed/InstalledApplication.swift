package import DesktopEntries
package import SceneRouting

/// An application that a desktop entry declares.
package struct InstalledApplication: Hashable, Sendable {
  /// The router's own entry, through which links come to it; it never takes part.
  package static let routersOwnID = "scened-open.desktop"

  /// What the entry says; the types and schemes among its claims are those that the user's lists leave and add.
  package var entry: DesktopEntry
  /// The entry's file.
  package var path: String
  /// Whether only root can have put the file there, so that its claims of hosts count.
  package var isTrusted: Bool

  /// Makes an application.
  package init(entry: DesktopEntry, path: String, isTrusted: Bool = false) {
    (self.entry, self.path, self.isTrusted) = (entry, path, isTrusted)
  }

  /// What breaks a limit of the router, so that the application cannot be declared.
  package func complaint(under limits: Limits) -> Complaint? {
    let declaration = ApplicationDeclaration(self)
    // Of one group, if it is one group's.
    for (scene, declared) in zip(entry.scenes, declaration.scenes) {
      if let error = declared.error(under: limits) { return Complaint(error, line: scene.line) }
    }
    return declaration.error(under: limits).map { Complaint($0, line: entry.scenes.first?.line ?? 1) }
  }
}

extension ApplicationDeclaration {
  /// What an entry declares.
  package init(_ application: InstalledApplication) {
    let entry = application.entry
    self.init(
      applicationID: entry.id,
      scenes: entry.scenes.map { SceneDeclaration($0) },
      claims: Claims(
        schemes: entry.claims.schemes,
        activityTypes: entry.claims.activityTypes,
        mimeTypes: entry.claims.mimeTypes,
        hosts: entry.claims.hosts
      ),
      isSingleScene: entry.isSingleScene,
      program: entry.isAware ? .aware : entry.opensAllAtOnce ? .opensMany : .opensOne,
      source: .file(path: application.path, isTrusted: application.isTrusted),
      isForNamedEventsOnly: entry.isForNamedEventsOnly
    )
  }
}

extension SceneDeclaration {
  fileprivate init(_ scene: DesktopEntry.Scene) {
    self.init(
      id: scene.declarationID,
      title: scene.title,
      kind: scene.kind == .documentGroup ? .documentGroup : .windowGroup,
      matching: scene.matching,
      supportedTypes: scene.supportedTypes,
      isSingleton: scene.isSingleton
    )
  }
}

extension Complaint {
  fileprivate init(_ error: CallError, line: Int) {
    let text =
      switch error {
      case .limitExceeded(let limit, let maximum):
        "The limit '\(limit.rawValue)' is \(maximum) and exceeded; make the group shorter."
      case .invalidParameter(let path): "'\(path)' has no value that can be declared; correct it."
      default: "It cannot be declared (\(error))."
      }
    self.init(line: line, severity: .error, text: text)
  }
}
