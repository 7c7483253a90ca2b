/// The sender's options for an event.
package struct SendOptions: Hashable, Sendable {
  /// The constraints on the target.
  package let constraints: RouteConstraints
  /// The time that each target has to take the event, in microseconds; `nil` for the default.
  package let timeoutUSec: UInt64?
  /// The id that the sender chose; a second event with the same id is not routed.
  package let eventID: String?
  /// The token with which the target raises its window.
  ///
  /// Only one target at a time gets the token.
  package let activationToken: String?
  /// The program that sent the event; `nil` if the program is not known.
  ///
  /// The router only reports this value, to the event's targets and in the event's record. The rules read
  /// ``RouteConstraints/senderApplicationID`` instead.
  package let sender: Sender?

  /// Makes options, which are checked when the event is sent.
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

  /// The number of bytes of the options' texts.
  var size: Int {
    (constraints.applicationID?.utf8.count ?? 0) + (eventID?.utf8.count ?? 0)
      + (activationToken?.utf8.count ?? 0) + (sender?.size ?? 0)
  }
}

/// An event from its acceptance to its end.
final class EventRecord {
  /// The phase of an event.
  enum Phase {
    /// No attempt is under way; the router still has to choose the next target.
    case deciding
    /// The event waits for a scene that an application was asked to open.
    case requested(OpenRequestID)
    /// The event waits for a scene whose credit is used up by earlier deliveries.
    case waiting(SceneID)
    /// The event has been shown to the scene.
    case shown(SceneID)
  }

  let id: DecisionID
  let client: Client
  /// The number of bytes of the event itself.
  let size: Int
  /// The number of bytes charged for the event: the bytes of the event itself and of this record.
  let charge: Int
  let options: SendOptions
  let timeoutUSec: UInt64
  /// The time at which the event was accepted.
  let acceptedAt: UInt64
  /// The event, the sender's constraints, and the targets of all attempts that have ended.
  private(set) var query: RouteQuery
  /// The decision of the attempt under way.
  ///
  /// Between two attempts, it is the decision of the attempt that ended last.
  var decision: Decision
  /// The open request of the attempt; `nil` if the attempt needs no new scene.
  var openRequestID: OpenRequestID?
  /// The id of the delivery with which the event goes to a scene.
  ///
  /// The value means nothing before the attempt reaches the phase `waiting` or `shown`.
  var deliveryID = DeliveryID(rawValue: 0)
  /// The time at which an unanswered attempt ends.
  var deadline: UInt64 = 0
  /// The attempts that have ended.
  private(set) var settledAttempts: [SettledAttempt] = []
  /// Whether a scene or a program got the event and did not answer.
  ///
  /// The scene or the program may have taken the event.
  var mayBeTaken = false
  /// Whether the event gets no further attempt, even if the attempt under way fails.
  var hasNoOtherTarget = false
  var phase = Phase.deciding

  init(
    _ id: DecisionID,
    _ query: consuming RouteQuery,
    _ options: consuming SendOptions,
    from client: Client,
    _ decision: Decision,
    charge: Int,
    timeoutUSec: UInt64,
    at now: UInt64
  ) {
    size = query.event.size
    self.id = id
    self.query = consume query
    self.client = client
    self.decision = decision
    self.charge = charge
    self.timeoutUSec = timeoutUSec
    acceptedAt = now
    self.options = consume options
  }

  /// The approximate size of a record without its texts, in bytes.
  static var instanceSize: Int { 256 }

  var event: Event { query.event }

  /// The number of the present or next attempt, from 1.
  var attemptNumber: Int { settledAttempts.count + 1 }

  /// Adds an ended attempt.
  ///
  /// Later attempts skip its target.
  func add(_ attempt: SettledAttempt) {
    settledAttempts.append(attempt)
    if let scene = attempt.settlement.sceneID { query.tried.scenes.append(scene) }
    guard case .newScene(let application, let declaration) = attempt.decision.destination else { return }
    query.tried.declarations.append(
      TriedTargets.Declaration(applicationID: application, declarationID: declaration)
    )
  }
}

/// The part of an event's record that effects and lists show.
///
/// This is a class, because several effects share it.
package final class SentEvent: Sendable {
  /// Identifies the event.
  package let id: DecisionID
  /// The event itself.
  package let event: Event
  /// The id that the sender gave the event.
  package let eventID: String?
  /// The program that sent the event; nil if the program is not known.
  package let sender: Sender?
  /// The time at which the event was accepted: the `now` of the call that sent the event.
  package let acceptedAt: UInt64

  init(_ record: EventRecord) {
    id = record.id
    event = record.event
    eventID = record.options.eventID
    sender = record.options.sender
    acceptedAt = record.acceptedAt
  }
}

extension SentEvent: Hashable {
  /// Whether two values are the same sent event.
  package static func == (left: SentEvent, right: SentEvent) -> Bool { left.id == right.id }

  /// Hashes the event's id.
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The progress of an event.
package struct EventProgress: Sendable {
  /// Identifies the event.
  package var id: DecisionID
  /// The attempts that have ended.
  package var settledAttempts: [SettledAttempt]
  /// The decision of the attempt under way; `nil` between two attempts.
  package var decision: Decision?
  /// The end of the event; `nil` while the event is under way.
  package var end: EventEnd?

  /// The decision of the first attempt; `nil` if no attempt has begun.
  package var firstDecision: Decision? { settledAttempts.first?.decision ?? decision }
}

extension EventProgress {
  init(_ record: EventRecord) {
    var isBetweenAttempts: Bool { if case .deciding = record.phase { true } else { false } }
    self.init(
      id: record.id,
      settledAttempts: record.settledAttempts,
      decision: isBetweenAttempts ? nil : record.decision
    )
  }

  init(_ id: DecisionID, _ end: EventEnd) {
    let last = end.settlement.map { SettledAttempt(decision: end.decision, settlement: $0) }
    self.init(id: id, settledAttempts: end.earlierAttempts + (last.map { [$0] } ?? []), end: end)
  }
}

extension Sender {
  /// The number of bytes of the sender's texts.
  fileprivate var size: Int { (name?.utf8.count ?? 0) + (applicationID?.utf8.count ?? 0) }
}
