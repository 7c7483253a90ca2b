/// The content of all files about applications and file types.
package struct FileDeclarations: Sendable {
  /// The declarations, at most one for each application, in the order of their desktop ids.
  package let applications: [ApplicationDeclaration]
  /// What the user's lists (`mimeapps.list`) say about each claim.
  package let preferences: [ClaimKey: ClaimPreferences]
  /// The applications that the user chose for hosts.
  package let hostChoices: [HostClaim: UserChoice]
  /// The applications that the user chose for the events of certain senders.
  ///
  /// The outer key is the id of the sender's application, the inner key a scheme or MIME type.
  package let senderChoices: [String: [ClaimKey: UserChoice]]
  /// The database of file types; nil if there is no database.
  package let fileTypes: (any FileTypeDatabase)?

  /// Makes the content and sorts the declarations by their desktop ids.
  ///
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
  /// The text by which declarations from files are sorted: the desktop id.
  ///
  /// The id ends in `.desktop`. So `app-more.desktop` comes before `app.desktop`, because `-` sorts before `.`.
  fileprivate var fileOrder: String {
    if case .file(_, let desktopID, _) = source { desktopID } else { applicationID }
  }
}

extension Router {
  /// Replaces, in one step, everything that the router knows from files about applications and file types.
  ///
  /// If an application is removed, the events that wait for its scenes go on to other targets.
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
