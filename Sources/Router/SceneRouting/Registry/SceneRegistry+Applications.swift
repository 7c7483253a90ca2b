extension SceneRegistry {
  /// The declaration of a connection replaces a file's declaration.
  mutating func declare(
    _ declaration: ApplicationDeclaration,
    user: UserID,
    processID: Int32?,
    limits: Limits
  ) -> CallError? {
    if let error = declaration.error(under: limits) { return error }
    if let owner = applicationsByID[declaration.applicationID]?.declaration?.owner {
      return .applicationAlreadyDeclared(processID: owner.processID)
    }
    if let error = exchange(Charge(), for: declaration.charge, of: user, limits) { return error }
    let application = application(for: declaration.applicationID)
    application.fileDeclaration = withdrawDeclaration(of: application)?.declaration
    install(declaration, of: application, owner: Application.Owner(user: user, processID: processID))
    connectedApplicationCount += 1
    generation += 1
    return nil
  }

  /// If a file declares the application too, its declaration comes into force.
  mutating func withdrawDeclaration(of applicationID: String) {
    guard let application = applicationsByID[applicationID], let owner = application.declaration?.owner,
      let declared = withdrawDeclaration(of: application)
    else { return }
    release(declared.declaration.charge, of: owner.user)
    connectedApplicationCount -= 1
    if let file = application.fileDeclaration {
      application.fileDeclaration = nil
      install(file, of: application, owner: nil)
    }
    removeIfUnused(application)
    generation += 1
  }

  /// From the user's lists (`mimeapps.list`).
  package mutating func setPreferences(_ preferences: [ClaimKey: ClaimPreferences]) {
    guard preferences != self.preferences else { return }
    self.preferences = preferences
    generation += 1
  }

  package mutating func setFileTypes(_ database: (any FileTypeDatabase)?) {
    if database.map({ $0.isEqual(to: fileTypes) }) ?? (fileTypes == nil) { return }
    fileTypes = database
    generation += 1
  }

  /// From `intentapps.list`; the closest entry whose application is known counts, as if it claimed the host.
  package mutating func setHostChoices(_ choices: [HostClaim: UserChoice]) {
    var table = HostTable<UserChoice>()
    for (claim, choice) in choices { table[claim] = choice }
    guard table != hostChoices else { return }
    hostChoices = table
    generation += 1
  }

  /// The outer key is the id of the sender's application, the inner key a scheme or a MIME type.
  package mutating func setSenderChoices(_ choices: [String: [ClaimKey: UserChoice]]) {
    guard choices != senderChoices else { return }
    senderChoices = choices
    generation += 1
  }
}

extension SceneRegistry {
  mutating func install(
    _ declaration: ApplicationDeclaration,
    of application: Application,
    owner: Application.Owner?
  ) {
    let order = nextBaseOrder(of: declaration.source, of: application)
    let first = Candidate(order: order, application: application.slot, index: 0)
    var declared = Application.Declared(declaration, owner: owner, at: first)
    for (index, scene) in declaration.scenes.enumerated() {
      let holder = holders.makeHolder(at: declared.candidate(index))
      let identifiers = RegisteredTexts(scene.identifiers, in: .matching, of: holder, &holders)
      declared.matching.append(Application.Matching(holder: holder, identifiers: identifiers))
    }
    application.declaration = declared
    declaredApplications.insert(first)
    forEachPlace(of: declared) { $0.insert($1) }
    claims.insert(declared)
    if declaration.isSingleScene { for scene in application.scenes { singleScenes.insert(scene) } }
  }

  @discardableResult
  mutating func withdrawDeclaration(of application: Application) -> Application.Declared? {
    guard let declared = application.declaration else { return nil }
    application.declaration = nil
    declaredApplications.remove(declared.first)
    forEachPlace(of: declared) { $0.remove($1) }
    for matching in declared.matching {
      for key in matching.identifiers.keys { holders.remove(key, of: matching.holder, in: .matching) }
      holders.remove(matching.holder)
    }
    claims.remove(declared)
    if declared.declaration.isSingleScene { for scene in application.scenes { singleScenes.remove(scene) } }
    return declared
  }

  private mutating func forEachPlace(
    of declared: Application.Declared,
    _ change: (inout SortedCandidates, Candidate) -> Void
  ) {
    for (index, scene) in declared.declaration.scenes.enumerated() {
      let candidate = declared.candidate(index)
      if scene.isDefault { change(&defaultDeclarations, candidate) }
      guard scene.kind == .documentGroup else { continue }
      for type in Set(scene.supportedTypes.map { $0.lowercased() }) {
        change(&documentDeclarations[type, default: SortedCandidates()], candidate)
        if documentDeclarations[type]?.isEmpty == true { documentDeclarations[type] = nil }
      }
    }
  }
}
