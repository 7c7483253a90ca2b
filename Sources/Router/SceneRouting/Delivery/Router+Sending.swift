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
    if isShuttingDown { return .failure(.serviceStopping) }
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
    if let origin = query.constraints.originEventID {
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
    constraints.originEventID.map {
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
