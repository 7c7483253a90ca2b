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
  /// The router went away first.
  case shutdown

  /// Whether the event was taken.
  package var isTaken: Bool { self == .acknowledged || self == .launched }

  /// Tells it from the others, for counting.
  var place: Int {
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
  /// The event, by its decisions.
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

/// The one end of an accepted event.
package struct EventEnd: Hashable, Sendable {
  /// The last decision that had a destination, or the one that had none.
  package var decision: Decision
  /// The last attempt; `nil` if no rule found a target.
  package var settlement: Settlement?
  /// The attempts before it, in order.
  package var earlierSettlements: [Settlement]

  /// Every attempt in order; none if no rule found a target.
  package var attempts: [Settlement] { settlement.map { earlierSettlements + [$0] } ?? [] }

  /// How the event ended; `nil` if it was not routed.
  package var result: SettlementResult? { settlement?.result }
}

/// How an open request ended.
package enum OpenRequestEnd: String, Sendable {
  case opened
  case declined
  case timeout
  case launchFailed
}

/// Why something offered is no longer to be answered.
package enum WithdrawalReason: String, Sendable {
  case timeout
  case shutdown
}
