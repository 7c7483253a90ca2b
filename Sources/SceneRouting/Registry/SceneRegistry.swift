/// All open scenes and all known applications at one moment.
///
/// Every change counts up ``generation`` and is returned as a value; nobody is notified from here.
package struct SceneRegistry: ~Copyable, Sendable {
  /// Counts every change; each decision carries the one it was made on.
  package internal(set) var generation: UInt64 = 0

  /// The identifiers of all scenes and declarations.
  var holders: HolderTable
  var scenes: [Scene?] = []
  var applications: [Application?] = []
  var claims = ClaimTable()
  var accounts = Accounts()

  /// All open scenes.
  var openScenes = SortedCandidates()
  /// Open scenes of single-scene applications.
  var singleScenes = SortedCandidates()
  /// The place of each declared application, which is that of its first declaration.
  var declaredApplications = SortedCandidates()
  /// Window groups without a `matching` set.
  var defaultDeclarations = SortedCandidates()
  /// Document groups by what they open, in lower case.
  var documentDeclarations: [String: SortedCandidates] = [:]
  /// The applications that the user made the default for something, by id.
  var userDefaults: [ClaimKey: String] = [:]

  private(set) var sceneSlots: [SceneID: Slot] = [:]
  private(set) var applicationSlots: [String: Slot] = [:]
  private var freeScenes: [Slot] = []
  private var freeApplications: [Slot] = []
  private var lastSceneID: UInt64 = 0
  private var lastReport: Int64 = 0
  private var lastDeclaration: Int64 = 0

  /// An empty registry.
  ///
  /// `seed` is what makes it hard to make up identifiers that slow the search for others down.
  package init(seed: UInt64) { holders = HolderTable(seed: seed) }

  /// How many scenes are open.
  package var sceneCount: Int { sceneSlots.count }

  /// What a user holds.
  package func account(of user: UserID) -> Account { accounts[user] }
}

// MARK: - Slots

extension SceneRegistry {
  /// The next scene id, which is the scene's order too as long as it is not active.
  mutating func nextSceneID() -> SceneID {
    lastSceneID += 1
    return SceneID(rawValue: lastSceneID)
  }

  /// The order of a scene that has just reported to be active: before all others.
  mutating func nextActiveOrder() -> Int64 {
    lastReport += 1
    return -lastReport
  }

  /// The order of the first declaration of an application.
  ///
  /// Those over a connection come in the order in which they declared, those from files after them.
  mutating func nextBaseOrder(of source: ApplicationDeclaration.Source, at slot: Slot) -> Int64 {
    let step: Int64 = 1 << 20
    switch source {
    case .connection:
      lastDeclaration += 1
      return lastDeclaration * step
    case .file:
      return (1 << 40 + Int64(applications[Int(slot)]?.filePlace ?? 0)) * step
    }
  }

  mutating func takeSceneSlot(for id: SceneID) -> Slot {
    let slot = freeScenes.popLast() ?? Slot(scenes.count)
    if Int(slot) == scenes.count { scenes.append(nil) }
    sceneSlots[id] = slot
    return slot
  }

  mutating func removeScene(at slot: Slot, _ id: SceneID) {
    scenes[Int(slot)] = nil
    sceneSlots[id] = nil
    freeScenes.append(slot)
  }

  /// The slot of an application, which is made if it is not known yet.
  mutating func applicationSlot(for id: String) -> Slot {
    if let slot = applicationSlots[id] { return slot }
    let slot = freeApplications.popLast() ?? Slot(applications.count)
    if Int(slot) == applications.count { applications.append(nil) }
    applications[Int(slot)] = Application(id: id)
    applicationSlots[id] = slot
    claims.setTakesUnclaimed(true, of: slot)
    return slot
  }

  /// Removes an application that has neither a declaration nor a scene.
  mutating func removeApplicationIfUnused(_ slot: Slot) {
    guard let application = applications[Int(slot)], application.declaration == nil,
      application.scenes.isEmpty
    else { return }
    applications[Int(slot)] = nil
    freeApplications.append(slot)
    applicationSlots[application.id] = nil
    claims.setTakesUnclaimed(false, of: slot)
  }
}

// MARK: - Accounts

extension SceneRegistry {
  mutating func exchange(_ removed: Charge, for added: Charge, of user: UserID, _ limits: Limits) -> Refusal?
  {
    accounts[user].exchange(removed, for: added, within: limits)
  }

  mutating func release(_ charge: Charge, of user: UserID) {
    accounts[user].identifiers -= charge.identifiers
    accounts[user].bytes -= charge.bytes
  }

  mutating func chargeEvent(bytes: Int, to user: UserID, _ limits: Limits) -> Refusal? {
    if let refusal = exchange(Charge(), for: Charge(bytes: bytes), of: user, limits) { return refusal }
    accounts[user].pendingEvents += 1
    return nil
  }

  mutating func releaseEvent(bytes: Int, of user: UserID) {
    release(Charge(bytes: bytes), of: user)
    accounts[user].pendingEvents -= 1
  }
}
