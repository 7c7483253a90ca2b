/// Events that go on because of one change, one after the other.
///
/// Tens of thousands may wait for one scene. As many as take a few milliseconds go on with the change itself, the
/// others between what others ask for, see ``Router/advance(to:effects:)``. Until then each stands where it stood, and
/// may end in another way.
enum Turn {
  /// What becomes of an open request whose events go on.
  enum RequestEnd {
    case opened(SceneID)
    case failed(reason: String)
  }

  /// Those that a closed scene has not settled.
  case closed(SceneID)
  /// Those that wait for the scene that an application was asked for.
  case ended(OpenRequestID, RequestEnd, waiting: ArraySlice<DecisionID>)
  /// Those that wait for scenes of an application that is gone.
  case gone(ArraySlice<OpenRequestID>)
}

extension Router {
  /// How many events, or requests, go on in one step: about 2 ms.
  private static var mostInStep: Int { 64 }
  /// How many of one turn do so before those of the next.
  private static var mostInTurn: Int { 16 }

  /// Lets events go on, beside those whose turn has come before.
  mutating func goOn(_ turn: Turn, now: UInt64, effects: inout [Effect]) {
    turns.append(turn)
    takeTurns(now: now, effects: &effects)
  }

  /// Lets as many go on as a step allows.
  mutating func takeTurns(now: UInt64, effects: inout [Effect]) {
    var left = Self.mostInStep
    while left > 0, !turns.isEmpty {
      var turn = turns.removeFirst()
      let most = min(left, Self.mostInTurn)
      var taken = 0
      while taken < most, goOnWithNext(of: &turn, now: now, effects: &effects) { taken += 1 }
      if taken == most { turns.append(turn) }
      left -= max(taken, 1)
    }
  }

  /// Lets the next of a turn go on; false if none is left.
  private mutating func goOnWithNext(of turn: inout Turn, now: UInt64, effects: inout [Effect]) -> Bool {
    switch turn {
    case .closed(let scene):
      guard let slot = queues[scene.rawValue]?.firstPending else {
        queues.remove(scene.rawValue)
        return false
      }
      settle(slot, .sceneClosed, now: now, effects: &effects)
    case .ended(let request, let end, var waiting):
      guard let event = waiting.popFirst() else { return false }
      turn = .ended(request, end, waiting: waiting)
      goOn(event, after: request, end, now: now, effects: &effects)
    case .gone(var requests):
      guard let request = requests.popFirst() else { return false }
      turn = .gone(requests)
      let ended = endRequest(request, .launchFailed, .failed(reason: "applicationGone"))
      if let ended { turns.append(ended) }
    }
    return true
  }

  private mutating func goOn(
    _ event: DecisionID,
    after request: OpenRequestID,
    _ end: Turn.RequestEnd,
    now: UInt64,
    effects: inout [Effect]
  ) {
    guard let slot = events.slot(of: event), case .requested(request) = events[slot].phase else { return }
    switch end {
    case .opened(let scene): deliver(slot, to: scene, now: now, effects: &effects)
    case .failed(let reason): settle(slot, .launchFailed, reason: reason, now: now, effects: &effects)
    }
  }
}
