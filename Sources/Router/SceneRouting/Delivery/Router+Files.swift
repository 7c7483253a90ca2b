package struct FileDeclarations: Sendable {
  /// At most one for each application, in the order of their desktop ids.
  package let applications: [ApplicationDeclaration]
  /// From the user's lists (`mimeapps.list`).
  package let preferences: [ClaimKey: ClaimPreferences]
  package let hostChoices: [HostClaim: UserChoice]
  /// The outer key is the id of the sender's application, the inner key a scheme or a MIME type.
  package let senderChoices: [String: [ClaimKey: UserChoice]]
  package let fileTypes: (any FileTypeDatabase)?

  /// The caller must have checked the declarations.
  package init(
    applications: [ApplicationDeclaration] = [],
    preferences: [ClaimKey: ClaimPreferences] = [:],
    hostChoices: [HostClaim: UserChoice] = [:],
    senderChoices: [String: [ClaimKey: UserChoice]] = [:],
    fileTypes: (any FileTypeDatabase)? = nil
  ) {
    self.applications = applications.sorted { $0.fileOrder < $1.fileOrder }
    self.preferences = preferences
    self.hostChoices = hostChoices
    self.senderChoices = Dictionary(
      senderChoices.map { ($0.key.asApplicationID, $0.value) },
      uniquingKeysWith: { $0.merging($1) { first, _ in first } }
    )
    self.fileTypes = fileTypes
  }
}

extension ApplicationDeclaration {
  /// The desktop id with its `.desktop`, so `app-more.desktop` comes before `app.desktop`.
  fileprivate var fileOrder: String {
    if case .file(_, let desktopID, _) = source { desktopID } else { applicationID }
  }
}

extension Router {
  /// Events that wait for scenes of a removed application go on to other targets.
  package mutating func replaceFiles(with files: FileDeclarations, now: UInt64) -> [Effect] {
    self.now = now
    let (removed, changed) = registry.setFileDeclarations(files.applications)
    for id in removed {
      add(.applicationRemoved(id))
      for request in requests.requests(ofApplication: id) {
        fail(request, .launchFailed, reason: "applicationGone")
      }
    }
    for id in changed { add(.applicationChanged(id)) }
    registry.setPreferences(files.preferences)
    registry.setHostChoices(files.hostChoices)
    registry.setSenderChoices(files.senderChoices)
    registry.setFileTypes(files.fileTypes)
    return takeEffects()
  }
}
