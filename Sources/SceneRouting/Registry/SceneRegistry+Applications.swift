extension SceneRegistry {
  /// Declares an application over a connection, in place of what a file says of it.
  mutating func declare(
    _ declaration: ApplicationDeclaration,
    user: UserID,
    processID: Int32?,
    limits: Limits
  ) -> Refusal? {
    if let refusal = declaration.refusal(under: limits) { return refusal }
    let known = applicationSlots[declaration.applicationID].flatMap { applications[Int($0)] }
    if let present = known?.declaration, present.owner != nil {
      return .applicationAlreadyDeclared(processID: present.owner?.processID)
    }
    if let refusal = exchange(Charge(), for: declaration.charge, of: user, limits) { return refusal }
    let slot = applicationSlot(for: declaration.applicationID)
    let fileDeclaration = withdrawDeclaration(at: slot)?.declaration
    applications[Int(slot)]?.fileDeclaration = fileDeclaration
    install(declaration, at: slot, owner: Application.Owner(user: user, processID: processID))
    generation += 1
    return nil
  }

  /// Ends what a connection declared; what a file says of the application is in force again.
  mutating func withdrawDeclaration(of applicationID: String) {
    guard let slot = applicationSlots[applicationID],
      let owner = applications[Int(slot)]?.declaration?.owner,
      let declared = withdrawDeclaration(at: slot)
    else { return }
    release(declared.declaration.charge, of: owner.user)
    if let file = applications[Int(slot)]?.fileDeclaration {
      applications[Int(slot)]?.fileDeclaration = nil
      install(file, at: slot, owner: nil)
    }
    freeApplicationSlotIfUnused(slot)
    generation += 1
  }

  /// Replaces everything that files declare; what connections declare stays in force.
  ///
  /// Files belong to the configuration, not to a user, and are charged to nobody.
  package mutating func setFileDeclarations(_ declarations: [ApplicationDeclaration]) {
    for (id, slot) in applicationSlots {
      applications[Int(slot)]?.fileDeclaration = nil
      guard let declared = applications[Int(slot)]?.declaration, declared.owner == nil else { continue }
      _ = withdrawDeclaration(at: slot)
      if !declarations.contains(where: { $0.applicationID == id }) { freeApplicationSlotIfUnused(slot) }
    }
    for (place, declaration) in declarations.sorted(by: SceneRegistry.fileOrder).enumerated() {
      let slot = applicationSlot(for: declaration.applicationID)
      applications[Int(slot)]?.filePlace = place
      if applications[Int(slot)]?.declaration == nil {
        install(declaration, at: slot, owner: nil)
      } else {
        applications[Int(slot)]?.fileDeclaration = declaration
      }
    }
    generation += 1
  }

  /// The user's order of associations, then by desktop id.
  private static func fileOrder(_ left: ApplicationDeclaration, _ right: ApplicationDeclaration) -> Bool {
    guard case .file(_, let leftRank) = left.source, case .file(_, let rightRank) = right.source,
      leftRank != rightRank
    else { return left.applicationID < right.applicationID }
    return leftRank < rightRank
  }

  /// What the user made each application the default for (`mimeapps.list`), by application id.
  package mutating func setUserDefaults(_ defaults: [String: Claims]) {
    userDefaults = [:]
    for (application, claims) in defaults {
      for key in claims.keys { userDefaults[key] = application }
    }
    generation += 1
  }
}

extension SceneRegistry {
  private mutating func install(
    _ declaration: ApplicationDeclaration,
    at slot: Slot,
    owner: Application.Owner?
  ) {
    let order = nextBaseOrder(of: declaration.source, at: slot)
    let first = Candidate(order: order, application: slot, index: 0)
    let setOwner = identifiers.makeOwner(at: first)
    var declared = Application.Declared(
      declaration: declaration,
      owner: owner,
      first: first,
      setOwner: setOwner,
      singletons: Set(declaration.scenes.lazy.filter(\.isSingleton).map(\.id))
    )
    for (index, scene) in declaration.scenes.enumerated() {
      let place = Int32(index)
      declared.matching.append(
        RegisteredIdentifiers(scene.identifiers, in: .matching, at: place, of: setOwner, &identifiers)
      )
    }
    let openSingletons = declared.singletons.count {
      applications[Int(slot)]?.scenesByDeclaration[$0] != nil
    }
    applications[Int(slot)]?.declaration = declared
    applications[Int(slot)]?.openSingletonCount = openSingletons
    openSingletonCount += openSingletons
    forEachPlace(of: declared) { $0.insert($1, takesUnclaimed: declaration.takesUnclaimed) }
    for claim in declaration.claims.keys { claimants[claim, default: []].insert(slot) }
    setTakesUnclaimed(declaration.takesUnclaimed, at: slot)
    if declaration.isSingleScene, let open = applications[Int(slot)]?.scenes {
      singleScenes.insert(open, of: slot, takesUnclaimed: declaration.takesUnclaimed)
    }
  }

  private mutating func withdrawDeclaration(at slot: Slot) -> Application.Declared? {
    guard let declared = applications[Int(slot)]?.declaration else { return nil }
    forEachPlace(of: declared) { $0.remove($1) }
    identifiers.remove(declared.setOwner, with: declared.matching)
    for claim in declared.declaration.claims.keys {
      claimants[claim]?.remove(slot)
      if claimants[claim]?.isEmpty == true { claimants[claim] = nil }
    }
    singleScenes.removeAll(of: slot)
    setTakesUnclaimed(true, at: slot)
    applications[Int(slot)]?.declaration = nil
    openSingletonCount -= applications[Int(slot)]?.openSingletonCount ?? 0
    applications[Int(slot)]?.openSingletonCount = 0
    return declared
  }

  /// Visits the sets of documents and of defaults that a declaration of the application stands in.
  private mutating func forEachPlace(
    of declared: Application.Declared,
    _ change: (inout CandidateSet, Candidate) -> Void
  ) {
    for (index, scene) in declared.declaration.scenes.enumerated() {
      let candidate = declared.candidate(index)
      if scene.isDefault { change(&defaultDeclarations, candidate) }
      guard scene.kind == .documentGroup else { continue }
      for type in Set(scene.supportedTypes.map { $0.lowercased() }) {
        change(&documentDeclarations[type, default: CandidateSet()], candidate)
        if documentDeclarations[type]?.isEmpty == true { documentDeclarations[type] = nil }
      }
    }
  }
}
