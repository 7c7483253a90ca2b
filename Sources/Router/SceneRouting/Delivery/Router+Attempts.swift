extension Router {
  mutating func begin(_ event: PendingEvent) {
    let needsStart = needsStart(event.decision.destination)
    event.deadline = now + (needsStart ? max(event.timeoutUSec, limits.startTimeoutUSec) : event.timeoutUSec)
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

  /// Ends the event if it was taken or the router stops; otherwise ``Effect/resume(_:)`` follows.
  ///
  /// `scene` is needed if the phase does not name it: the event could not be delivered, or was taken before a restart.
  mutating func settle(
    _ event: PendingEvent,
    _ result: SettlementResult,
    reason: String? = nil,
    scene: SceneID? = nil
  ) {
    if !result.isTaken, result != .declined, result != .launchFailed, isShown(event) {
      event.mayBeTaken = true
    }
    let left = leave(event, result)
    let settlement = AttemptEnd(
      decisionID: event.id,
      deliveryID: left == nil ? nil : event.deliveryID,
      openRequestID: event.openRequestID,
      sceneID: scene ?? left,
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

  /// Returns the scene of the delivery, if the event had one.
  private mutating func leave(_ event: PendingEvent, _ result: SettlementResult) -> SceneID? {
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

  /// ``Effect/resume(_:)`` asks for this call.
  package mutating func resume(_ event: DecisionID, now: UInt64) -> [Effect] {
    self.now = now
    guard let event = self.event(event), case .deciding = event.phase else { return [] }
    if isShuttingDown {
      settle(event, .shutdown)
    } else if let decision = nextDecision(event) {
      if reportsSteps { add(.decided(event.id, event.event, decision)) }
      event.decision = decision
      event.openRequestID = nil
      begin(event)
    } else {
      end(event)
    }
    return takeEffects()
  }

  private mutating func nextDecision(_ event: PendingEvent) -> Decision? {
    guard event.attemptNumber <= limits.attemptsPerEvent, !event.hasNoOtherTarget else { return nil }
    // There is no other target if the sender named the scene, or if the application has only one scene.
    if let rule = event.decision.rule, rule == .explicit || rule == .singleScene { return nil }
    let decision = registry.decide(event.query)
    if case .none = decision.destination { return nil }
    return decision
  }

  /// Without `settlement`, the settlement of the last attempt counts; if there is none, the event is not routed.
  mutating func end(_ event: PendingEvent, _ settlement: AttemptEnd? = nil) {
    var earlier = event.settledAttempts
    let last = settlement ?? earlier.popLast()?.settlement
    let end = EventEnd(
      decision: event.decision,
      settlement: last,
      earlierAttempts: earlier,
      mayBeTaken: event.mayBeTaken
    )
    if let result = last?.result { ends[result.index] += 1 } else { notRoutedCount += 1 }
    registry.releaseEvent(bytes: event.charge, of: event.client.user)
    if let place = pendingEvents.place(of: event.client) {
      pendingEvents[place: place] -= 1
      if pendingEvents[place: place] == 0 { pendingEvents.remove(event.client) }
    }
    if let eventID = event.options.eventID {
      remember(EventMemory.Ended(event, eventID, end), as: eventID, of: event.client.user)
    }
    events.remove(event.id)
    add(.ended(SentEvent(event), end))
  }

  mutating func remember(_ ended: EventMemory.Ended, as eventID: String, of user: UserID) {
    let released = memory.end(eventID, of: user, ended, at: now, limits)
    registry.accounts[user].bytes += ended.charge - released
  }

  mutating func forgetEvents() {
    startMemory.forget(before: now)
    guard let first = memory.firstExpiry, first <= now else { return }
    for (user, charge) in memory.forget(before: now) { registry.accounts[user].bytes -= charge }
  }
}

// MARK: - Deliveries

extension Router {
  mutating func deliver(_ event: PendingEvent, to scene: SceneID) {
    guard let queue = queue(of: scene) else { return settle(event, .sceneClosed, scene: scene) }
    if let limit = queue.limitReached(by: event.size, limits) {
      return settle(event, .declined, reason: limit.rawValue, scene: scene)
    }
    event.deliveryID = nextDeliveryID()
    pendingDeliveryCount += 1
    if queue.append(event) { show(event, to: scene) } else { event.phase = .waiting(scene) }
  }

  mutating func showNext(of scene: SceneID) {
    if let event = queue(of: scene)?.showNext() { show(event, to: scene) }
  }

  private mutating func show(_ event: PendingEvent, to scene: SceneID) {
    event.phase = .shown(scene)
    add(
      .deliver(
        ShownDelivery(
          id: event.deliveryID,
          decisionID: event.id,
          sceneID: scene,
          event: event.event,
          registrationIDs: event.decision.registrationIDs,
          eventID: event.options.eventID,
          activationToken: event.options.activationToken,
          timeoutUSec: event.deadline > now ? event.deadline - now : 1,
          sender: event.options.sender
        )
      )
    )
  }

  package mutating func acknowledge(
    _ delivery: DeliveryID,
    by scene: SceneID,
    now: UInt64
  ) -> Result<[Effect], CallError> {
    self.now = now
    switch shownEvent(delivery, by: scene) {
    case .failure(let error): return .failure(error)
    case .success(let event):
      settle(event, .acknowledged)
      return .success(takeEffects())
    }
  }

  package mutating func decline(
    _ delivery: DeliveryID,
    by scene: SceneID,
    reason: String?,
    now: UInt64
  ) -> Result<[Effect], CallError> {
    self.now = now
    if let error = limits.error(ofString: reason) { return .failure(error) }
    switch shownEvent(delivery, by: scene) {
    case .failure(let error): return .failure(error)
    case .success(let event):
      settle(event, .declined, reason: reason)
      return .success(takeEffects())
    }
  }

  @inline(__always)
  private func shownEvent(_ delivery: DeliveryID, by scene: SceneID) -> Result<PendingEvent, CallError> {
    guard let queue = queue(of: scene) else { return .failure(.noSuchScene) }
    if let event = queue.shownEvent(delivery) { return .success(event) }
    let ended = endedDeliveries[delivery.rawValue]
    return .failure(.noSuchDelivery(ended?.sceneID == scene ? ended?.result : nil))
  }
}

// MARK: - Time

extension Router {
  /// Nothing is due before this time; a call at this time may still find nothing to do.
  package var nextDeadline: UInt64? {
    let first = deadlines.first ?? .max
    let next = min(first, memory.firstExpiry ?? .max, returning?.deadline ?? .max)
    return next == .max ? nil : next
  }

  /// Handles one deadline that has passed, and forgets old events; `nil` if no deadline has passed.
  package mutating func expireNext(now: UInt64) -> [Effect]? {
    self.now = now
    forgetEvents()
    if let returning, returning.deadline <= now {
      reportReturn()
      return takeEffects()
    }
    guard let event = deadlines.popDue(at: now, events) else { return nil }
    switch event.phase {
    case .shown(let scene):
      add(.withdrawDelivery(event.deliveryID, from: scene, .timeout))
      settle(event, .timeout)
    case .waiting: settle(event, .timeout)
    case .requested(let request): settle(event, .launchFailed, reason: reasonOfTimeout(request))
    case .deciding: break
    }
    deadlines.trim(events)
    return takeEffects()
  }
}
