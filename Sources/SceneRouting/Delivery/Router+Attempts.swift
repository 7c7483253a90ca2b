extension Router {
  /// Begins an attempt at an event.
  mutating func attempt(_ id: DecisionID, _ decision: Decision, now: UInt64, effects: inout [Effect]) {
    guard let timeout = events[id]?.timeoutUSec else { return }
    events[id]?.attempts.append(EventRecord.Attempt(decision: decision, deadline: now + timeout))
    let number = events[id]?.attempts.count ?? 0
    deadlines.insert(DeadlineQueue.Entry(time: now + timeout, event: id, attempt: number)) { [events] in
      Self.isUnderWay($0, in: events)
    }
    switch decision.destination {
    case .none: break
    case .scene(let scene): deliver(id, to: scene, now: now, effects: &effects)
    case .newScene(let application, let declaration):
      requestScene(for: id, application, declaration, now: now, effects: &effects)
    }
  }

  /// Ends the attempt that is under way, and goes on to the next or to the end of the event.
  mutating func settle(
    _ id: DecisionID,
    _ result: SettlementResult,
    reason: String? = nil,
    now: UInt64,
    effects: inout [Effect]
  ) {
    guard let record = events[id], let last = record.attempts.last else { return }
    let target = leave(record.phase, of: id, result)
    let settlement = Settlement(
      decisionID: id,
      deliveryID: target.delivery,
      openRequestID: last.openRequestID,
      sceneID: target.scene,
      result: result,
      reason: reason
    )
    events[id]?.attempts[record.attempts.count - 1].settlement = settlement
    effects.append(.settled(settlement))
    if let scene = target.scene { events[id]?.tried.scenes.insert(scene) }
    if case .newScene(let application, let declaration) = last.decision.destination {
      events[id]?.tried.declarations.insert(
        TriedTargets.Declaration(applicationID: application, declarationID: declaration)
      )
    }
    if let next = nextDecision(for: id, after: result) {
      effects.append(.decided(id, record.event, next))
      attempt(id, next, now: now, effects: &effects)
    } else {
      let settlements = (events[id]?.attempts ?? []).compactMap(\.settlement)
      end(id, EventEnd(decision: last.decision, attempts: settlements), now: now, effects: &effects)
    }
    if let scene = target.scene { showNext(of: scene, now: now, effects: &effects) }
  }

  /// The next target, if the event may go on and there is one.
  private func nextDecision(for id: DecisionID, after result: SettlementResult) -> Decision? {
    guard !result.isTaken, result != .shutdown, let record = events[id],
      record.attempts.count < limits.attemptsPerEvent,
      let rule = record.attempts.last?.decision.rule, rule != .explicit, rule != .singleScene
    else { return nil }
    let decision = registry.decide(RouteQuery(record.event, record.options.constraints, tried: record.tried))
    if case .none = decision.destination { return nil }
    return decision
  }

  /// Takes an event out of where it waits.
  private mutating func leave(
    _ phase: EventRecord.Phase,
    of id: DecisionID,
    _ result: SettlementResult
  ) -> (scene: SceneID?, delivery: DeliveryID?) {
    events[id]?.phase = .accepted
    switch phase {
    case .waiting(let scene, let delivery), .shown(let scene, let delivery):
      deliveries[delivery] = nil
      queues[scene]?.remove(delivery)
      endedDeliveries[delivery.rawValue] = SettledDelivery(sceneID: scene, result: result)
      return (scene, delivery)
    case .accepted, .requested, .ended:
      return (nil, nil)
    }
  }

  /// Gives an event its end.
  mutating func end(_ id: DecisionID, _ end: EventEnd, now: UInt64, effects: inout [Effect]) {
    guard let record = events[id], !record.isEnded else { return }
    registry.release(Charge(bytes: record.event.size), of: record.user)
    registry.updateAccount(of: record.user) { $0.pendingEvents -= 1 }
    countEnd(end)
    if let eventID = record.options.eventID {
      events[id]?.phase = .ended(end)
      for forgotten in memory.end(eventID, of: record.user, as: id, at: now, limits: limits) {
        events[forgotten] = nil
      }
    } else {
      events[id] = nil
    }
    effects.append(.ended(id, end))
  }

  static func isUnderWay(_ entry: DeadlineQueue.Entry, in events: [DecisionID: EventRecord]) -> Bool {
    events[entry.event].map { !$0.isEnded && $0.attempts.count == entry.attempt } ?? false
  }
}

// MARK: - Time

extension Router {
  /// Does what is due: ends attempts whose time is up and forgets old events.
  package mutating func advance(to now: UInt64, effects: inout [Effect]) {
    forgetEvents(before: now)
    while let entry = deadlines.popDue(at: now) {
      if Self.isUnderWay(entry, in: events) { expire(entry.event, now: now, effects: &effects) }
    }
    deadlines.trim { [events] in Self.isUnderWay($0, in: events) }
  }

  private mutating func expire(_ id: DecisionID, now: UInt64, effects: inout [Effect]) {
    switch events[id]?.phase {
    case .shown(let scene, let delivery):
      effects.append(.withdrawDelivery(delivery, from: scene, .timeout))
      settle(id, .timeout, now: now, effects: &effects)
    case .waiting:
      settle(id, .timeout, now: now, effects: &effects)
    case .requested(let request):
      leaveRequest(request, effects: &effects)
      settle(id, .launchFailed, reason: "timeout", now: now, effects: &effects)
    case .accepted, .ended, nil:
      break
    }
  }

  /// Ends every event because the router goes away; nothing can be sent afterwards.
  package mutating func shutDown(now: UInt64, effects: inout [Effect]) {
    for (id, request) in openRequests.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      effects.append(.withdrawOpenRequest(id, fromApplication: request.applicationID, .shutdown))
    }
    openRequests = [:]
    openRequestKeys = [:]
    for id in events.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      if case .shown(let scene, let delivery) = events[id]?.phase {
        effects.append(.withdrawDelivery(delivery, from: scene, .shutdown))
      }
    }
    // Without queues nothing that waits is shown in place of what ends.
    queues = [:]
    for id in events.keys.sorted(by: { $0.rawValue < $1.rawValue }) where events[id]?.isEnded == false {
      settle(id, .shutdown, now: now, effects: &effects)
    }
  }
}
