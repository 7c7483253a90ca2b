extension Router {
  /// Begins an attempt at an event, which has a destination.
  mutating func begin(_ event: EventRecord) {
    event.deadline = now + event.timeoutUSec
    deadlines.insert(
      DeadlineQueue.Entry(time: event.deadline, event: event.id, attempt: event.attemptNumber),
      events
    )
    switch event.decision.destination {
    case .scene(let scene): deliver(event, to: scene)
    case .newScene(let application, let declaration): requestScene(for: event, application, declaration)
    case .none: break
    }
  }

  /// Ends the attempt that is under way: the event ends with it, or is to be resumed.
  ///
  /// `scene` is the one that was to take the event, if that was not delivered.
  mutating func settle(
    _ event: EventRecord,
    _ result: SettlementResult,
    reason: String? = nil,
    scene: SceneID? = nil
  ) {
    let left = leave(event, result)
    let settlement = Settlement(
      decisionID: event.id,
      deliveryID: left == nil ? nil : event.deliveryID,
      openRequestID: event.openRequestID,
      sceneID: left ?? scene,
      result: result,
      reason: reason
    )
    if reportsSteps { add(.settled(settlement)) }
    if result.isTaken || result == .shutdown {
      end(event, settlement)
    } else {
      event.add(SettledAttempt(decision: event.decision, settlement: settlement))
      add(.resume(event.id))
    }
    if let left { showNext(of: left) }
  }

  /// Takes an event out of where it waits; returns the scene that it was delivered to.
  private mutating func leave(_ event: EventRecord, _ result: SettlementResult) -> SceneID? {
    let phase = event.phase
    event.phase = .deciding
    switch phase {
    case .deciding: return nil
    case .requested(let request):
      if requests.leave(request, event) { withdraw(request) }
      return nil
    case .waiting(let scene), .shown(let scene):
      queue(of: scene)?.remove(event)
      pendingDeliveryCount -= 1
      endedDeliveries[event.deliveryID.rawValue] = SettledDelivery(sceneID: scene, result: result)
      return scene
    }
  }

  /// Makes the next attempt at an event whose last one failed, or ends the event, as ``Effect/resume(_:)`` asks for.
  package mutating func resume(_ event: DecisionID, now: UInt64) -> [Effect] {
    self.now = now
    guard let event = self.event(event), case .deciding = event.phase else { return [] }
    if let decision = nextDecision(event) {
      if reportsSteps { add(.decided(event.id, event.event, decision)) }
      event.decision = decision
      event.openRequestID = nil
      begin(event)
    } else {
      end(event)
    }
    return takeEffects()
  }

  private mutating func nextDecision(_ event: EventRecord) -> Decision? {
    guard event.attemptNumber <= limits.attemptsPerEvent else { return nil }
    // A scene that the sender asked for, or the one of its application, has no alternative.
    if let rule = event.decision.rule, rule == .explicit || rule == .singleScene { return nil }
    let decision = registry.decide(event.query)
    if case .none = decision.destination { return nil }
    return decision
  }

  /// Ends an event with `settlement`, else as its last attempt ended, if there was one.
  mutating func end(_ event: EventRecord, _ settlement: Settlement? = nil) {
    var earlier = event.settledAttempts
    let last = settlement ?? earlier.popLast()?.settlement
    let end = EventEnd(decision: event.decision, settlement: last, earlierAttempts: earlier)
    if let result = last?.result { ends[result.index] += 1 } else { notRoutedCount += 1 }
    registry.releaseEvent(bytes: event.charge, of: event.client.user)
    if let place = pendingEvents.place(of: event.client.connection) {
      pendingEvents[place: place] -= 1
      if pendingEvents[place: place] == 0 { pendingEvents.remove(event.client.connection) }
    }
    if let eventID = event.options.eventID {
      remember(EventMemory.Ended(event, eventID, end), as: eventID, of: event.client.user)
    }
    events.remove(event.id.rawValue)
    add(.ended(event.id, end))
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
    guard let event = deadlines.popDue(at: now, events) else { return nil }
    switch event.phase {
    case .shown(let scene):
      add(.withdrawDelivery(event.deliveryID, from: scene, .timeout))
      settle(event, .timeout)
    case .waiting: settle(event, .timeout)
    case .requested: settle(event, .launchFailed, reason: "timeout")
    case .deciding: break
    }
    deadlines.trim(events)
    return takeEffects()
  }

  /// Ends every event because the router stops; nothing can be sent afterwards.
  package mutating func shutDown(now: UInt64) -> [Effect] {
    self.now = now
    for id in requests.all {
      guard let request = requests.remove(id) else { continue }
      add(.withdrawOpenRequest(id, fromApplication: request.applicationID, .shutdown))
    }
    // Without queues no delivery that waits is shown when another ends.
    queues.removeAll()
    for event in events.all.compactMap(\.self).sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      if case .shown(let scene) = event.phase {
        add(.withdrawDelivery(event.deliveryID, from: scene, .shutdown))
      }
      // Between two attempts it ends as the last one did.
      if case .deciding = event.phase { end(event) } else { settle(event, .shutdown) }
    }
    return takeEffects()
  }
}
