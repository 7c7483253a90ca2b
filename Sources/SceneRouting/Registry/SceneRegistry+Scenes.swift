extension SceneRegistry {
  /// Opens a scene, unless a limit or a rule forbids it.
  mutating func openScene(
    _ context: SceneContext,
    user: UserID,
    realTimeUSec: Int64,
    limits: Limits
  ) -> Result<SceneID, Refusal> {
    if let refusal = context.refusal(under: limits) ?? refusalToOpen(context) { return .failure(refusal) }
    guard account(of: user).scenes < limits.scenesPerUser else {
      return .failure(.limitExceeded(.scenesPerUser, maximum: limits.scenesPerUser))
    }
    if let refusal = exchange(Charge(), for: context.charge, of: user, limits) { return .failure(refusal) }
    accounts[user].scenes += 1

    let id = nextSceneID()
    let application = applicationSlot(for: context.applicationID)
    let slot = takeSceneSlot(for: id)
    let candidate = Candidate(
      order: Int64(id.rawValue),
      application: application,
      index: slot,
      takesUnclaimed: applications[Int(application)]?.takesUnclaimed ?? true
    )
    scenes[Int(slot)] = Scene(
      id: id,
      user: user,
      application: application,
      applicationID: context.applicationID,
      declarationID: context.declarationID,
      title: context.title,
      charge: context.charge,
      candidate: candidate,
      openedUSec: realTimeUSec
    )
    place(candidate, declarationID: context.declarationID)
    for registration in context.registrations { add(registration, to: slot) }
    generation += 1
    return .success(id)
  }

  /// Closes a scene; nothing of it is left.
  mutating func closeScene(_ id: SceneID) {
    guard let slot = sceneSlots[id] else { return }
    let registrations = scenes[Int(slot)]?.registrations ?? []
    for registration in registrations { removeSets(registration, of: slot) }
    guard let scene = scenes[Int(slot)] else { return }
    displace(scene.candidate, declarationID: scene.declarationID)
    release(scene.charge, of: scene.user)
    accounts[scene.user].scenes -= 1
    freeSceneSlot(slot, of: id)
    freeApplicationSlotIfUnused(scene.application)
    generation += 1
  }

  /// Adds a registration, or replaces the one with the same id, both sets at once.
  mutating func setRegistration(_ registration: Registration, of id: SceneID, limits: Limits) -> Refusal? {
    guard let slot = sceneSlots[id], let user = scenes[Int(slot)]?.user else { return .noSuchScene }
    if let refusal = registration.refusal(under: limits) { return refusal }
    let registrations = scenes[Int(slot)]?.registrations ?? []
    let present = registrations.firstIndex { $0.id == registration.id }
    guard present != nil || registrations.count < limits.registrationsPerScene else {
      return .limitExceeded(.registrationsPerScene, maximum: limits.registrationsPerScene)
    }
    let removed = present.map { describe(registrations[$0]).charge } ?? Charge()
    if let refusal = exchange(removed, for: registration.charge, of: user, limits) { return refusal }
    scenes[Int(slot)]?.charge.identifiers += registration.charge.identifiers - removed.identifiers
    scenes[Int(slot)]?.charge.bytes += registration.charge.bytes - removed.bytes
    if let present { removeSets(registrations[present], of: slot) }
    add(registration, to: slot, at: present)
    generation += 1
    return nil
  }

  /// Takes a registration out of a scene's union.
  mutating func removeRegistration(_ registrationID: String, of id: SceneID) -> Refusal? {
    guard let slot = sceneSlots[id], let user = scenes[Int(slot)]?.user else { return .noSuchScene }
    guard let index = scenes[Int(slot)]?.registrations.firstIndex(where: { $0.id == registrationID }),
      let sets = scenes[Int(slot)]?.registrations.remove(at: index)
    else { return .noSuchRegistration(registrationID) }
    let removed = describe(sets).charge
    release(removed, of: user)
    scenes[Int(slot)]?.charge.identifiers -= removed.identifiers
    scenes[Int(slot)]?.charge.bytes -= removed.bytes
    removeSets(sets, of: slot)
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
    if let title { scenes[Int(slot)]?.title = title }
    if isActive {
      scenes[Int(slot)]?.activeUSec = realTimeUSec
      moveToFront(slot)
    }
    generation += 1
    return .success(true)
  }

  /// What a scene shows to the outside; `nil` if it is not open.
  package func description(of id: SceneID) -> SceneDescription? {
    guard let slot = sceneSlots[id], let scene = scenes[Int(slot)] else { return nil }
    return SceneDescription(
      id: scene.id,
      context: SceneContext(
        applicationID: scene.applicationID,
        declarationID: scene.declarationID,
        title: scene.title,
        registrations: scene.registrations.map(describe)
      ),
      openedUSec: scene.openedUSec,
      activeUSec: scene.activeUSec
    )
  }

  /// The ids of all open scenes of an application, or of all, in opening order.
  package func sceneIDs(of application: String? = nil) -> [SceneID] {
    scenes.compactMap { scene in
      guard let scene, application == nil || scene.applicationID == application else { return nil }
      return scene.id
    }.sorted { $0.rawValue < $1.rawValue }
  }
}

// MARK: - Placing

extension SceneRegistry {
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
      applications[application]?.scenesByDeclaration[declarationID, default: SortedCandidates()]
        .insert(candidate)
    }
    if applications[application]?.isSingleScene == true { singleScenes.insert(candidate) }
  }

  private mutating func displace(_ candidate: Candidate, declarationID: String?) {
    let application = Int(candidate.application)
    applications[application]?.scenes.remove(candidate)
    if let declarationID {
      applications[application]?.scenesByDeclaration[declarationID]?.remove(candidate)
      if applications[application]?.scenesByDeclaration[declarationID]?.isEmpty == true {
        applications[application]?.scenesByDeclaration[declarationID] = nil
      }
    }
    singleScenes.remove(candidate)
  }

  /// Makes a scene the first of all.
  ///
  /// Costs what the scene holds, whatever else is open.
  private mutating func moveToFront(_ slot: Slot) {
    guard var moved = scenes[Int(slot)]?.candidate else { return }
    moved.order = nextActiveOrder()
    replaceCandidate(of: slot, with: moved)
  }

  /// Gives a scene another place in every set that it is in.
  mutating func replaceCandidate(of slot: Slot, with moved: Candidate) {
    guard let scene = scenes[Int(slot)] else { return }
    displace(scene.candidate, declarationID: scene.declarationID)
    place(moved, declarationID: scene.declarationID)
    for sets in scene.registrations {
      for kind in [IdentifierSetKind.preferring, .allowing] {
        for key in sets.identifiers(kind).keys {
          identifiers.changeShared(key, in: kind) {
            $0.remove(scene.candidate.inPart(sets.part))
            $0.insert(moved.inPart(sets.part))
          }
        }
      }
    }
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
    let registrations = scenes[Int(slot)]?.registrations ?? []
    let part = index.map { registrations[$0].part } ?? (registrations.last?.part ?? 0) + 1
    let sets = Scene.RegisteredSets(
      id: registration.id,
      part: part,
      preferring: register(registration.preferring, in: .preferring, by: Holder(owner: slot, part: part)),
      allowing: register(registration.allowing, in: .allowing, by: Holder(owner: slot, part: part))
    )
    if let index {
      scenes[Int(slot)]?.registrations[index] = sets
    } else {
      scenes[Int(slot)]?.registrations.append(sets)
    }
  }

  /// Takes a registration's identifiers out of the scene's union; the registration itself stays listed.
  private mutating func removeSets(_ sets: Scene.RegisteredSets, of slot: Slot) {
    let holder = Holder(owner: slot, part: sets.part)
    unregister(sets.preferring, in: .preferring, by: holder)
    unregister(sets.allowing, in: .allowing, by: holder)
  }

  /// Notes a set of identifiers in the table.
  mutating func register(
    _ texts: [String],
    in kind: IdentifierSetKind,
    by holder: Holder
  ) -> RegisteredIdentifiers {
    RegisteredIdentifiers(texts, &identifiers) { [scenes, applications] table, text in
      table.add(text, in: kind, by: holder) { Self.candidate($0, $1, scenes, applications) }
    }
  }

  /// Takes a set of identifiers out of the table.
  mutating func unregister(_ set: RegisteredIdentifiers, in kind: IdentifierSetKind, by holder: Holder) {
    guard let candidate = Self.candidate(kind, holder, scenes, applications) else { return }
    for key in set.keys { identifiers.remove(key, in: kind, by: holder, candidate) }
  }

  /// The place of a holder of identifiers among all of its kind.
  static func candidate(
    _ kind: IdentifierSetKind,
    _ holder: Holder,
    _ scenes: [Scene?],
    _ applications: [Application?]
  ) -> Candidate? {
    switch kind {
    case .preferring, .allowing: scenes[Int(holder.owner)]?.candidate.inPart(holder.part)
    case .matching:
      applications[Int(holder.owner)]?.declaration?.candidate(Int(holder.part), at: holder.owner)
    }
  }
}
