extension SceneRegistry {
  /// Declares an application over a connection, in place of what a file says of it.
  mutating func declare(
    _ declaration: ApplicationDeclaration,
    _ staged: StagedIdentifiers,
    user: UserID,
    processID: Int32?,
    limits: Limits
  ) -> Refusal? {
    var staged = staged
    defer { staged.discard(in: &identifiers) }
    if let refusal = declaration.refusal(under: limits) { return refusal }
    let known = applicationSlots[declaration.applicationID].flatMap { applications[Int($0)] }
    if let present = known?.declaration, present.owner != nil {
      return .applicationAlreadyDeclared(processID: present.owner?.processID)
    }
    if let refusal = exchange(Charge(), for: declaration.charge, of: user, limits) { return refusal }
    let slot = applicationSlot(for: declaration.applicationID)
    let fileDeclaration = withdrawDeclaration(at: slot)?.declaration
    applications[Int(slot)]?.fileDeclaration = fileDeclaration
    let added = staged.isEmpty ? declaration.charge : Charge()
    install(declaration, &staged, at: slot, owner: Application.Owner(user: user, processID: processID))
    tidy(after: added)
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
      install(file, at: slot)
    }
    freeApplicationSlotIfUnused(slot)
    tidy(after: Charge())
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
        install(declaration, at: slot)
      } else {
        applications[Int(slot)]?.fileDeclaration = declaration
      }
      tidy(after: declaration.charge)
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

  /// What an application shows to the outside; `nil` if it is not declared.
  package func description(ofApplication id: String) -> ApplicationDescription? {
    guard let slot = applicationSlots[id], let declared = applications[Int(slot)]?.declaration else {
      return nil
    }
    return ApplicationDescription(
      declaration: declared.declaration,
      isRunning: declared.owner != nil
    )
  }

  /// The ids of all declared applications, in the order of their declarations.
  package func declaredApplicationIDs() -> [String] {
    applications.compactMap { application in application?.declaration.map { ($0.baseOrder, application?.id) }
    }
    .sorted { $0.0 < $1.0 }.compactMap(\.1)
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
  /// Puts in force what a file declares.
  private mutating func install(_ declaration: ApplicationDeclaration, at slot: Slot) {
    var none = StagedIdentifiers()
    install(declaration, &none, at: slot, owner: nil)
  }

  private mutating func install(
    _ declaration: ApplicationDeclaration,
    _ staged: inout StagedIdentifiers,
    at slot: Slot,
    owner: Application.Owner?
  ) {
    let declared = Application.Declared(
      declaration: declaration,
      owner: owner,
      baseOrder: nextBaseOrder(of: declaration.source, at: slot)
    )
    applications[Int(slot)]?.declaration = declared
    for (index, scene) in declaration.scenes.enumerated() {
      let place = declared.candidate(index, at: slot)
      let owner = staged.takeOwner(at: place, &identifiers) ?? identifiers.makeOwner(at: place)
      let matching = register(scene.identifiers, &staged, in: .matching, of: owner)
      applications[Int(slot)]?.declaration?.setOwners.append(owner)
      applications[Int(slot)]?.declaration?.matching.append(matching)
    }
    forEachPlace(of: declared, at: slot) { $0.insert($1) }
    for claim in declaration.claims.keys { claimants[claim, default: []].insert(slot) }
    if !declaration.takesUnclaimed { unclaiming.remove(slot) }
    updateScenes(of: slot)
    if declaration.isSingleScene { forEachScene(of: slot) { $0.insert($1) } }
  }

  private mutating func withdrawDeclaration(at slot: Slot) -> Application.Declared? {
    guard let declared = applications[Int(slot)]?.declaration else { return nil }
    forEachPlace(of: declared, at: slot) { $0.remove($1) }
    for (owner, matching) in zip(declared.setOwners, declared.matching) {
      identifiers.retire(owner, with: CollectionOfOne(matching))
    }
    for claim in declared.declaration.claims.keys {
      claimants[claim]?.remove(slot)
      if claimants[claim]?.isEmpty == true { claimants[claim] = nil }
    }
    if declared.declaration.isSingleScene { forEachScene(of: slot) { $0.remove($1) } }
    unclaiming.insert(slot)
    applications[Int(slot)]?.declaration = nil
    updateScenes(of: slot)
    return declared
  }

  /// Visits the sets of documents and of defaults that a declaration of the application stands in.
  private mutating func forEachPlace(
    of declared: Application.Declared,
    at slot: Slot,
    _ change: (inout CandidateSet, Candidate) -> Void
  ) {
    for (index, scene) in declared.declaration.scenes.enumerated() {
      let candidate = declared.candidate(index, at: slot)
      if scene.isDefault { change(&defaultDeclarations, candidate) }
      guard scene.kind == .documentGroup else { continue }
      for type in Set(scene.supportedTypes.map { $0.lowercased() }) {
        change(&documentDeclarations[type, default: CandidateSet()], candidate)
        if documentDeclarations[type]?.isEmpty == true { documentDeclarations[type] = nil }
      }
    }
  }

  /// Notes with the scenes of an application whether it now takes part in what nobody claims.
  ///
  /// Costs what its scenes hold, if that has changed.
  private mutating func updateScenes(of slot: Slot) {
    guard let application = applications[Int(slot)] else { return }
    var next = application.scenes.first
    while let candidate = next, candidate.takesUnclaimed != application.takesUnclaimed {
      var changed = candidate
      changed.takesUnclaimed = application.takesUnclaimed
      replaceCandidate(of: candidate.index, with: changed)
      next = application.scenes.first(after: candidate)
    }
  }

  private mutating func forEachScene(of slot: Slot, _ change: (inout CandidateSet, Candidate) -> Void) {
    let open = applications[Int(slot)]?.scenes
    var next = open?.first
    while let candidate = next {
      change(&singleScenes, candidate)
      next = open?.first(after: candidate)
    }
  }
}
