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

/// Events for a scene that has just opened, which come after those that waited for it.
struct Opening {
  /// What the scene was opened for.
  let request: OpenRequestID
  var later: [DecisionID] = []
}

extension Router {
  /// How much goes on in one step: so many events of up to a kibibyte, which takes 2 ms, or one of 64 KiB.
  private static var mostInStep: Int { 64 }
  /// How much of one turn does so before that of the next.
  private static var mostInTurn: Int { 16 }

  /// What an event counts for where only so much goes on in one step: each attempt looks at its text anew.
  func weight(of slot: EventSlot) -> Int { 1 + events[slot].event.size / 1024 }

  /// Lets the first events of a turn go on, and the others beside those whose turn has come before.
  mutating func goOn(_ turn: Turn, now: UInt64, effects: inout [Effect]) {
    var turn = turn
    if !take(&turn, most: Self.mostInStep, now: now, effects: &effects).isDone { turns.append(turn) }
  }

  /// Lets as many go on as a step allows.
  mutating func takeTurns(now: UInt64, effects: inout [Effect]) {
    var left = Self.mostInStep
    while left > 0, !turns.isEmpty {
      var turn = turns.removeFirst()
      let (taken, isDone) = take(&turn, most: min(left, Self.mostInTurn), now: now, effects: &effects)
      if !isDone { turns.append(turn) }
      left -= taken
    }
  }

  private mutating func take(
    _ turn: inout Turn,
    most: Int,
    now: UInt64,
    effects: inout [Effect]
  ) -> (taken: Int, isDone: Bool) {
    var taken = 0
    while taken < most {
      let weight = goOnWithNext(of: &turn, now: now, effects: &effects)
      guard weight > 0 else { return (taken + 1, true) }
      taken += weight
    }
    return (taken, false)
  }

  /// Lets the next of a turn go on; returns what it counts for, 0 if none is left.
  private mutating func goOnWithNext(of turn: inout Turn, now: UInt64, effects: inout [Effect]) -> Int {
    switch turn {
    case .closed(let scene):
      guard let slot = queues[scene.rawValue]?.firstPending else {
        queues.remove(scene.rawValue)
        return 0
      }
      let weight = weight(of: slot)
      settle(slot, .sceneClosed, now: now, effects: &effects)
      return weight
    case .ended(let request, let end, var waiting):
      if waiting.isEmpty, case .opened(let scene) = end { waiting = takeLater(of: scene)[...] }
      guard let event = waiting.popFirst() else { return 0 }
      turn = .ended(request, end, waiting: waiting)
      return goOn(event, after: request, end, now: now, effects: &effects)
    case .gone(var requests):
      guard let request = requests.popFirst() else { return 0 }
      turn = .gone(requests)
      let ended = endRequest(request, .launchFailed, .failed(reason: "applicationGone"))
      guard var ended else { return 1 }
      let (taken, isDone) = take(&ended, most: Self.mostInTurn, now: now, effects: &effects)
      if !isDone { turns.append(ended) }
      return taken
    }
  }

  private mutating func goOn(
    _ event: DecisionID,
    after request: OpenRequestID,
    _ end: Turn.RequestEnd,
    now: UInt64,
    effects: inout [Effect]
  ) -> Int {
    guard let slot = events.slot(of: event), case .requested(request) = events[slot].phase else { return 1 }
    let weight = weight(of: slot)
    switch end {
    case .opened(let scene): deliver(slot, to: scene, now: now, effects: &effects)
    case .failed(let reason): settle(slot, .launchFailed, reason: reason, now: now, effects: &effects)
    }
    return weight
  }

  /// Lets the events that waited for a scene go on, before all that are routed to it from now on.
  mutating func goOn(_ turn: Turn, to scene: SceneID, now: UInt64, effects: inout [Effect]) {
    guard case .ended(let request, _, _) = turn else { return }
    openings[scene] = Opening(request: request)
    goOn(turn, now: now, effects: &effects)
  }

  /// Lets an event wait for those that are to come to a scene before it; false if there are none.
  mutating func wait(_ slot: EventSlot, for scene: SceneID) -> Bool {
    guard !openings.isEmpty, let request = openings[scene]?.request else { return false }
    openings[scene]?.later.append(events[slot].id)
    events[slot].phase = .requested(request)
    return true
  }

  /// What has been routed to a scene since it opened; when there is nothing, nothing waits any longer.
  private mutating func takeLater(of scene: SceneID) -> [DecisionID] {
    let later = openings[scene]?.later ?? []
    openings[scene] = later.isEmpty ? nil : openings[scene].map { Opening(request: $0.request) }
    return later
  }
}
