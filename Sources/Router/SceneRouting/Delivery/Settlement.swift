/// How one attempt at an event ended.
package enum SettlementResult: String, Sendable, CaseIterable {
  /// A scene took the event.
  case acknowledged
  /// The event was handed to an application that knows nothing of scenes.
  case launched
  /// The scene did not want it.
  case declined
  /// The scene did not settle it in time.
  case timeout
  /// The scene closed first.
  case sceneClosed
  /// The application did not open the scene it was asked for.
  case launchFailed
  /// The router stopped first.
  case shutdown

  /// Whether the event was taken.
  package var isTaken: Bool { self == .acknowledged || self == .launched }

  /// Its place among the counts.
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
  /// The scene that was to take the event; for an open request, the new one.
  package var sceneID: SceneID?
  /// How it ended.
  package var result: SettlementResult
  /// Why, in the words of who ended it.
  package var reason: String?
}

/// An attempt at an event that has ended.
package struct SettledAttempt: Hashable, Sendable {
  /// Where the event went.
  package var decision: Decision
  /// How that ended.
  package var settlement: Settlement
}

/// The one end of an accepted event.
package struct EventEnd: Hashable, Sendable {
  /// The last decision that had a destination, or the one that had none.
  package var decision: Decision
  /// How the last attempt ended; `nil` if no rule found a target.
  package var settlement: Settlement?
  /// The attempts before it, in order.
  package var earlierAttempts: [SettledAttempt]

  /// How every attempt ended, in order; none if no rule found a target.
  package var settlements: [Settlement] {
    earlierAttempts.map(\.settlement) + (settlement.map { [$0] } ?? [])
  }

  /// How the event ended; `nil` if it was not routed.
  package var result: SettlementResult? { settlement?.result }
}

/// How an open request ended.
package enum OpenRequestEnd: String, Sendable {
  /// A scene was opened for it.
  case opened
  /// The application did not want to open one.
  case declined
  /// No event waits for the scene any longer.
  case timeout
  /// The application is no longer there.
  case launchFailed
}

/// Why something offered is no longer to be answered.
package enum WithdrawalReason: String, Sendable {
  /// The time for it is up.
  case timeout
  /// The router stops.
  case shutdown
}
