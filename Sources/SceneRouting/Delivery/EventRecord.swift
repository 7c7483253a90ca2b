/// What a sender asks for beside the event.
package struct SendOptions: Hashable, Sendable {
  /// What it demands of the target.
  package var constraints: RouteConstraints
  /// Time for one target, in microseconds; `nil` for the default.
  package var timeoutUSec: UInt64?
  /// Chosen by the sender; an event with the id of another is not routed.
  package var eventID: String?
  /// For the target's window; handed to one target at a time.
  package var activationToken: String?

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
    case ended(EventEnd)
  }

  struct Attempt {
    var decision: Decision
    /// The request that the attempt began with, if it needs a new scene.
    var openRequestID: OpenRequestID?
    /// When its time is up.
    var deadline: UInt64
    var settlement: Settlement?
  }

  let user: UserID
  let event: Event
  let options: SendOptions
  let timeoutUSec: UInt64
  var attempts: [Attempt] = []
  var tried = TriedTargets()
  var phase = Phase.accepted

  var isEnded: Bool {
    if case .ended = phase { true } else { false }
  }
}

/// What has become of an event so far.
package struct EventProgress: Sendable {
  /// Each decision that had a destination, and how the attempt ended if it has.
  package var attempts: [(decision: Decision, settlement: Settlement?)]
  /// The end, if it has come.
  package var end: EventEnd?
}
