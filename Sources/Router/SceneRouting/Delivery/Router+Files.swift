/// All that files say of applications, and of types of files.
package struct FileDeclarations: Sendable {
  /// What they declare, at most one for each application, in the order of their ids.
  package let applications: [ApplicationDeclaration]
  /// What the user's lists say of claims.
  package let preferences: [ClaimKey: ClaimPreferences]
  /// The applications that the user chose for hosts, by id.
  package let hostChoices: [HostClaim: String]
  /// What is known of types of files; nil if nothing is.
  package let fileTypes: (any FileTypeDatabase)?

  /// Puts them in order; they are not checked any more.
  package init(
    applications: [ApplicationDeclaration] = [],
    preferences: [ClaimKey: ClaimPreferences] = [:],
    hostChoices: [HostClaim: String] = [:],
    fileTypes: (any FileTypeDatabase)? = nil
  ) {
    self.applications = applications.sorted { $0.applicationID < $1.applicationID }
    self.preferences = preferences
    self.hostChoices = hostChoices
    self.fileTypes = fileTypes
  }
}

extension Router {
  /// Puts all that files say in the place of what they said before, in one step.
  ///
  /// What waits for scenes of an application that is no longer declared is resumed with other targets.
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
    registry.setFileTypes(files.fileTypes)
    return takeEffects()
  }
}
