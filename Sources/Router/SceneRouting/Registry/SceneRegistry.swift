package struct SceneRegistry: ~Copyable {
  /// Every change adds one.
  package internal(set) var generation: UInt64 = 0

  var holders: HolderTable
  var shown: ShownTable
  /// In lower case; empty if it is not known.
  let machineName: [UInt8]
  private(set) var scenes: [Scene?] = []
  private(set) var scenesByID: [SceneID: Scene] = [:]
  private(set) var applications: [Application?] = []
  private(set) var applicationsByID: [String: Application] = [:]
  var claims = ClaimTable()
  var accounts = Accounts()

  /// This property and the next four belong to the event that is being decided.
  var keys: [IdentifierKey] = []
  /// The rest of ``keys`` match only the resolved URL; up to date only if the event has one.
  var ownKeyCount = 0
  /// `nil` if no scene shows the event's URL.
  var shownKey: ShownTable.Key?
  var resolvedShownKey: ShownTable.Key?
  /// The URL that was last normalised to be looked up in ``shown``.
  var shownURL = ShownURL()

  var openScenes = SortedCandidates()
  var singleScenes = SortedCandidates()
  /// In the order in which the rules ask them; each application is represented by its first kind of window.
  var declaredApplications = SortedCandidates()
  /// The window groups without a `matching` set.
  var defaultDeclarations = SortedCandidates()
  /// By supported type, in lower case.
  var documentDeclarations: [String: SortedCandidates] = [:]
  /// From the user's lists (`mimeapps.list`).
  var preferences: [ClaimKey: ClaimPreferences] = [:]
  var fileTypes: (any FileTypeDatabase)?
  var hostChoices = HostTable<UserChoice>()
  /// The outer key is the id of the sender's application, the inner key a scheme or a MIME type.
  var senderChoices: [String: [ClaimKey: UserChoice]] = [:]

  private var freeScenes: [Slot] = []
  private var freeApplications: [Slot] = []
  private var lastSceneID: UInt64 = 0
  private var lastReport: Int64 = 0
  private var lastDeclaration: Int64 = 0

  /// A secret `seed` keeps clients from making up identifiers that slow the search down.
  ///
  /// `file:` URLs may have `machineName` as their host.
  package init(seed: UInt64, machineName: String? = nil) {
    holders = HolderTable(seed: seed)
    shown = ShownTable(seed: seed)
    self.machineName = machineName?.utf8.map(asciiLowercased) ?? []
  }

  package var sceneCount: Int { scenesByID.count }

  package internal(set) var connectedApplicationCount = 0

  package func account(of user: UserID) -> Account { accounts[user] }
}

// MARK: - Slots

extension SceneRegistry {
  /// The id is also the scene's order until the scene first becomes active.
  mutating func nextSceneID() -> SceneID {
    lastSceneID += 1
    return SceneID(rawValue: lastSceneID)
  }

  /// A scene with this order comes before all other scenes.
  mutating func nextActiveOrder() -> Int64 {
    lastReport += 1
    return -lastReport
  }

  /// Connections come first, in the order of declaration, then files by ``Application/filePlace``.
  mutating func nextBaseOrder(of source: ApplicationDeclaration.Source, of application: Application) -> Int64
  {
    let step: Int64 = 1 << 20
    switch source {
    case .connection:
      lastDeclaration += 1
      return lastDeclaration * step
    case .file:
      return (1 << 40 + Int64(application.filePlace)) * step
    }
  }

  mutating func takeSceneSlot() -> Slot {
    if let slot = freeScenes.popLast() { return slot }
    scenes.append(nil)
    return Slot(scenes.count - 1)
  }

  mutating func insert(_ scene: Scene) {
    scenes[Int(scene.candidate.index)] = scene
    scenesByID[scene.id] = scene
  }

  mutating func remove(_ scene: Scene) {
    scenes[Int(scene.candidate.index)] = nil
    scenesByID[scene.id] = nil
    freeScenes.append(scene.candidate.index)
  }

  /// Adds the application if it is not known yet.
  mutating func application(for id: String) -> Application {
    if let application = applicationsByID[id] { return application }
    let slot = freeApplications.popLast() ?? Slot(applications.count)
    if Int(slot) == applications.count { applications.append(nil) }
    let application = Application(id, at: slot)
    applications[Int(slot)] = application
    applicationsByID[id] = application
    claims.setTakesUnclaimed(true, of: slot)
    return application
  }

  mutating func removeIfUnused(_ application: Application) {
    guard application.declaration == nil, application.scenes.isEmpty else { return }
    applications[Int(application.slot)] = nil
    applicationsByID[application.id] = nil
    freeApplications.append(application.slot)
    claims.setTakesUnclaimed(false, of: application.slot)
  }
}

// MARK: - Accounts

extension SceneRegistry {
  mutating func recharge(from removed: Charge, to added: Charge, of user: UserID, _ limits: Limits)
    -> CallError?
  {
    accounts[user].recharge(from: removed, to: added, within: limits)
  }

  mutating func release(_ charge: Charge, of user: UserID) {
    accounts[user].identifiers -= charge.identifiers
    accounts[user].bytes -= charge.bytes
  }

  mutating func chargeEvent(bytes: Int, to user: UserID, _ limits: Limits) -> CallError? {
    if let error = recharge(from: Charge(), to: Charge(bytes: bytes), of: user, limits) { return error }
    accounts[user].pendingEvents += 1
    return nil
  }

  mutating func releaseEvent(bytes: Int, of user: UserID) {
    release(Charge(bytes: bytes), of: user)
    accounts[user].pendingEvents -= 1
  }
}
