package import DesktopEntries
package import SceneRouting

package struct InstalledApplication: Hashable, Sendable {
  /// Other programs hand links to the router through this entry, which never counts as an application.
  package static let routersOwnID = "scened-open.desktop"

  /// The claimed types and schemes include the changes that the user's lists make.
  package var entry: DesktopEntry
  package var path: String
  /// Whether only root can change the file and its directory; if not, the hosts that the entry claims are ignored.
  package var isTrusted: Bool

  package var id: String { entry.id.asApplicationID }

  package init(entry: DesktopEntry, path: String, isTrusted: Bool = false) {
    (self.entry, self.path, self.isTrusted) = (entry, path, isTrusted)
  }

  package func complaint(under limits: Limits) -> Complaint? {
    let declaration = ApplicationDeclaration(self)
    // The complaint about a single scene names the line where the scene's group begins.
    for (scene, declared) in zip(entry.scenes, declaration.scenes) {
      if let error = declared.error(under: limits) { return Complaint(error, line: scene.line) }
    }
    return declaration.error(under: limits).map { Complaint($0, line: entry.scenes.first?.line ?? 1) }
  }
}

extension ApplicationDeclaration {
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
      source: .file(path: application.path, desktopID: entry.id, isTrusted: application.isTrusted),
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
        "The limit '\(limit.rawValue)' is exceeded: at most \(maximum). Make the group shorter."
      case .invalidParameter(let path): "The value of '\(path)' cannot be declared; correct it."
      default: "The entry cannot be declared (\(error))."
      }
    self.init(line: line, severity: .error, text: text)
  }
}
