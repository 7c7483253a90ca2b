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
    scenes[Int(slot)] = Scene(
      id: id,
      user: user,
      processID: client.processID,
      application: application,
      applicationID: context.applicationID,
      declarationID: context.declarationID,
      title: context.title,
      charge: charge,
      candidate: candidate,
      setOwner: identifiers.makeOwner(at: candidate),
      openedUSec: realTimeUSec
    )
    place(candidate, declarationID: context.declarationID)
    for registration in context.registrations { add(registration, to: slot) }
    generation += 1
    return .success(id)
  }

  /// Closes a scene, and takes all it holds out of the table.
  mutating func closeScene(_ id: SceneID) {
    guard let slot = sceneSlots[id], let scene = scenes[Int(slot)] else { return }
    displace(scene.candidate, declarationID: scene.declarationID)
    release(scene.charge, of: scene.user)
    accounts[scene.user].scenes -= 1
    freeSceneSlot(slot, of: id)
    freeApplicationSlotIfUnused(scene.application)
    let sets = scene.registrations.lazy.flatMap { [$0.preferring, $0.allowing] }
    identifiers.remove(scene.setOwner, with: sets)
    generation += 1
  }

  /// Adds a registration, or replaces the one with the same id, both sets at once.
  mutating func setRegistration(
    _ registration: Registration,
    of id: SceneID,
    limits: Limits
  ) -> Refusal? {
    guard let slot = sceneSlots[id] else { return .noSuchScene }
    if let refusal = registration.refusal(under: limits) { return refusal }
    let registrations = scenes[Int(slot)]?.registrations ?? []
    let present = registrations.firstIndex { $0.id == registration.id }
    guard present != nil || registrations.count < limits.registrationsPerScene else {
      return .limitExceeded(.registrationsPerScene, maximum: limits.registrationsPerScene)
    }
    let removed = present.map { registrations[$0].charge } ?? Charge()
    if let refusal = exchange(removed, for: registration.charge, ofScene: slot, limits) { return refusal }
    // What both hold stays in the table.
    add(registration, to: slot, at: present)
    if let present { remove(registrations[present]) }
    generation += 1
    return nil
  }

  /// Takes a registration out of a scene's union.
  mutating func removeRegistration(_ registrationID: String, of id: SceneID) -> Refusal? {
    guard let slot = sceneSlots[id], let user = scenes[Int(slot)]?.user else { return .noSuchScene }
    guard let index = scenes[Int(slot)]?.registrations.firstIndex(where: { $0.id == registrationID }),
      let sets = scenes[Int(slot)]?.registrations.remove(at: index)
    else { return .noSuchRegistration(registrationID) }
    release(sets.charge, of: user)
    scenes[Int(slot)]?.charge.identifiers -= sets.charge.identifiers
    scenes[Int(slot)]?.charge.bytes -= sets.charge.bytes
    remove(sets)
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
    guard let scene = scenes[Int(slot)] else { return .noSuchScene }
    let charge = scene.charge - removed + added
    let refusal = limits.refusal(ofScene: charge) ?? exchange(removed, for: added, of: scene.user, limits)
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

  /// Puts a scene in its place among the scenes of its application.
  private mutating func place(_ candidate: Candidate, declarationID: String?) {
    let application = Int(candidate.application)
    applications[application]?.scenes.insert(candidate)
    if let declarationID {
      if applications[application]?.scenesByDeclaration[declarationID] == nil {
        noteSingleton(declarationID, ofApplication: application, 1)
      }
      applications[application]?.scenesByDeclaration[declarationID, default: SortedCandidates()]
        .insert(candidate)
    }
    if let declaration = applications[application]?.declaration?.declaration, declaration.isSingleScene {
      singleScenes.insert(candidate, takesUnclaimed: declaration.takesUnclaimed)
    }
  }

  private mutating func displace(_ candidate: Candidate, declarationID: String?) {
    let application = Int(candidate.application)
    applications[application]?.scenes.remove(candidate)
    if let declarationID {
      applications[application]?.scenesByDeclaration[declarationID]?.remove(candidate)
      if applications[application]?.scenesByDeclaration[declarationID]?.isEmpty == true {
        applications[application]?.scenesByDeclaration[declarationID] = nil
        noteSingleton(declarationID, ofApplication: application, -1)
      }
    }
    singleScenes.remove(candidate)
  }

  /// Counts a declaration up or down if there is never more than one scene of it.
  private mutating func noteSingleton(_ declarationID: String, ofApplication slot: Int, _ change: Int) {
    guard applications[slot]?.declaration?.singletons.contains(declarationID) == true else { return }
    applications[slot]?.openSingletonCount += change
    openSingletonCount += change
  }

  /// Makes a scene the first of all.
  ///
  /// Costs a few steps for each of the crowds it is in, however much it holds.
  private mutating func moveToFront(_ slot: Slot) {
    guard let scene = scenes[Int(slot)] else { return }
    var moved = scene.candidate
    moved.order = nextActiveOrder()
    displace(scene.candidate, declarationID: scene.declarationID)
    place(moved, declarationID: scene.declarationID)
    identifiers.move(scene.setOwner, to: moved)
    scenes[Int(slot)]?.candidate = moved
  }
}

// MARK: - Sets

extension SceneRegistry {
  func describe(_ sets: Scene.RegisteredSets) -> Registration {
    Registration(
      id: sets.id,
      preferring: sets.preferring.texts(identifiers),
      allowing: sets.allowing.texts(identifiers)
    )
  }

  /// Adds a registration at the end, or in the place of a replaced one.
  private mutating func add(_ registration: Registration, to slot: Slot, at index: Int? = nil) {
    guard let owner = scenes[Int(slot)]?.setOwner else { return }
    let sets = Scene.RegisteredSets(
      id: registration.id,
      preferring: RegisteredIdentifiers(registration.preferring, in: .preferring, of: owner, &identifiers),
      allowing: RegisteredIdentifiers(registration.allowing, in: .allowing, of: owner, &identifiers)
    )
    if let index {
      scenes[Int(slot)]?.registrations[index] = sets
    } else {
      scenes[Int(slot)]?.registrations.append(sets)
    }
  }

  private mutating func remove(_ sets: Scene.RegisteredSets) {
    identifiers.remove(sets.preferring)
    identifiers.remove(sets.allowing)
  }
}
