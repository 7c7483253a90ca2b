/// The result of one attempt at an event.
package enum SettlementResult: String, Sendable, CaseIterable {
  /// A scene took the event.
  case acknowledged
  /// The program of an application without scenes was started with the event.
  case launched
  /// The scene did not want the event.
  case declined
  /// The scene did not settle the delivery in time.
  case timeout
  /// The scene closed before it settled the delivery.
  case sceneClosed
  /// The application did not open the requested scene.
  case launchFailed
  /// The router stopped before the attempt ended.
  case shutdown

  /// Whether the event was taken.
  package var isTaken: Bool { self == .acknowledged || self == .launched }

  /// The index of the result in lists of counts.
  var index: Int {
    switch self {
    case .acknowledged: 0
    case .launched: 1
    case .declined: 2
    case .timeout: 3
    case .sceneClosed: 4
    case .launchFailed: 5
    case .shutdown: 6
    }
  }
}

/// The end of one attempt at an event.
package struct Settlement: Hashable, Sendable {
  /// Identifies the event.
  package var decisionID: DecisionID
  /// The delivery, if there was one.
  package var deliveryID: DeliveryID?
  /// The request for a new scene, if there was one.
  package var openRequestID: OpenRequestID?
  /// The target scene; for an open request, the new scene.
  package var sceneID: SceneID?
  /// The result of the attempt.
  package var result: SettlementResult
  /// Why the attempt ended, in the words of the client or the router that ended it.
  package var reason: String?
}

/// An ended attempt at an event.
package struct SettledAttempt: Hashable, Sendable {
  /// The decision with which the attempt began.
  package var decision: Decision
  /// The end of the attempt.
  package var settlement: Settlement
}

/// The end of an accepted event; each event ends exactly once.
package struct EventEnd: Hashable, Sendable {
  /// The last decision with a target.
  ///
  /// If no decision had a target, this is the only decision.
  package var decision: Decision
  /// The end of the last attempt; `nil` if no rule found a target.
  package var settlement: Settlement?
  /// The attempts before the last attempt, in order.
  package var earlierAttempts: [SettledAttempt]
  /// Whether a scene or a program got the event and did not answer.
  ///
  /// The scene or the program may have taken the event.
  package var mayBeTaken = false

  /// The ends of all attempts, in order; empty if no rule found a target.
  package var settlements: [Settlement] {
    earlierAttempts.map(\.settlement) + (settlement.map { [$0] } ?? [])
  }

  /// The result of the event; `nil` if the event was not routed.
  package var result: SettlementResult? { settlement?.result }
}

/// The result of an open request.
package enum OpenRequestEnd: String, Sendable {
  /// A scene was opened for the request.
  case opened
  /// The application declined to open a scene.
  case declined
  /// No event waits for the scene any longer, usually because the events' deadlines have passed.
  case timeout
  /// The application is no longer declared, or its program did not start.
  case launchFailed
}

/// The reason why a delivery or an open request was withdrawn.
package enum WithdrawalReason: String, Sendable {
  /// The time to settle the delivery or to answer the request is up.
  case timeout
  /// The router stops.
  case shutdown
}
