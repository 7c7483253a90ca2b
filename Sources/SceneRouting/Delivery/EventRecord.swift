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
}

/// An event from its acceptance to its end, and beyond it while its id is remembered.
struct EventRecord {
  /// Where an event stands.
  enum Phase {
    /// No target has been found yet.
    case accepted
    /// It waits for the scene that an application was asked for.
    case requested(OpenRequestID)
    /// It waits for the scene's credit.
    case waiting(SceneID, DeliveryID)
    /// The scene has it.
    case shown(SceneID, DeliveryID)
    /// Nothing more comes.
    case ended
  }

  struct Attempt {
    var decision: Decision
    /// The request that the attempt began with, if it needs a new scene.
    var openRequestID: OpenRequestID?
    /// When its time is up.
    var deadline: UInt64 = 0
  }

  struct SettledAttempt {
    var decision: Decision
    var settlement: Settlement
  }

  let id: DecisionID
  let user: UserID
  let event: Event
  let options: SendOptions
  let timeoutUSec: UInt64
  /// The last attempt; for an event without a target the decision alone.
  var attempt: Attempt
  /// The attempts that have ended.
  var settledAttempts: [SettledAttempt] = []
  var phase = Phase.accepted
  /// Its place among the deliveries of its scene.
  var links = DeliveryQueue.Links()
}

extension EventRecord {
  private static let noDecision = Decision(generation: 0)

  /// What stands at a place without an event.
  static var vacant: EventRecord {
    EventRecord(
      id: DecisionID(rawValue: 0),
      user: UserID(rawValue: 0),
      event: Event(.url("")),
      options: SendOptions(),
      timeoutUSec: 0,
      attempt: Attempt(decision: noDecision),
      phase: .ended
    )
  }

  var isVacant: Bool { id.rawValue == 0 }

  var isEnded: Bool {
    if case .ended = phase { true } else { false }
  }

  /// The number of the attempt under way, from 1.
  var attemptNumber: Int { settledAttempts.count + 1 }

  func isUnderWay(attempt number: Int) -> Bool { !isEnded && attemptNumber == number }

  /// The targets of all attempts, the last of which has ended as told.
  func tried(_ last: Settlement) -> TriedTargets {
    var tried = TriedTargets()
    for attempt in settledAttempts { tried.add(attempt.decision, attempt.settlement) }
    tried.add(attempt.decision, last)
    return tried
  }

  /// Notes how the attempt under way ended.
  mutating func settle(_ settlement: Settlement) {
    settledAttempts.append(SettledAttempt(decision: attempt.decision, settlement: settlement))
  }
}

extension TriedTargets {
  fileprivate mutating func add(_ decision: Decision, _ settlement: Settlement) {
    if let scene = settlement.sceneID { scenes.append(scene) }
    if case .newScene(let application, let declaration) = decision.destination {
      declarations.append(Declaration(applicationID: application, declarationID: declaration))
    }
  }
}

/// What has become of an event so far.
package struct EventProgress: Sendable {
  /// Each decision that had a destination, and how the attempt ended if it has.
  package var attempts: [(decision: Decision, settlement: Settlement?)]
  /// The end, if it has come.
  package var end: EventEnd?

  init(_ record: EventRecord) {
    let settled = record.settledAttempts
    attempts = settled.map { ($0.decision, $0.settlement) }
    if record.isEnded {
      end = EventEnd(
        decision: record.attempt.decision,
        settlement: settled.last?.settlement,
        earlierSettlements: settled.dropLast().map(\.settlement)
      )
    } else {
      attempts.append((record.attempt.decision, nil))
    }
  }
}
