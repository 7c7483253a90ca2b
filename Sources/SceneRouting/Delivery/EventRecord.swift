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

  func refusal(under limits: Limits) -> Refusal? {
    if let timeoutUSec, !limits.timeoutUSec.contains(timeoutUSec) {
      return .invalidParameter(path: "timeoutUSec")
    }
    return limits.refusal(ofString: constraints.applicationID) ?? limits.refusal(ofString: eventID)
      ?? limits.refusal(ofString: activationToken)
  }

  /// Bytes of its texts.
  var size: Int {
    (constraints.applicationID?.utf8.count ?? 0) + (eventID?.utf8.count ?? 0)
      + (activationToken?.utf8.count ?? 0)
  }
}

/// An event from its acceptance to its end.
struct EventRecord {
  /// Where an event stands.
  enum Phase {
    /// Between two attempts: its next target is to be found.
    case deciding
    /// It waits for the scene that an application was asked for.
    case requested(OpenRequestID)
    /// It waits for the scene's credit.
    case waiting(SceneID, DeliveryID)
    /// The scene has it.
    case shown(SceneID, DeliveryID)
  }

  let id: DecisionID
  let client: Client
  let event: Event
  /// Bytes of the event.
  let size: Int
  /// What it is charged as: those, and what is noted with it.
  let charge: Int
  let options: SendOptions
  let timeoutUSec: UInt64
  /// The decision of the attempt under way; between two attempts that of the last.
  var decision: Decision
  /// The request that the attempt began with, if it needs a new scene.
  var openRequestID: OpenRequestID?
  /// When the time of the attempt is up.
  var deadline: UInt64 = 0
  /// The attempts that have ended.
  var settledAttempts: [SettledAttempt] = []
  var phase = Phase.deciding
}

extension EventRecord {
  private static let noDecision = Decision(generation: 0)

  /// What stands at a place without an event.
  static var vacant: EventRecord {
    EventRecord(
      id: DecisionID(rawValue: 0),
      client: Client(user: UserID(rawValue: 0)),
      event: Event(.url("")),
      size: 0,
      charge: 0,
      options: SendOptions(),
      timeoutUSec: 0,
      decision: noDecision
    )
  }

  var isVacant: Bool { id.rawValue == 0 }

  /// The number of the attempt under way or to be made, from 1.
  var attemptNumber: Int { settledAttempts.count + 1 }

  /// The targets of all attempts that have ended.
  var triedTargets: TriedTargets {
    var tried = TriedTargets()
    for attempt in settledAttempts {
      if let scene = attempt.settlement.sceneID { tried.scenes.append(scene) }
      guard case .newScene(let application, let declaration) = attempt.decision.destination else { continue }
      tried.declarations.append(
        TriedTargets.Declaration(applicationID: application, declarationID: declaration)
      )
    }
    return tried
  }
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
