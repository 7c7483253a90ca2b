extension Router {
  /// Begins an attempt at an event, which has a destination.
  mutating func begin(_ slot: EventSlot) {
    let deadline = now + events[slot].timeoutUSec
    events[slot].deadline = deadline
    deadlines.insert(
      DeadlineQueue.Entry(
        time: deadline,
        event: events[slot].id,
        slot: slot,
        attempt: events[slot].attemptNumber
      ),
      events
    )
    switch events[slot].decision.destination {
    case .scene(let scene): deliver(slot, to: scene)
    case .newScene(let application, let declaration): requestScene(for: slot, application, declaration)
    case .none: break
    }
  }

  /// Ends the attempt that is under way: the event ends with it, or is to be resumed.
  ///
  /// `scene` is the one that was to take the event, if that was not delivered.
  mutating func settle(
    _ slot: EventSlot,
    _ result: SettlementResult,
    reason: String? = nil,
    scene: SceneID? = nil
  ) {
    let left = leave(slot, result)
    let settlement = Settlement(
      decisionID: events[slot].id,
      deliveryID: left?.delivery,
      openRequestID: events[slot].openRequestID,
      sceneID: left?.scene ?? scene,
      result: result,
      reason: reason
    )
    if reportsSteps { add(.settled(settlement)) }
    if result.isTaken || result == .shutdown {
      end(slot, settlement)
    } else {
      events[slot].settledAttempts.append(
        SettledAttempt(decision: events[slot].decision, settlement: settlement)
      )
      add(.resume(events[slot].id))
    }
    if let scene = left?.scene { showNext(of: scene) }
  }

  /// Takes an event out of where it waits.
  private mutating func leave(
    _ slot: EventSlot,
    _ result: SettlementResult
  ) -> (scene: SceneID, delivery: DeliveryID)? {
    let phase = events[slot].phase
    events[slot].phase = .deciding
    switch phase {
    case .deciding: return nil
    case .requested(let request):
      if requests.leave(request, slot) { withdraw(request) }
      return nil
    case .waiting(let scene, let delivery):
      if let place = queues.place(of: scene.rawValue) {
        queues[place: place].removeWaiting(slot, size: events[slot].size)
      }
      note(delivery, of: scene, result)
      return (scene, delivery)
    case .shown(let scene, let delivery):
      if let place = queues.place(of: scene.rawValue) { queues[place: place].removeShown(slot) }
      note(delivery, of: scene, result)
      return (scene, delivery)
    }
  }

  private mutating func note(_ delivery: DeliveryID, of scene: SceneID, _ result: SettlementResult) {
    deliveries.remove(delivery.rawValue)
    endedDeliveries[delivery.rawValue] = SettledDelivery(sceneID: scene, result: result)
  }

  /// Makes the next attempt at an event whose last one failed, or ends the event, as ``Effect/resume(_:)`` asks for.
  package mutating func resume(_ event: DecisionID, now: UInt64) -> [Effect] {
    self.now = now
    guard let slot = events.slot(of: event), case .deciding = events[slot].phase else { return [] }
    if let decision = nextDecision(slot) {
      if reportsSteps { add(.decided(event, events[slot].event, decision)) }
      events[slot].decision = decision
      events[slot].openRequestID = nil
      begin(slot)
    } else {
      end(slot)
    }
    return takeEffects()
  }

  private mutating func nextDecision(_ slot: EventSlot) -> Decision? {
    guard events[slot].attemptNumber <= limits.attemptsPerEvent else { return nil }
    // A target that was asked for is the only one.
    if let rule = events[slot].decision.rule, rule == .explicit || rule == .singleScene { return nil }
    let decision = registry.decide(
      RouteQuery(events[slot].event, events[slot].options.constraints, tried: events[slot].triedTargets)
    )
    if case .none = decision.destination { return nil }
    return decision
  }

  /// Gives an event its end: as `settlement` says, else as its last attempt ended, if there was one.
  mutating func end(_ slot: EventSlot, _ settlement: Settlement? = nil) {
    var earlier = events[slot].settledAttempts
    let last = settlement ?? earlier.popLast()?.settlement
    let end = EventEnd(decision: events[slot].decision, settlement: last, earlierAttempts: earlier)
    if let result = last?.result { ends[result.index] += 1 } else { notRoutedCount += 1 }
    let (id, client) = (events[slot].id, events[slot].client)
    add(.ended(id, end))
    registry.releaseEvent(bytes: events[slot].charge, of: client.user)
    if let place = pendingEvents.place(of: client.connection) {
      pendingEvents[place: place] -= 1
      if pendingEvents[place: place] == 0 { pendingEvents.remove(client.connection) }
    }
    if let eventID = events[slot].options.eventID {
      remember(EventMemory.Ended(events[slot], eventID, end), as: eventID, of: client.user)
    }
    events.remove(slot)
  }

  private mutating func remember(_ ended: EventMemory.Ended, as eventID: String, of user: UserID) {
    let released = memory.end(eventID, of: user, ended, at: now, limits)
    registry.accounts[user].bytes += ended.charge - released
  }

  mutating func forgetEvents() {
    guard let first = memory.firstExpiry, first <= now else { return }
    for (user, charge) in memory.forget(before: now) { registry.accounts[user].bytes -= charge }
  }
}

// MARK: - Time

extension Router {
  /// When ``expireNext(now:)`` has something to do; may be early, is never late.
  package var nextDeadline: UInt64? {
    guard let deadline = deadlines.first, let expiry = memory.firstExpiry else {
      return deadlines.first ?? memory.firstExpiry
    }
    return min(deadline, expiry)
  }

  /// Ends the first attempt whose time is up, and forgets old events; `nil` if no time is up.
  package mutating func expireNext(now: UInt64) -> [Effect]? {
    self.now = now
    forgetEvents()
    guard let slot = deadlines.popDue(at: now, events) else { return nil }
    switch events[slot].phase {
    case .shown(let scene, let delivery):
      add(.withdrawDelivery(delivery, from: scene, .timeout))
      settle(slot, .timeout)
    case .waiting: settle(slot, .timeout)
    case .requested: settle(slot, .launchFailed, reason: "timeout")
    case .deciding: break
    }
    deadlines.trim(events)
    return takeEffects()
  }

  /// Ends every event because the router goes away; nothing can be sent afterwards.
  package mutating func shutDown(now: UInt64) -> [Effect] {
    self.now = now
    for id in requests.all {
      guard let request = requests.remove(id) else { continue }
      add(.withdrawOpenRequest(id, fromApplication: request.applicationID, .shutdown))
    }
    // Without queues nothing that waits is shown in place of what ends.
    queues.removeAll()
    for slot in events.all {
      if case .shown(let scene, let delivery) = events[slot].phase {
        add(.withdrawDelivery(delivery, from: scene, .shutdown))
      }
      // Between two attempts it ends as the last one did.
      if case .deciding = events[slot].phase { end(slot) } else { settle(slot, .shutdown) }
    }
    return takeEffects()
  }
}
