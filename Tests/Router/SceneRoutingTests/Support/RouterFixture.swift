import SceneRouting

/// A router with its clock, and the effects of calls to the router.
final class RouterFixture {
  static let user = UserID(rawValue: 1000)

  var router: Router
  var now: UInt64 = 1_000_000
  /// The effects that the router returned to the most recent method call of this fixture.
  ///
  /// The methods `install` and `takeStart`, and the method that sets an activity, do not change this value.
  var effects: [Effect] = []
  /// The client that makes the calls.
  var client = Client(user: RouterFixture.user)

  init(limits: Limits = Limits(), machineName: String? = nil) {
    router = Router(limits: limits, machineName: machineName)
  }

  /// Keeps the effects of a call.
  ///
  /// Like the server, this method resumes events after all other effects.
  private func note(_ effects: [Effect]) {
    self.effects = effects
    var index = 0
    while index < self.effects.count {
      switch self.effects[index] {
      case .resume(let event): self.effects += router.resume(event, now: now)
      case .returned: while let more = router.decideHeld(now: now) { self.effects += more }
      default: break
      }
      index += 1
    }
  }

  private func note(_ result: Result<[Effect], CallError>) -> CallError? {
    effects = []
    switch result {
    case .failure(let error): return error
    case .success(let effects):
      note(effects)
      return nil
    }
  }

  @discardableResult
  func open(
    _ application: String = "app",
    declaration: String? = nil,
    preferring: [String] = [],
    allowing: [String] = [],
    showing: [String] = [],
    answering request: OpenRequestID? = nil,
    credit: Int = 16,
    taken: [String] = []
  ) throws -> SceneID {
    let context = SceneContext(
      applicationID: application,
      declarationID: declaration,
      registrations: [
        Registration(id: "view", preferring: preferring, allowing: allowing, showing: showing)
      ]
    )
    return try open(context, answering: request, credit: credit, taken: taken)
  }

  @discardableResult
  func open(
    _ context: SceneContext,
    answering request: OpenRequestID? = nil,
    credit: Int = 16,
    taken: [String] = []
  ) throws -> SceneID {
    effects = []
    let opened = try router.openScene(
      context,
      answering: request,
      credit: credit,
      takenEventIDs: taken,
      by: client,
      now: now,
      realTimeUSec: 0
    ).get()
    note(opened.effects)
    return opened.scene
  }

  func declare(
    _ scenes: [SceneDeclaration],
    of application: String = "app",
    claims: Claims = Claims(),
    isSingleScene: Bool = false,
    taken: [String] = []
  ) -> CallError? {
    let declaration = ApplicationDeclaration(
      applicationID: application,
      scenes: scenes,
      claims: claims,
      isSingleScene: isSingleScene
    )
    return note(router.declare(declaration, takenEventIDs: taken, by: client, now: now))
  }

  @discardableResult
  func send(_ url: String, _ options: EventOptions = EventOptions()) throws -> DecisionID {
    try send(Event(.url(url)), options)
  }

  @discardableResult
  func send(_ event: Event, _ options: EventOptions = EventOptions()) throws -> DecisionID {
    effects = []
    switch try router.send(event, options, from: client, now: now).get() {
    case .accepted(let id, let effects):
      note(effects)
      return id
    case .repeated(let progress): return progress.id
    }
  }

  func acknowledge(_ delivery: ShownDelivery) -> CallError? {
    note(router.acknowledge(delivery.id, by: delivery.sceneID, now: now))
  }

  func decline(_ delivery: ShownDelivery, reason: String? = nil) -> CallError? {
    note(router.decline(delivery.id, by: delivery.sceneID, reason: reason, now: now))
  }

  func decline(_ request: OpenRequestID, by application: String = "app", reason: String? = nil) -> CallError?
  {
    note(router.declineOpenRequest(request, byApplication: application, reason: reason, now: now))
  }

  func withdraw(_ application: String) { note(router.withdrawDeclaration(of: application, now: now)) }

  func close(_ scene: SceneID) -> CallError? { note(router.closeScene(scene, now: now)) }

  func set(_ registration: Registration, of scene: SceneID) -> CallError? {
    note(router.setRegistration(registration, of: scene))
  }

  func remove(_ registration: String, of scene: SceneID) -> CallError? {
    note(router.removeRegistration(registration, of: scene))
  }

  func update(_ scene: SceneID, title: String? = nil, isActive: Bool = false) -> CallError? {
    note(router.updateScene(scene, title: title, isActive: isActive, realTimeUSec: 0))
  }

  func set(_ activity: Activity?, of scene: SceneID) -> CallError? {
    router.setActivity(activity, of: scene, realTimeUSec: Int64(now))
  }

  func take(_ scene: SceneID, by taker: String? = nil) throws -> Activity {
    effects = []
    let taken = try router.takeActivity(of: scene, by: taker).get()
    note(taken.effects)
    return taken.activity
  }

  func prepareToStop() { note(router.prepareToStop(now: now)) }

  func stop() { note(router.stop(now: now)) }

  func advance(by time: UInt64) {
    now += time
    var effects: [Effect] = []
    while let more = router.expireNext(now: now) { effects += more }
    note(effects)
  }

  /// The bytes charged to the user.
  var bytes: Int { router.registry.account(of: Self.user).bytes }

  var hasEventsUnderWay: Bool { router.hasEventsUnderWay }

  var deliveries: [ShownDelivery] {
    effects.compactMap { if case .deliver(let delivery) = $0 { delivery } else { nil } }
  }

  var requests: [SceneRequest] {
    effects.compactMap { if case .requestScene(let request) = $0 { request } else { nil } }
  }

  /// The applications that are to be started according to ``effects``.
  var starts: [String] {
    effects.compactMap { if case .start(let application) = $0 { application } else { nil } }
  }

  /// Declares applications as if the declarations came from files.
  func install(
    _ scenes: [SceneDeclaration] = [SceneDeclaration(id: "main")],
    of applications: [String] = ["app"],
    claims: Claims = Claims(schemes: ["x"]),
    program: ApplicationDeclaration.Program = .aware
  ) {
    let declarations = applications.map { application in
      ApplicationDeclaration(
        applicationID: application,
        scenes: scenes,
        claims: claims,
        program: program,
        source: .file(
          path: "/\(application).desktop",
          desktopID: "\(application).desktop",
          isTrusted: true
        )
      )
    }
    _ = router.replaceFiles(with: FileDeclarations(applications: declarations), now: now)
  }

  func takeStart(of application: String = "app") -> ApplicationStart? {
    router.takeStart(of: application, now: now)
  }

  func end(_ start: ApplicationStart, failure: StartFailure? = nil) {
    note(router.startEnded(start, failure: failure, now: now))
  }

  var ends: [EventEnd] {
    effects.compactMap { if case .ended(_, let end) = $0 { end } else { nil } }
  }

  var decisionCount: Int {
    effects.count { if case .decided = $0 { true } else { false } }
  }

  var settlements: [AttemptEnd] {
    effects.compactMap { if case .settled(let settlement) = $0 { settlement } else { nil } }
  }
}

extension EventOptions {
  static func timeout(_ timeoutUSec: UInt64) -> EventOptions { EventOptions(timeoutUSec: timeoutUSec) }
}
