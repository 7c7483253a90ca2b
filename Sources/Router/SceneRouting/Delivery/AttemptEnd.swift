package enum SettlementResult: String, Sendable, CaseIterable {
  case acknowledged
  /// The program of an application without scenes was started with the event.
  case launched
  case declined
  case timeout
  case sceneClosed
  case launchFailed
  case shutdown

  package var isTaken: Bool { self == .acknowledged || self == .launched }

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

package struct AttemptEnd: Hashable, Sendable {
  package var decisionID: DecisionID
  package var deliveryID: DeliveryID?
  package var openRequestID: OpenRequestID?
  /// For an open request, the new scene.
  package var sceneID: SceneID?
  package var result: SettlementResult
  /// In the words of the client or the router that ended the attempt.
  package var reason: String?
}

package struct SettledAttempt: Hashable, Sendable {
  package var decision: Decision
  package var settlement: AttemptEnd
}

/// Each accepted event ends exactly once.
package struct EventEnd: Hashable, Sendable {
  /// The last decision with a target, or the only decision.
  package var decision: Decision
  /// `nil` if no rule found a target.
  package var settlement: AttemptEnd?
  package var earlierAttempts: [SettledAttempt]
  /// A scene or a program got the event and did not answer, so it may have taken the event.
  package var mayBeTaken = false

  package var settlements: [AttemptEnd] {
    earlierAttempts.map(\.settlement) + (settlement.map { [$0] } ?? [])
  }

  /// `nil` if the event was not routed.
  package var result: SettlementResult? { settlement?.result }
}

package enum OpenRequestEnd: String, Sendable {
  case opened
  case declined
  /// No event waits any longer, usually because the deadlines of the events have passed.
  case timeout
  /// The application is no longer declared, or its program did not start.
  case launchFailed
}
