extension SceneRegistry {
  /// Opens a scene, unless a limit or a rule forbids it.
  mutating func openScene(
    _ context: SceneContext,
    by client: Client,
    realTimeUSec: Int64,
    limits: Limits
  ) -> Result<SceneID, Refusal> {
    if let refusal = context.refusal(under: limits) ?? refusalToOpen(context) { return .failure(refusal) }
    let user = client.user
    guard account(of: user).scenes < limits.scenesPerUser else {
      return .failure(.limitExceeded(.scenesPerUser, maximum: limits.scenesPerUser))
    }
    let charge = context.charge
    if let refusal = exchange(Charge(), for: charge, of: user, limits) { return .failure(refusal) }
    accounts[user].scenes += 1

    let id = nextSceneID()
    let application = applicationSlot(for: context.applicationID)
    let slot = takeSceneSlot(for: id)
    let candidate = Candidate(order: Int64(id.rawValue), application: application, index: slot)
    let holder = holders.makeHolder(at: candidate)
    scenes[Int(slot)] = Scene(
      id: id,
      user: user,
      processID: client.processID,
      application: application,
      applicationID: context.applicationID,
      declarationID: context.declarationID,
      title: context.title,
      registrations: context.registrations.map { Scene.RegisteredSets($0, of: holder, &holders) },
      charge: charge,
      candidate: candidate,
      holder: holder,
      openedUSec: realTimeUSec
    )
    place(candidate, declarationID: context.declarationID)
    generation += 1
    return .success(id)
  }

  /// Closes a scene, which takes part in nothing any longer.
  mutating func closeScene(_ id: SceneID) {
    guard let slot = sceneSlots[id], let scene = scenes[Int(slot)] else { return }
    displace(scene.candidate, declarationID: scene.declarationID)
    for sets in scene.registrations {
      for key in sets.preferring.keys { holders.remove(key, of: scene.holder, in: .preferring) }
      for key in sets.allowing.keys { holders.remove(key, of: scene.holder, in: .allowing) }
    }
    holders.remove(scene.holder)
    release(scene.charge, of: scene.user)
    accounts[scene.user].scenes -= 1
    removeScene(at: slot, id)
    removeApplicationIfUnused(scene.application)
    generation += 1
  }

  /// Adds a registration, or replaces the one with the same id, both sets at once.
  mutating func setRegistration(
    _ registration: Registration,
    of id: SceneID,
    limits: Limits
  ) -> Refusal? {
    guard let slot = sceneSlots[id], let scene = scenes[Int(slot)] else { return .noSuchScene }
    if let refusal = registration.refusal(under: limits) { return refusal }
    let index = scene.registrations.firstIndex { $0.id == registration.id }
    guard index != nil || scene.registrations.count < limits.registrationsPerScene else {
      return .limitExceeded(.registrationsPerScene, maximum: limits.registrationsPerScene)
    }
    let removed = index.map { scene.registrations[$0].charge } ?? Charge()
    if let refusal = exchange(removed, for: registration.charge, ofScene: slot, limits) { return refusal }
    // What both have stays where it is in the table.
    let sets = Scene.RegisteredSets(registration, of: scene.holder, &holders)
    if let index {
      scenes[Int(slot)]?.registrations[index] = sets
      releaseIdentifiers(of: scene.registrations[index], fromSceneAt: slot)
    } else {
      scenes[Int(slot)]?.registrations.append(sets)
    }
    generation += 1
    return nil
  }

  /// Removes a registration from a scene's union.
  mutating func removeRegistration(_ registrationID: String, of id: SceneID) -> Refusal? {
    guard let slot = sceneSlots[id], let scene = scenes[Int(slot)] else { return .noSuchScene }
    guard let index = scene.registrations.firstIndex(where: { $0.id == registrationID }) else {
      return .noSuchRegistration(registrationID)
    }
    let sets = scene.registrations[index]
    scenes[Int(slot)]?.registrations.remove(at: index)
    scenes[Int(slot)]?.charge = scene.charge - sets.charge
    release(sets.charge, of: scene.user)
    releaseIdentifiers(of: sets, fromSceneAt: slot)
    generation += 1
    return nil
  }

  /// Changes what else is known of a scene; `isActive: false` changes nothing.
  ///
  /// Returns whether anything changed.
  mutating func updateScene(
    _ id: SceneID,
    title: String?,
    isActive: Bool,
    realTimeUSec: Int64,
    limits: Limits
  ) -> Result<Bool, Refusal> {
    guard let slot = sceneSlots[id] else { return .failure(.noSuchScene) }
    if let refusal = limits.refusal(ofString: title) { return .failure(refusal) }
    guard title != nil || isActive else { return .success(false) }
    if let title {
      let removed = SceneContext.charge(ofTitle: scenes[Int(slot)]?.title)
      let added = SceneContext.charge(ofTitle: title)
      if let refusal = exchange(removed, for: added, ofScene: slot, limits) { return .failure(refusal) }
      scenes[Int(slot)]?.title = title
    }
    if isActive {
      scenes[Int(slot)]?.activeUSec = realTimeUSec
      moveToFront(slot)
    }
    generation += 1
    return .success(true)
  }
}

// MARK: - Placing

extension SceneRegistry {
  /// Charges `added` in place of `removed` to an open scene and its user, unless that exceeds a limit.
  private mutating func exchange(
    _ removed: Charge,
    for added: Charge,
    ofScene slot: Slot,
    _ limits: Limits
  ) -> Refusal? {
    guard let present = scenes[Int(slot)]?.charge, let user = scenes[Int(slot)]?.user else {
      return .noSuchScene
    }
    let charge = present - removed + added
    let refusal = limits.refusal(ofScene: charge) ?? exchange(removed, for: added, of: user, limits)
    if refusal == nil { scenes[Int(slot)]?.charge = charge }
    return refusal
  }

  /// Why a scene may not be opened beside those that are open.
  private func refusalToOpen(_ context: SceneContext) -> Refusal? {
    guard let slot = applicationSlots[context.applicationID], let application = applications[Int(slot)],
      let declaration = application.declaration?.declaration
    else { return nil }
    var occupant: Candidate?
    if declaration.isSingleScene { occupant = application.scenes.first }
    if let id = context.declarationID, declaration.scenes.first(where: { $0.id == id })?.isSingleton == true {
      occupant = occupant ?? application.scenesByDeclaration[id]?.first
    }
    return occupant.flatMap { scenes[Int($0.index)] }
      .map { .sceneAlreadyOpen(application: application.id, scene: $0.id) }
  }

  /// Puts a scene in its place among all others.
  private mutating func place(_ candidate: Candidate, declarationID: String?) {
    let application = candidate.application
    openScenes.insert(candidate)
    applications[Int(application)]?.scenes.insert(candidate)
    if let declarationID {
      applications[Int(application)]?.scenesByDeclaration[declarationID, default: SortedCandidates()]
        .insert(candidate)
    }
    if applications[Int(application)]?.isSingleScene == true { singleScenes.insert(candidate) }
  }

  private mutating func displace(_ candidate: Candidate, declarationID: String?) {
    let application = candidate.application
    openScenes.remove(candidate)
    applications[Int(application)]?.scenes.remove(candidate)
    if let declarationID {
      applications[Int(application)]?.scenesByDeclaration[declarationID]?.remove(candidate)
      if applications[Int(application)]?.scenesByDeclaration[declarationID]?.isEmpty == true {
        applications[Int(application)]?.scenesByDeclaration[declarationID] = nil
      }
    }
    singleScenes.remove(candidate)
  }

  /// Makes a scene the first of all; costs nothing for each of its identifiers.
  private mutating func moveToFront(_ slot: Slot) {
    guard let scene = scenes[Int(slot)] else { return }
    var moved = scene.candidate
    moved.order = nextActiveOrder()
    displace(scene.candidate, declarationID: scene.declarationID)
    place(moved, declarationID: scene.declarationID)
    holders.move(scene.holder, to: moved)
    scenes[Int(slot)]?.candidate = moved
  }

  /// Removes the identifiers of a registration, which is listed no longer, that no other one of the scene has.
  private mutating func releaseIdentifiers(of sets: Scene.RegisteredSets, fromSceneAt slot: Slot) {
    guard let scene = scenes[Int(slot)] else { return }
    // Where each has as many as a scene may have in all, that is a million comparisons: a millisecond.
    for kind in [IdentifierSetKind.preferring, .allowing] {
      for key in sets.identifiers(kind).keys
      where !scene.registrations.contains(where: { $0.contains(key, in: kind) }) {
        holders.remove(key, of: scene.holder, in: kind)
      }
    }
  }
}
