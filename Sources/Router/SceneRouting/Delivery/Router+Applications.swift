extension Router {
  /// The connection also gets the application's requests that are already open.
  ///
  /// `takenEventIDs` are events that the program took before the router restarted, without a scene or in a scene that
  /// has closed.
  package mutating func declare(
    _ declaration: ApplicationDeclaration,
    takenEventIDs: [String] = [],
    by client: Client,
    now: UInt64
  ) -> Result<[Effect], CallError> {
    self.now = now
    if let error = error(ofTaken: takenEventIDs) { return .failure(error) }
    // The charge comes first, because a refused call must change nothing.
    let charge = charge(ofTaken: takenEventIDs)
    if let error = registry.recharge(from: Charge(), to: charge, of: client.user, limits) {
      return .failure(error)
    }
    defer { registry.release(charge, of: client.user) }
    let error = registry.declare(
      declaration,
      user: client.user,
      processID: client.processID,
      limits: limits
    )
    if let error { return .failure(error) }
    add(.applicationChanged(declaration.applicationID))
    remember(
      taken: takenEventIDs,
      by: nil,
      ofApplication: declaration.applicationID,
      nil,
      user: client.user
    )
    reportReturn()
    requestScenes(of: declaration.applicationID)
    return .success(takeEffects())
  }

  /// Events that wait for the application's scenes go on to other targets.
  package mutating func withdrawDeclaration(of application: String, now: UInt64) -> [Effect] {
    self.now = now
    registry.withdrawDeclaration(of: application)
    let isStillDeclared = registry.declaration(ofApplication: application) != nil
    add(isStillDeclared ? .applicationChanged(application) : .applicationRemoved(application))
    for request in requests.requests(ofApplication: application) {
      fail(request, .launchFailed, reason: "applicationGone")
    }
    return takeEffects()
  }
}

// MARK: - Files

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
