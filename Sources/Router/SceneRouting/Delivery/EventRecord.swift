/// What a sender asks for beside the event.
package struct SendOptions: Hashable, Sendable {
  /// What it demands of the target.
  package let constraints: RouteConstraints
  /// Time for one target, in microseconds; `nil` for the default.
  package let timeoutUSec: UInt64?
  /// Chosen by the sender; an event with the id of another is not routed.
  package let eventID: String?
  /// For the target's window; handed to one target at a time.
  package let activationToken: String?

  /// Makes options; they are checked where the event is sent.
  package init(
    constraints: RouteConstraints = RouteConstraints(),
    timeoutUSec: UInt64? = nil,
    eventID: String? = nil,
    activationToken: String? = nil
  ) {
    self.constraints = constraints
    self.timeoutUSec = timeoutUSec
    self.eventID = eventID
    self.activationToken = activationToken
  }

  func error(under limits: Limits) -> CallError? {
    if let timeoutUSec, !limits.timeoutUSec.contains(timeoutUSec) {
      return .invalidParameter(path: "timeoutUSec")
    }
    return limits.error(ofString: constraints.applicationID) ?? limits.error(ofString: eventID)
      ?? limits.error(ofString: activationToken)
  }

  /// Bytes of its texts.
  var size: Int {
    (constraints.applicationID?.utf8.count ?? 0) + (eventID?.utf8.count ?? 0)
      + (activationToken?.utf8.count ?? 0)
  }
}

/// An event from its acceptance to its end.
final class EventRecord {
  /// Where an event stands.
  enum Phase {
    /// Between two attempts: its next target is to be found.
    case deciding
    /// It waits for the scene that an application was asked for.
    case requested(OpenRequestID)
    /// It waits for the scene's credit.
    case waiting(SceneID)
    /// The scene has it.
    case shown(SceneID)
  }

  let id: DecisionID
  let client: Client
  /// Bytes of the event.
  let size: Int
  /// What it is charged as: those, and what is noted with it.
  let charge: Int
  let options: SendOptions
  let timeoutUSec: UInt64
  /// When it was accepted.
  let acceptedAt: UInt64
  /// The event, what its sender demands, and the targets of all attempts that have ended.
  private(set) var query: RouteQuery
  /// The decision of the attempt under way; between two attempts that of the last.
  var decision: Decision
  /// The request that the attempt began with, if it needs a new scene.
  var openRequestID: OpenRequestID?
  /// The delivery of the attempt, if there is one.
  var deliveryID = DeliveryID(rawValue: 0)
  /// When the time of the attempt is up.
  var deadline: UInt64 = 0
  /// The attempts that have ended.
  private(set) var settledAttempts: [SettledAttempt] = []
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

  /// Bytes of an object without texts, about.
  static var instanceSize: Int { 256 }

  var event: Event { query.event }

  /// The number of the attempt under way or to be made, from 1.
  var attemptNumber: Int { settledAttempts.count + 1 }

  /// Adds an attempt that has ended; later ones skip its target.
  func add(_ attempt: SettledAttempt) {
    settledAttempts.append(attempt)
    if let scene = attempt.settlement.sceneID { query.tried.scenes.append(scene) }
    guard case .newScene(let application, let declaration) = attempt.decision.destination else { return }
    query.tried.declarations.append(
      TriedTargets.Declaration(applicationID: application, declarationID: declaration)
    )
  }
}

/// An event as its sender sent it.
///
/// One object, as several effects pass it on.
package final class SentEvent: Sendable {
  /// Identifies the event.
  package let id: DecisionID
  /// What was sent.
  package let event: Event
  /// What its sender identifies it by.
  package let eventID: String?
  /// The process that sent it, if it is known.
  package let processID: Int32?
  /// When it was accepted, by the clock of the calls.
  package let acceptedAt: UInt64

  init(_ record: EventRecord) {
    id = record.id
    event = record.event
    eventID = record.options.eventID
    processID = record.client.processID
    acceptedAt = record.acceptedAt
  }
}

extension SentEvent: Hashable {
  /// Whether two are the same event.
  package static func == (left: SentEvent, right: SentEvent) -> Bool { left.id == right.id }

  /// Hashes the event's id.
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// What has become of an event so far.
package struct EventProgress: Sendable {
  /// Identifies the event.
  package var id: DecisionID
  /// The attempts that have ended.
  package var settledAttempts: [SettledAttempt]
  /// The decision of the attempt under way, if there is one.
  package var decision: Decision?
  /// The end, if it has come.
  package var end: EventEnd?
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
