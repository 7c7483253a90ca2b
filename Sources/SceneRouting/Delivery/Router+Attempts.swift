extension Router {
  /// Begins an attempt at an event.
  mutating func begin(_ slot: EventSlot, now: UInt64, effects: inout [Effect]) {
    let deadline = now + events[slot].timeoutUSec
    events[slot].attempt.deadline = deadline
    deadlines.insert(
      DeadlineQueue.Entry(
        time: deadline,
        event: events[slot].id,
        slot: slot,
        attempt: events[slot].attemptNumber
      ),
      events
    )
    switch events[slot].attempt.decision.destination {
    case .none: break
    case .scene(let scene):
      if !wait(slot, for: scene) { deliver(slot, to: scene, now: now, effects: &effects) }
    case .newScene(let application, let declaration):
      requestScene(for: slot, application, declaration, effects: &effects)
    }
  }

  /// Ends the attempt that is under way, and goes on to the next or to the end of the event.
  mutating func settle(
    _ slot: EventSlot,
    _ result: SettlementResult,
    reason: String? = nil,
    now: UInt64,
    effects: inout [Effect]
  ) {
    let target = leave(slot, result)
    let settlement = Settlement(
      decisionID: events[slot].id,
      deliveryID: target?.delivery,
      openRequestID: events[slot].attempt.openRequestID,
      sceneID: target?.scene,
      result: result,
      reason: reason
    )
    if reportsSteps { effects.append(.settled(settlement)) }
    if mayGoOn(slot, after: result) {
      decide(slot, after: settlement, now: now, effects: &effects)
    } else {
      end(slot, settlement, now: now, effects: &effects)
    }
    if let scene = target?.scene { showNext(of: scene, now: now, effects: &effects) }
  }

  private func mayGoOn(_ slot: EventSlot, after result: SettlementResult) -> Bool {
    guard !result.isTaken, result != .shutdown, events[slot].attemptNumber < limits.attemptsPerEvent else {
      return false
    }
    let rule = events[slot].attempt.decision.rule
    return rule != .explicit && rule != .singleScene
  }

  /// Finds the next target of an event whose last attempt has ended, or ends the event if there is none.
  private mutating func decide(
    _ slot: EventSlot,
    after settlement: Settlement,
    now: UInt64,
    effects: inout [Effect]
  ) {
    let decision = registry.decide(
      RouteQuery(
        events[slot].event,
        events[slot].options.constraints,
        tried: events[slot].tried(settlement)
      )
    )
    if case .none = decision.destination { return end(slot, settlement, now: now, effects: &effects) }
    if reportsSteps { effects.append(.decided(events[slot].id, events[slot].event, decision)) }
    events[slot].settle(settlement)
    events[slot].attempt = EventRecord.Attempt(decision: decision)
    begin(slot, now: now, effects: &effects)
  }

  /// Takes an event out of where it waits.
  private mutating func leave(
    _ slot: EventSlot,
    _ result: SettlementResult
  ) -> (scene: SceneID, delivery: DeliveryID)? {
    let left: (scene: SceneID, delivery: DeliveryID, wasShown: Bool)
    let phase = events[slot].phase
    events[slot].phase = .accepted
    switch phase {
    case .waiting(let scene, let delivery): left = (scene, delivery, false)
    case .shown(let scene, let delivery): left = (scene, delivery, true)
    case .accepted, .requested, .ended: return nil
    }
    deliveries.remove(left.delivery.rawValue)
    endedDeliveries[left.delivery.rawValue] = SettledDelivery(sceneID: left.scene, result: result)
    if let place = queues.place(of: left.scene.rawValue) {
      queues[place: place].remove(slot, wasShown: left.wasShown, &events)
    }
    return (left.scene, left.delivery)
  }

  /// Gives an event its end; `last` tells how its last attempt ended, if there was one.
  mutating func end(_ slot: EventSlot, _ last: Settlement?, now: UInt64, effects: inout [Effect]) {
    let (id, user) = (events[slot].id, events[slot].user)
    registry.releaseEvent(bytes: events[slot].event.size, of: user)
    if let result = last?.result { ends[result.place] += 1 } else { notRoutedCount += 1 }
    effects.append(
      .ended(
        id,
        EventEnd(
          decision: events[slot].attempt.decision,
          settlement: last,
          earlierSettlements: events[slot].settledAttempts.map(\.settlement)
        )
      )
    )
    guard let eventID = events[slot].options.eventID else { return events.remove(slot) }
    if let last { events[slot].settle(last) }
    events[slot].phase = .ended
    if let forgotten = memory.end(eventID, of: user, as: id, at: now, limits: limits) { forget(forgotten) }
  }
}

// MARK: - Time

extension Router {
  /// Does what is due: lets events go on whose turn it is, ends attempts whose time is up and forgets old events.
  ///
  /// Does so for no more events than take a few milliseconds; if there are more, ``nextDeadline`` stays due.
  package mutating func advance(to now: UInt64, effects: inout [Effect]) {
    forgetEvents(before: now)
    takeTurns(now: now, effects: &effects)
    var ended = 0
    while ended < 128, let entry = deadlines.popDue(at: now) {
      guard events.isUnderWay(entry) else { continue }
      ended += weight(of: entry.slot)
      expire(entry.slot, now: now, effects: &effects)
    }
    deadlines.trim(events)
  }

  private mutating func expire(_ slot: EventSlot, now: UInt64, effects: inout [Effect]) {
    switch events[slot].phase {
    case .shown(let scene, let delivery):
      effects.append(.withdrawDelivery(delivery, from: scene, .timeout))
      settle(slot, .timeout, now: now, effects: &effects)
    case .waiting:
      settle(slot, .timeout, now: now, effects: &effects)
    case .requested(let request):
      leaveRequest(request, effects: &effects)
      settle(slot, .launchFailed, reason: "timeout", now: now, effects: &effects)
    case .accepted, .ended:
      break
    }
  }

  /// Ends every event because the router goes away; nothing can be sent afterwards.
  package mutating func shutDown(now: UInt64, effects: inout [Effect]) {
    for (id, request) in openRequests.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where isAsked(request.applicationID, for: id) {
      effects.append(.withdrawOpenRequest(id, fromApplication: request.applicationID, .shutdown))
    }
    openRequests = [:]
    openRequestKeys = [:]
    requestsOfApplications = [:]
    turns = WorkQueue()
    openings = [:]
    let all = events.all
    for slot in all {
      if case .shown(let scene, let delivery) = events[slot].phase {
        effects.append(.withdrawDelivery(delivery, from: scene, .shutdown))
      }
    }
    // Without queues nothing that waits is shown in place of what ends.
    queues.removeAll()
    for slot in all where !events[slot].isEnded {
      settle(slot, .shutdown, now: now, effects: &effects)
    }
  }
}
