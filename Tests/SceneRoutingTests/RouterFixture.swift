import SceneRouting

/// A router, the time it is given, and the effects of the last call.
final class RouterFixture {
  static let user = UserID(rawValue: 1000)

  var router: Router
  var now: UInt64 = 1_000_000
  var effects: [Effect] = []

  init(limits: Limits = Limits()) { router = Router(limits: limits) }

  @discardableResult
  func open(
    _ application: String = "app",
    declaration: String? = nil,
    preferring: [String] = [],
    allowing: [String] = [],
    answering request: OpenRequestID? = nil,
    credit: Int = 16
  ) throws -> SceneID {
    effects = []
    let context = SceneContext(
      applicationID: application,
      declarationID: declaration,
      registrations: [Registration(id: "view", preferring: preferring, allowing: allowing)]
    )
    return try router.openScene(
      context,
      answering: request,
      credit: credit,
      user: Self.user,
      now: now,
      realTimeUSec: 0,
      effects: &effects
    ).get()
  }

  func declare(
    _ scenes: [SceneDeclaration],
    of application: String = "app",
    claims: Claims = Claims(),
    isSingleScene: Bool = false
  ) -> Refusal? {
    effects = []
    return router.declare(
      ApplicationDeclaration(
        applicationID: application,
        scenes: scenes,
        claims: claims,
        isSingleScene: isSingleScene
      ),
      user: Self.user,
      processID: 1,
      effects: &effects
    )
  }

  @discardableResult
  func send(_ url: String, _ options: SendOptions = SendOptions()) throws -> DecisionID {
    try send(Event(.url(url)), options)
  }

  @discardableResult
  func send(_ event: Event, _ options: SendOptions = SendOptions()) throws -> DecisionID {
    effects = []
    let acceptance = try router.send(event, options, user: Self.user, now: now, effects: &effects).get()
    switch acceptance {
    case .accepted(let id), .duplicate(let id): return id
    }
  }

  func acknowledge(_ delivery: Delivery) -> Refusal? {
    effects = []
    return router.acknowledge(delivery.id, by: delivery.sceneID, now: now, effects: &effects)
  }

  func decline(_ delivery: Delivery, reason: String? = nil) -> Refusal? {
    effects = []
    return router.decline(delivery.id, by: delivery.sceneID, reason: reason, now: now, effects: &effects)
  }

  func decline(_ request: OpenRequestID, by application: String = "app", reason: String? = nil) -> Refusal? {
    effects = []
    return router.declineOpenRequest(
      request,
      byApplication: application,
      reason: reason,
      now: now,
      effects: &effects
    )
  }

  func withdraw(_ application: String) {
    effects = []
    router.withdrawDeclaration(of: application, now: now, effects: &effects)
  }

  func close(_ scene: SceneID) -> Refusal? {
    effects = []
    return router.closeScene(scene, now: now, effects: &effects)
  }

  func advance(by time: UInt64) {
    effects = []
    now += time
    router.advance(to: now, effects: &effects)
  }

  var deliveries: [Delivery] {
    effects.compactMap { if case .deliver(let delivery) = $0 { delivery } else { nil } }
  }

  var requests: [OpenRequest] {
    effects.compactMap { if case .requestScene(let request) = $0 { request } else { nil } }
  }

  var ends: [EventEnd] {
    effects.compactMap { if case .ended(_, let end) = $0 { end } else { nil } }
  }

  var decisionCount: Int {
    effects.count { if case .decided = $0 { true } else { false } }
  }

  var settlements: [Settlement] {
    effects.compactMap { if case .settled(let settlement) = $0 { settlement } else { nil } }
  }
}

extension SendOptions {
  static func timeout(_ timeoutUSec: UInt64) -> SendOptions { SendOptions(timeoutUSec: timeoutUSec) }
}
