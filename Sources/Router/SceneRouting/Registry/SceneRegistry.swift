/// All open scenes and all known applications at one moment.
///
/// Every change adds one to ``generation``.
package struct SceneRegistry: ~Copyable {
  /// The number of changes so far, which each decision reports.
  package internal(set) var generation: UInt64 = 0

  /// The identifiers of all scenes and declarations.
  var holders: HolderTable
  /// The URLs that open scenes show.
  var shown: ShownTable
  /// The name of this machine in lower case; empty if it is not known.
  let machineName: [UInt8]
  /// The open scenes, by slot and by id.
  private(set) var scenes: [Scene?] = []
  private(set) var scenesByID: [SceneID: Scene] = [:]
  /// The known applications, by slot and by id.
  private(set) var applications: [Application?] = []
  private(set) var applicationsByID: [String: Application] = [:]
  var claims = ClaimTable()
  var accounts = Accounts()

  /// The keys of the identifiers that match the event for which the router is making a decision.
  var keys: [IdentifierKey] = []
  /// The folded ``Event/comparison`` string of the event for which the router is making a decision.
  var comparison = FoldedText("")
  /// The number of ``keys`` that match the comparison string; the others match only the event's resolved URL.
  ///
  /// It is up to date only if the event has a resolved URL.
  var ownKeyCount = 0
  /// The key of the URL of the event for which the router is making a decision.
  ///
  /// It is `nil` if no scene shows this URL.
  var shownKey: ShownTable.Key?
  /// The key of the event's resolved URL; `nil` if there is none, or if no scene shows it.
  var resolvedShownKey: ShownTable.Key?
  /// The URL that was last normalised to be looked up in ``shown``.
  var shownURL = ShownURL()

  /// All open scenes.
  var openScenes = SortedCandidates()
  /// Open scenes of single-scene applications.
  var singleScenes = SortedCandidates()
  /// The declared applications in the order in which the rules ask them.
  ///
  /// Each application is represented by its first kind of window.
  var declaredApplications = SortedCandidates()
  /// The window groups without a `matching` set.
  var defaultDeclarations = SortedCandidates()
  /// The document groups that support each type; the types are in lower case.
  var documentDeclarations: [String: SortedCandidates] = [:]
  /// For each claim, the entries of the user's lists (`mimeapps.list`).
  var preferences: [ClaimKey: ClaimPreferences] = [:]
  /// The database of file types; nil if there is no database.
  var fileTypes: (any FileTypeDatabase)?
  /// The applications that the user chose for hosts.
  var hostChoices = HostTable<UserChoice>()
  /// The applications that the user chose for the events of certain senders.
  ///
  /// The outer key is the id of the sender's application, the inner key a scheme or a MIME type.
  var senderChoices: [String: [ClaimKey: UserChoice]] = [:]

  private var freeScenes: [Slot] = []
  private var freeApplications: [Slot] = []
  private var lastSceneID: UInt64 = 0
  private var lastReport: Int64 = 0
  private var lastDeclaration: Int64 = 0

  /// Makes an empty registry.
  ///
  /// A secret `seed` keeps clients from making up identifiers that slow the search down. `machineName` is this
  /// machine's name, which `file:` URLs may have as their host.
  package init(seed: UInt64, machineName: String? = nil) {
    holders = HolderTable(seed: seed)
    shown = ShownTable(seed: seed)
    self.machineName = machineName?.utf8.map(asciiLowercased) ?? []
  }

  /// The number of open scenes.
  package var sceneCount: Int { scenesByID.count }

  /// The number of applications that are declared over a connection.
  package internal(set) var connectedApplicationCount = 0

  /// The resources that a user holds.
  package func account(of user: UserID) -> Account { accounts[user] }
}

// MARK: - Slots

extension SceneRegistry {
  /// The next scene id, which is also the scene's order until the scene first becomes active.
  mutating func nextSceneID() -> SceneID {
    lastSceneID += 1
    return SceneID(rawValue: lastSceneID)
  }

  /// The order of a scene that has just reported that it is active.
  ///
  /// A scene with this order comes before all other scenes.
  mutating func nextActiveOrder() -> Int64 {
    lastReport += 1
    return -lastReport
  }

  /// The order of the first kind of window that an application declares.
  ///
  /// The applications declared over a connection come first. They are sorted by the time at which they were declared.
  /// The applications declared by files follow, sorted by their ``Application/filePlace``.
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

  /// Takes a slot for the next scene.
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

  /// The application with an id.
  ///
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

  /// Removes an application that has no declaration and no scene.
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
  mutating func exchange(_ removed: Charge, for added: Charge, of user: UserID, _ limits: Limits)
    -> CallError?
  {
    accounts[user].exchange(removed, for: added, within: limits)
  }

  mutating func release(_ charge: Charge, of user: UserID) {
    accounts[user].identifiers -= charge.identifiers
    accounts[user].bytes -= charge.bytes
  }

  mutating func chargeEvent(bytes: Int, to user: UserID, _ limits: Limits) -> CallError? {
    if let error = exchange(Charge(), for: Charge(bytes: bytes), of: user, limits) { return error }
    accounts[user].pendingEvents += 1
    return nil
  }

  mutating func releaseEvent(bytes: Int, of user: UserID) {
    release(Charge(bytes: bytes), of: user)
    accounts[user].pendingEvents -= 1
  }
}
