import VarlinkServer

/// A call that waits for what becomes of an event.
struct WaitingCall {
  /// Which replies it gets.
  enum Interest {
    /// The first decision, alone.
    case decision
    /// One reply at the end.
    case outcome
    /// Every decision and every settlement.
    case everything
  }

  var call: CallID
  var interest: Interest
}

/// The calls that wait for one event: its sender, and whoever sent it again or awaits it.
struct WaitingCalls {
  private var first: WaitingCall?
  private var others: [WaitingCall] = []

  var isEmpty: Bool { first == nil && others.isEmpty }

  mutating func append(_ call: WaitingCall) {
    if first == nil { first = call } else { others.append(call) }
  }

  mutating func popLast() -> WaitingCall? { others.popLast() ?? first.take() }

  func forEach(_ body: (WaitingCall) -> Void) {
    if let first { body(first) }
    for call in others { body(call) }
  }

  /// Forgets those that want no more than the first decision.
  mutating func removeDecisionWaiters() {
    if first?.interest == .decision { first = nil }
    others.removeAll { $0.interest == .decision }
  }
}
