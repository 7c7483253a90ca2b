import RouterInterface
import TestSupport
import Varlink

extension RouterUnderTest {
  /// Makes a call that has one reply.
  @discardableResult
  func call<Call: MethodCall>(_ call: Call) throws -> Call.Reply { try calls().call(call) }

  /// Makes a call that has one reply, and returns the error in the reply.
  func failure<Call: MethodCall>(of call: Call) throws -> Wire.RouterErrorReply {
    try calls().failure(of: call)
  }

  /// Opens a scene with one registration, named `view`.
  func open(
    _ application: String = "app",
    _ declaration: String? = nil,
    title: String? = nil,
    preferring: [String] = [],
    allowing: [String] = ["*"],
    answering request: Wire.SceneRequested? = nil,
    credit: Int64? = nil,
    taken: [String] = []
  ) throws -> OpenedScene {
    let view = Registration(id: "view", preferring: preferring, allowing: allowing)
    let context = SceneContext(
      applicationID: application,
      declarationID: declaration,
      title: title,
      registrations: [view]
    )
    return try OpenedScene(
      Wire.OpenSceneCall(
        context: context,
        openRequestID: request?.openRequestID,
        maxPendingDeliveries: credit,
        takenEventIDs: taken
      ),
      self
    )
  }

  /// Declares an application, by default with one kind of scene that takes every event.
  func declare(
    _ application: String = "app",
    _ scenes: [SceneDeclaration] = [SceneDeclaration(id: "main")],
    claims: Claims? = nil,
    isSingleScene: Bool? = nil,
    taken: [String] = []
  ) throws -> DeclaredApplication {
    try DeclaredApplication(
      Wire.DeclareApplicationCall(
        applicationID: application,
        scenes: scenes,
        claims: claims,
        isSingleScene: isSingleScene,
        takenEventIDs: taken
      ),
      self
    )
  }

  /// Starts a monitor and reads its snapshot.
  func monitor(showDecisions: Bool? = nil, showRegistry: Bool? = nil) throws -> RunningMonitor {
    try RunningMonitor(Wire.MonitorCall(showDecisions: showDecisions, showRegistry: showRegistry), self)
  }

  /// Sends an event over a new connection, which gets the replies.
  func send(_ call: Wire.SendEventCall, _ mode: CallMode = .plain) throws -> WireClient {
    let sender = try connect()
    try sender.send(call, mode)
    return sender
  }

  /// Sends a URL over a new connection, which gets the reply.
  func send(_ url: String) throws -> WireClient { try send(.url(url)) }

  func statistics() throws -> Statistics { try call(Wire.GetStatisticsCall()) }
}

extension Wire.SendEventCall {
  static func url(_ url: String) -> Wire.SendEventCall { Wire.SendEventCall(event: Event(.url(url))) }
}

/// The decision, the settlement and the attempts in a reply about an event that was taken.
struct EventOutcome: Equatable {
  let decision: RouteDecision
  let settlement: Settlement
  let attempts: [Settlement]

  init(_ reply: Wire.SendEventCall.Reply) throws {
    guard let decision = reply.decision, let settlement = reply.settlement, !reply.attempts.isEmpty
    else { throw Overdue("No outcome came, but \(reply).") }
    (self.decision, self.settlement, self.attempts) = (decision, settlement, reply.attempts)
  }
}

extension WireClient {
  /// Returns the outcome in the next reply, which must be about an event that was taken.
  func outcome() throws -> EventOutcome { try EventOutcome(reply(to: Wire.SendEventCall.self)) }

  /// Returns the next decision about an event that was sent over this connection with `more`.
  func decision() throws -> RouteDecision {
    let reply = try reply(to: Wire.SendEventCall.self)
    guard let decision = reply.decision, reply == Wire.SendEventCall.Reply(decision: decision) else {
      throw Overdue("No decision came, but \(reply).")
    }
    return decision
  }

  /// Returns the next settlement of an event that was sent over this connection with `more`.
  func settlement() throws -> Settlement {
    let reply = try reply(to: Wire.SendEventCall.self)
    guard let settlement = reply.settlement, reply == Wire.SendEventCall.Reply(settlement: settlement) else {
      throw Overdue("No settlement came, but \(reply).")
    }
    return settlement
  }
}
