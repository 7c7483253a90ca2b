package struct EventOptions: Hashable, Sendable {
  package let constraints: RouteConstraints
  /// The time for each target; `nil` for the default.
  package let timeoutUSec: UInt64?
  /// The id that the sender chose; a second event with the same id is not routed.
  package let eventID: String?
  /// Only one target at a time gets the token, with which it raises its window.
  package let activationToken: String?
  /// The sender is only reported; the rules read ``RouteConstraints/senderApplicationID`` instead.
  package let sender: Sender?

  package init(
    constraints: RouteConstraints = RouteConstraints(),
    timeoutUSec: UInt64? = nil,
    eventID: String? = nil,
    activationToken: String? = nil,
    sender: Sender? = nil
  ) {
    self.constraints = constraints
    self.timeoutUSec = timeoutUSec
    self.eventID = eventID
    self.activationToken = activationToken
    self.sender = sender
  }

  func error(under limits: Limits) -> CallError? {
    if let timeoutUSec, !limits.timeoutUSec.contains(timeoutUSec) {
      return .invalidParameter(path: "timeoutUSec")
    }
    return limits.error(ofString: constraints.applicationID) ?? limits.error(ofString: eventID)
      ?? limits.error(ofString: activationToken)
  }

  /// In bytes.
  var size: Int {
    (constraints.applicationID?.utf8.count ?? 0) + (eventID?.utf8.count ?? 0)
      + (activationToken?.utf8.count ?? 0) + (sender?.size ?? 0)
  }
}

final class PendingEvent {
  enum Phase {
    /// No attempt is under way; the router still has to choose the next target.
    case deciding
    /// The event waits for a scene that an application was asked to open.
    case requested(OpenRequestID)
    /// The event waits for a scene whose credit is used up by earlier deliveries.
    case waiting(SceneID)
    case shown(SceneID)
  }

  let id: DecisionID
  let client: Client
  /// The bytes of the event itself.
  let size: Int
  /// The bytes of the event itself and of this object.
  let charge: Int
  let options: EventOptions
  let timeoutUSec: UInt64
  let acceptedAt: UInt64
  private(set) var query: RouteQuery
  /// Between two attempts, the decision of the attempt that ended last.
  var decision: Decision
  var openRequestID: OpenRequestID?
  /// The id has no meaning before the phase `waiting` or `shown`.
  var deliveryID = DeliveryID(rawValue: 0)
  /// An unanswered attempt ends at this time.
  var deadline: UInt64 = 0
  private(set) var settledAttempts: [SettledAttempt] = []
  /// A scene or a program got the event and did not answer, so it may have taken the event.
  var mayBeTaken = false
  /// The event gets no further attempt, even if the attempt under way fails.
  var hasNoOtherTarget = false
  var phase = Phase.deciding

  init(
    _ id: DecisionID,
    _ query: consuming RouteQuery,
    _ options: consuming EventOptions,
    from client: Client,
    _ decision: Decision,
    size: Int,
    charge: Int,
    timeoutUSec: UInt64,
    at now: UInt64
  ) {
    self.id = id
    self.size = size
    self.query = consume query
    self.client = client
    self.decision = decision
    self.charge = charge
    self.timeoutUSec = timeoutUSec
    acceptedAt = now
    self.options = consume options
  }

  /// In bytes, approximately and without texts.
  static var instanceSize: Int { 256 }

  var event: Event { query.event }

  /// The number of the present or next attempt, from 1.
  var attemptNumber: Int { settledAttempts.count + 1 }

  func add(_ attempt: SettledAttempt) {
    settledAttempts.append(attempt)
    if let scene = attempt.settlement.sceneID { query.tried.scenes.append(scene) }
    guard case .newScene(let application, let declaration) = attempt.decision.destination else { return }
    query.tried.declarations.append(
      TriedTargets.Declaration(applicationID: application, declarationID: declaration)
    )
  }
}

/// A class, because several effects share it.
package final class SentEvent: Sendable {
  package let id: DecisionID
  package let event: Event
  package let eventID: String?
  package let sender: Sender?
  /// The `now` of the call that sent the event.
  package let acceptedAt: UInt64

  init(_ pending: PendingEvent) {
    id = pending.id
    event = pending.event
    eventID = pending.options.eventID
    sender = pending.options.sender
    acceptedAt = pending.acceptedAt
  }
}

extension SentEvent: Hashable {
  package static func == (left: SentEvent, right: SentEvent) -> Bool { left.id == right.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

package struct EventCourse: Sendable {
  package var id: DecisionID
  package var settledAttempts: [SettledAttempt]
  /// `nil` between two attempts.
  package var decision: Decision?
  /// `nil` while the event is under way.
  package var end: EventEnd?

  package var firstDecision: Decision? { settledAttempts.first?.decision ?? decision }
}

extension EventCourse {
  init(_ pending: PendingEvent) {
    var isBetweenAttempts: Bool { if case .deciding = pending.phase { true } else { false } }
    self.init(
      id: pending.id,
      settledAttempts: pending.settledAttempts,
      decision: isBetweenAttempts ? nil : pending.decision
    )
  }

  init(_ id: DecisionID, _ end: EventEnd) {
    let last = end.settlement.map { SettledAttempt(decision: end.decision, settlement: $0) }
    self.init(id: id, settledAttempts: end.earlierAttempts + (last.map { [$0] } ?? []), end: end)
  }
}
