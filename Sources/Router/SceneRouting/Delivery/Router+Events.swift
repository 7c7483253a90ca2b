extension Router {
  /// The result of an accepted call to send.
  package enum Acceptance: Sendable {
    /// The event is on its way or has ended already. The effects tell which.
    case accepted(DecisionID, [Effect])
    /// The user has sent the same event with the same id before.
    case repeated(EventCourse)
  }

  /// Accepts an event and makes the first attempt at it.
  ///
  /// While events are held after a restart, the first attempt is made later. The sender may have named an application.
  /// If this application does not return after the restart, the held event ends as not routed.
  package mutating func send(
    _ event: consuming Event,
    _ options: consuming EventOptions,
    from client: Client,
    now: UInt64
  ) -> Result<Acceptance, CallError> {
    self.now = now
    forgetEvents()
    if let error = event.error(under: limits) ?? options.error(under: limits) {
      return .failure(error)
    }
    if let known = options.eventID.flatMap({ memory[$0, client.user] }) { return repeated(event, known) }
    if isStopping { return .failure(.serviceStopping) }
    if let error = error(ofTarget: options.constraints) ?? error(ofEventFrom: client) {
      return .failure(error)
    }
    let passedOver = passedOver(event, options.constraints)
    let query = RouteQuery(event, options.constraints, passedOver: passedOver)
    let isHeld = holdsEvents
    let decision = isHeld ? Decision(generation: registry.generation) : registry.decide(query)
    if case .newScene(let application, _) = decision.destination, hasNoRoom(application) {
      return .failure(
        .limitExceeded(.waitingEventsPerApplication, maximum: limits.waitingEventsPerApplication)
      )
    }
    let size = query.event.size
    let charge = PendingEvent.instanceSize + size + options.size
    if let error = registry.chargeEvent(bytes: charge, to: client.user, limits) { return .failure(error) }

    let id = nextDecisionID()
    if reportsSteps, !isHeld { add(.decided(id, query.event, decision)) }
    if let origin = query.constraints.originDecisionID {
      startMemory.noteSent(names(of: query.event), from: origin, limits)
    }
    if let eventID = options.eventID { memory.insert(eventID, of: client.user, id) }
    countEvent(of: client)
    let timeoutUSec = options.timeoutUSec ?? limits.defaultTimeoutUSec
    let event = PendingEvent(
      id,
      consume query,
      options,
      from: client,
      decision,
      size: size,
      charge: charge,
      timeoutUSec: timeoutUSec,
      at: now
    )
    events.insert(event, for: id)
    if isHeld {
      heldEvents.append(id)
    } else if case .none = decision.destination {
      end(event)
    } else {
      begin(event)
    }
    return .success(.accepted(id, takeEffects()))
  }

  private mutating func countEvent(of client: Client) {
    if let place = pendingEvents.place(of: client) {
      pendingEvents[place: place] += 1
    } else {
      pendingEvents.insert(1, for: client)
    }
  }

  private func repeated(_ event: Event, _ known: EventMemory.Entry) -> Result<Acceptance, CallError> {
    let identity = EventIdentity(event)
    switch known {
    case .ended(let ended) where ended.identity?.isSame(as: identity) != false:
      return .success(.repeated(EventCourse(ended.id, ended.end)))
    case .underWay(let id):
      guard let record = self.event(id), EventIdentity(record.event).isSame(as: identity) else { break }
      return .success(.repeated(EventCourse(record)))
    case .ended: break
    }
    return .failure(.invalidParameter(path: "eventId"))
  }

  @inline(__always)
  private func error(ofEventFrom client: Client) -> CallError? {
    guard registry.account(of: client.user).pendingEvents < limits.pendingEventsPerUser else {
      return .limitExceeded(.pendingEventsPerUser, maximum: limits.pendingEventsPerUser)
    }
    guard pendingEvents[client] ?? 0 < limits.pendingEventsPerConnection else {
      return .limitExceeded(.pendingEventsPerConnection, maximum: limits.pendingEventsPerConnection)
    }
    return nil
  }

  /// The applications that must not get this event, because its link has already passed through them.
  @inline(__always)
  private func passedOver(_ event: Event, _ constraints: RouteConstraints) -> [String] {
    constraints.originDecisionID.map {
      startMemory.applications(passedOverFor: names(of: event), from: $0, limits)
    } ?? []
  }

  @inline(__always)
  private func error(ofTarget constraints: RouteConstraints) -> CallError? {
    if let scene = constraints.sceneID { return registry.scenesByID[scene] == nil ? .noSuchScene : nil }
    // While events are held, an application that the sender named may still return.
    if !holdsEvents, let application = constraints.applicationID,
      registry.applicationsByID[application] == nil
    {
      return .noSuchApplication
    }
    return nil
  }

  /// The progress of a user's event; `eventID` is the id that the sender gave the event.
  package mutating func progress(ofEvent eventID: String, of user: UserID, now: UInt64)
    -> Result<EventCourse, CallError>
  {
    self.now = now
    forgetEvents()
    switch memory[eventID, user] {
    case .ended(let ended): return .success(EventCourse(ended.id, ended.end))
    case .underWay(let id):
      return event(id).map { .success(EventCourse($0)) } ?? .failure(.noSuchEvent)
    case nil: return .failure(.noSuchEvent)
    }
  }

  /// The events under way with their progress, the newest first.
  package var eventsUnderWay: [(sent: SentEvent, progress: EventCourse)] {
    events.all.compactMap(\.self).sorted { $0.id.rawValue > $1.id.rawValue }
      .map { (SentEvent($0), EventCourse($0)) }
  }

  /// Decides where an event would go and explains why, without sending it.
  ///
  /// The trace has at most `maximumSteps` steps.
  package mutating func explain(
    _ event: Event,
    _ constraints: RouteConstraints,
    maximumSteps: Int
  ) -> Result<(Decision, Trace), CallError> {
    guard (0...limits.maxTraceSteps).contains(maximumSteps) else {
      return .failure(.invalidParameter(path: "maxTraceSteps"))
    }
    if let error = event.error(under: limits) ?? limits.error(ofString: constraints.applicationID)
      ?? error(ofTarget: constraints)
    {
      return .failure(error)
    }
    let query = RouteQuery(event, constraints, passedOver: passedOver(event, constraints))
    let decision = registry.decide(query)
    return .success((decision, registry.trace(query, maximum: maximumSteps)))
  }
}

// MARK: - Attempts

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
    let left = detach(event, result)
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
  private mutating func detach(_ event: PendingEvent, _ result: SettlementResult) -> SceneID? {
    let phase = event.phase
    event.phase = .deciding
    switch phase {
    case .deciding: return nil
    case .requested(let request):
      if requests.detach(event, from: request) { withdraw(request) }
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
    if isStopping {
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
