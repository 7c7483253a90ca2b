extension Router {
  /// What became of a call to send.
  package enum Acceptance: Sendable {
    /// The event is on its way, or has ended already; the effects tell.
    case accepted(DecisionID)
    /// The user sent the same event under the same id before; see ``progress(of:)``.
    case duplicate(DecisionID)
  }

  /// Accepts an event and routes it.
  package mutating func send(
    _ event: consuming Event,
    _ options: consuming SendOptions,
    user: UserID,
    now: UInt64,
    effects: inout [Effect]
  ) -> Result<Acceptance, Refusal> {
    forgetEvents(before: now)
    if let refusal = event.refusal(under: limits) ?? options.refusal(under: limits) {
      return .failure(refusal)
    }
    if let eventID = options.eventID, let known = memory.event(eventID, of: user),
      let slot = events.slot(of: known)
    {
      return events[slot].event == event
        ? .success(.duplicate(known)) : .failure(.invalidParameter(path: "eventId"))
    }
    if let refusal = refusal(ofTarget: options.constraints) { return .failure(refusal) }
    let account = registry.account(of: user)
    guard account.pendingEvents < limits.pendingEventsPerUser else {
      return .failure(.limitExceeded(.pendingEventsPerUser, maximum: limits.pendingEventsPerUser))
    }
    let decision = registry.decide(RouteQuery(copy event, options.constraints))
    if case .scene(let scene) = decision.destination, isFull(scene) {
      return .failure(.limitExceeded(.pendingDeliveriesPerScene, maximum: limits.pendingDeliveriesPerScene))
    }
    if let refusal = registry.chargeEvent(bytes: event.size, to: user, limits) { return .failure(refusal) }

    let id = nextDecisionID()
    let isRouted = decision.rule != nil
    if reportsSteps { effects.append(.decided(id, copy event, decision)) }
    if let eventID = options.eventID { memory.remember(eventID, of: user, as: id) }
    let timeoutUSec = options.timeoutUSec ?? limits.defaultTimeoutUSec
    let slot = events.insert(
      EventRecord(
        id: id,
        user: user,
        event: event,
        options: options,
        timeoutUSec: timeoutUSec,
        attempt: EventRecord.Attempt(decision: decision)
      )
    )
    if isRouted {
      begin(slot, now: now, effects: &effects)
    } else {
      end(slot, nil, now: now, effects: &effects)
    }
    return .success(.accepted(id))
  }

  /// The event that a user sent under an id of its own.
  package mutating func event(_ eventID: String, of user: UserID, now: UInt64) -> Result<DecisionID, Refusal>
  {
    forgetEvents(before: now)
    guard limits.refusal(ofString: eventID) == nil else { return .failure(.noSuchEvent) }
    return memory.event(eventID, of: user).map { .success($0) } ?? .failure(.noSuchEvent)
  }

  /// What has become of an event so far; `nil` once it has ended and is not remembered.
  package func progress(of id: DecisionID) -> EventProgress? {
    events.slot(of: id).map { EventProgress(events[$0]) }
  }

  /// Tells where an event would go, and why, without sending it.
  package mutating func explain(
    _ event: Event,
    _ constraints: RouteConstraints,
    maximumSteps: Int
  ) -> Result<(Decision, Trace), Refusal> {
    if let refusal = event.refusal(under: limits) ?? limits.refusal(ofString: constraints.applicationID)
      ?? refusal(ofTarget: constraints)
    {
      return .failure(refusal)
    }
    let query = RouteQuery(event, constraints)
    let decision = registry.decide(query)
    return .success((decision, registry.trace(query, maximum: maximumSteps)))
  }

  private func refusal(ofTarget constraints: RouteConstraints) -> Refusal? {
    if let scene = constraints.sceneID { return registry.sceneSlots[scene] == nil ? .noSuchScene : nil }
    if let application = constraints.applicationID, registry.applicationSlots[application] == nil {
      return .noSuchApplication
    }
    return nil
  }

  func isFull(_ scene: SceneID) -> Bool {
    queues[scene.rawValue].map { $0.waitingCount >= limits.pendingDeliveriesPerScene } ?? true
  }

  mutating func forgetEvents(before now: UInt64) {
    guard let first = memory.firstForgetting, first <= now else { return }
    for id in memory.forget(before: now) { forget(id) }
  }

  mutating func forget(_ id: DecisionID) {
    if let slot = events.slot(of: id) { events.remove(slot) }
  }
}
