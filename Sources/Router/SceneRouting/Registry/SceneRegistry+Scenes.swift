extension SceneRegistry {
  mutating func openScene(
    _ context: SceneContext,
    by client: Client,
    realTimeUSec: Int64,
    limits: Limits
  ) -> Result<SceneID, CallError> {
    if let error = context.error(under: limits) ?? errorOfOpening(context) { return .failure(error) }
    let user = client.user
    guard account(of: user).scenes < limits.scenesPerUser else {
      return .failure(.limitExceeded(.scenesPerUser, maximum: limits.scenesPerUser))
    }
    let charge = context.charge
    if let error = recharge(from: Charge(), to: charge, of: user, limits) { return .failure(error) }
    accounts[user].scenes += 1

    let id = nextSceneID()
    let application = application(for: context.applicationID)
    let candidate = Candidate(
      order: Int64(id.rawValue),
      application: application.slot,
      index: takeSceneSlot()
    )
    let holder = holders.makeHolder(at: candidate)
    let scene = Scene(
      id,
      context,
      of: client,
      candidate,
      holder,
      context.registrations.map { register($0, of: holder, candidate.index) },
      openedUSec: realTimeUSec
    )
    insert(scene)
    index(scene, application)
    generation += 1
    return .success(id)
  }

  mutating func closeScene(_ id: SceneID) {
    guard let scene = scenesByID[id], let application = applications[Int(scene.application)] else { return }
    unindex(scene, application)
    for sets in scene.registrations {
      for key in sets.preferring.keys { holders.remove(key, of: scene.holder, in: .preferring) }
      for key in sets.allowing.keys { holders.remove(key, of: scene.holder, in: .allowing) }
    }
    for key in Set(scene.registrations.flatMap(\.showing.keys)) { shown.remove(key, of: scene.slot) }
    holders.remove(scene.holder)
    release(scene.charge + SceneActivity.charge(of: scene.activity), of: scene.user)
    accounts[scene.user].scenes -= 1
    remove(scene)
    removeIfUnused(application)
    generation += 1
  }

  mutating func setRegistration(
    _ registration: Registration,
    of id: SceneID,
    limits: Limits
  ) -> CallError? {
    guard let scene = scenesByID[id] else { return .noSuchScene }
    if let error = registration.error(under: limits, path: "registration") { return error }
    let index = scene.registrations.firstIndex { $0.id == registration.id }
    guard index != nil || scene.registrations.count < limits.registrationsPerScene else {
      return .limitExceeded(.registrationsPerScene, maximum: limits.registrationsPerScene)
    }
    let removed = index.map { scene.registrations[$0].charge } ?? Charge()
    if let error = recharge(from: removed, to: registration.charge, of: scene, limits) { return error }
    // New identifiers are added before old ones are removed, so that those in both sets stay in the table.
    let sets = register(registration, of: scene.holder, scene.slot)
    if let index {
      let replaced = scene.registrations[index]
      scene.registrations[index] = sets
      releaseIdentifiers(of: replaced, from: scene)
    } else {
      scene.registrations.append(sets)
    }
    generation += 1
    return nil
  }

  mutating func removeRegistration(_ registrationID: String, of id: SceneID) -> CallError? {
    guard let scene = scenesByID[id] else { return .noSuchScene }
    guard let index = scene.registrations.firstIndex(where: { $0.id == registrationID }) else {
      return .noSuchRegistration(registrationID)
    }
    let sets = scene.registrations.remove(at: index)
    scene.charge = scene.charge - sets.charge
    release(sets.charge, of: scene.user)
    releaseIdentifiers(of: sets, from: scene)
    generation += 1
    return nil
  }

  /// Returns whether the call asked for a change; `isActive: false` changes nothing.
  mutating func updateScene(
    _ id: SceneID,
    title: String?,
    isActive: Bool,
    realTimeUSec: Int64,
    limits: Limits
  ) -> Result<Bool, CallError> {
    guard let scene = scenesByID[id] else { return .failure(.noSuchScene) }
    if let error = limits.error(ofString: title) { return .failure(error) }
    guard title != nil || isActive else { return .success(false) }
    if let title {
      let removed = SceneContext.charge(ofTitle: scene.title)
      let added = SceneContext.charge(ofTitle: title)
      if let error = recharge(from: removed, to: added, of: scene, limits) { return .failure(error) }
      scene.title = title
    }
    if isActive {
      scene.activeUSec = realTimeUSec
      moveToFront(scene)
    }
    generation += 1
    return .success(true)
  }
}

// MARK: - Charging and indexing

extension SceneRegistry {
  /// Changes nothing if a limit forbids the new sums.
  private mutating func recharge(
    from removed: Charge,
    to added: Charge,
    of scene: Scene,
    _ limits: Limits
  ) -> CallError? {
    let charge = scene.charge - removed + added
    let error = limits.error(ofScene: charge) ?? recharge(from: removed, to: added, of: scene.user, limits)
    if error == nil { scene.charge = charge }
    return error
  }

  private func errorOfOpening(_ context: SceneContext) -> CallError? {
    guard let application = applicationsByID[context.applicationID],
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

  private mutating func index(_ scene: Scene, _ application: Application) {
    openScenes.insert(scene.candidate)
    application.scenes.insert(scene.candidate)
    if let id = scene.declarationID {
      application.scenesByDeclaration[id, default: SortedCandidates()].insert(scene.candidate)
    }
    if application.isSingleScene { singleScenes.insert(scene.candidate) }
  }

  private mutating func unindex(_ scene: Scene, _ application: Application) {
    openScenes.remove(scene.candidate)
    application.scenes.remove(scene.candidate)
    if let id = scene.declarationID {
      application.scenesByDeclaration[id]?.remove(scene.candidate)
      if application.scenesByDeclaration[id]?.isEmpty == true { application.scenesByDeclaration[id] = nil }
    }
    singleScenes.remove(scene.candidate)
  }

  /// The cost does not depend on the number of the scene's identifiers.
  private mutating func moveToFront(_ scene: Scene) {
    guard let application = applications[Int(scene.application)] else { return }
    unindex(scene, application)
    scene.candidate.order = nextActiveOrder()
    index(scene, application)
    holders.move(scene.holder, to: scene.candidate)
  }

  private mutating func register(_ registration: Registration, of holder: HolderID, _ scene: Slot)
    -> Scene.RegisteredSets
  {
    let showing = RegisteredTexts(registration.showing, of: scene, machineName: machineName, &shown)
    return Scene.RegisteredSets(registration, of: holder, &holders, showing: showing)
  }

  /// Identifiers of other registrations stay; `sets` must no longer be in the scene's list.
  private mutating func releaseIdentifiers(of sets: Scene.RegisteredSets, from scene: Scene) {
    // At most four million comparisons (`identifiersPerScene` squared), which take a few milliseconds.
    for kind in [IdentifierSetKind.preferring, .allowing] {
      for key in sets.identifiers(kind).keys
      where !scene.registrations.contains(where: { $0.identifiers(kind).contains(key) }) {
        holders.remove(key, of: scene.holder, in: kind)
      }
    }
    for key in Set(sets.showing.keys)
    where !scene.registrations.contains(where: { $0.showing.contains(key) }) {
      shown.remove(key, of: scene.slot)
    }
  }
}

/// A class, so that a scene without an activity stores only a reference.
///
/// The activity takes no part in routing, so its change is no change of the registry, and monitors do not see it.
package final class SceneActivity: Sendable {
  package let activity: Activity
  /// By `CLOCK_REALTIME`.
  package let sinceUSec: Int64

  init(_ activity: Activity, sinceUSec: Int64) {
    (self.activity, self.sinceUSec) = (activity, sinceUSec)
  }

  var isEligible: Bool { activity.isEligibleForHandoff }

  /// Bytes in a JSON list, perhaps a few too many; `userInfo` is not listed.
  package var listedSize: Int {
    let texts = [activity.targetContentIdentifier, activity.webpageURL, activity.title]
    return Self.namesSize + activity.activityType.listedSize
      + texts.reduce(0) { $0 + ($1?.listedSize ?? 0) }
  }

  static func charge(of current: SceneActivity?) -> Charge {
    Charge(bytes: current.map { namesSize + $0.activity.size } ?? 0)
  }

  /// Bytes of field names and of fields without text in a JSON list.
  private static var namesSize: Int { 160 }
}

extension SceneRegistry {
  mutating func setActivity(
    _ activity: Activity?,
    of id: SceneID,
    realTimeUSec: Int64,
    limits: Limits
  ) -> CallError? {
    guard let scene = scenesByID[id] else { return .noSuchScene }
    if let error = activity?.error(under: limits, path: "activity") { return error }
    let current = activity.map { SceneActivity($0, sinceUSec: realTimeUSec) }
    let removed = SceneActivity.charge(of: scene.activity)
    let added = SceneActivity.charge(of: current)
    if let error = recharge(from: removed, to: added, of: scene.user, limits) { return error }
    scene.activity = current
    return nil
  }

  /// Only an activity that is eligible for Handoff.
  package func activity(of id: SceneID) -> SceneActivity? {
    scenesByID[id]?.activity.flatMap { $0.isEligible ? $0 : nil }
  }

  /// The scenes with an activity that is eligible for Handoff, in the order of the rules.
  package func scenesWithActivities(of application: String?) -> [SceneID] {
    openScenes.compactMap { candidate in
      guard let scene = scenes[Int(candidate.index)], scene.activity?.isEligible == true,
        application == nil || scene.applicationID == application
      else { return nil }
      return scene.id
    }
  }
}
