extension Router {
  /// Lets an event wait for a new scene.
  ///
  /// - If too many events wait for the application's scenes, the attempt fails.
  /// - If an open request has the same key as the event (``OpenRequests/Key``), the event waits for the scene of
  ///   that request.
  /// - Otherwise the application is asked for a scene, and started first if no connection declares it.
  mutating func requestScene(for event: EventRecord, _ application: String, _ declaration: String) {
    if hasNoRoom(application) {
      return settle(event, .launchFailed, reason: Limit.waitingEventsPerApplication.rawValue)
    }
    let key = openRequestKey(application, declaration, event.event)
    if let request = requests.join(key, event) { return wait(event, for: request) }
    let id = nextOpenRequestID()
    requests.insert(
      id,
      OpenRequests.Request(
        applicationID: application,
        declarationID: declaration,
        key: key,
        waiting: [event]
      )
    )
    wait(event, for: id)
    if !registry.isConnected(application) {
      add(.start(application: application))
    } else if let request = openRequest(id, now: now) {
      add(.requestScene(request))
    }
  }

  /// Whether the number of events that wait for an application's scenes has reached its limit.
  @inline(__always)
  func hasNoRoom(_ application: String) -> Bool {
    requests.waitingCount(ofApplication: application) >= limits.waitingEventsPerApplication
  }

  private func wait(_ event: EventRecord, for request: OpenRequestID) {
    event.openRequestID = request
    event.phase = .requested(request)
  }

  private func openRequestKey(
    _ application: String,
    _ declaration: String,
    _ event: Event
  ) -> OpenRequests.Key? {
    let declared = registry.declaration(ofApplication: application)
    if declared?.isSingleScene == true { return .application(application) }
    if declared?.scenes.first(where: { $0.id == declaration })?.isSingleton == true {
      return .declaration(application: application, declaration)
    }
    return event.comparison.map {
      .text(application: application, declaration: declaration, FoldedText($0.string))
    }
  }

  /// Ends a request, because its scene has opened.
  ///
  /// The scene gets the waiting events before all events that are routed to it later.
  mutating func deliverWaiting(_ request: OpenRequestID, to scene: SceneID) {
    endedRequests[request.rawValue] = .opened
    guard let answered = requests.remove(request) else { return }
    requests.noteArrival(of: answered.applicationID)
    for event in answered.waiting { deliver(event, to: scene) }
  }

  /// Ends a request without a scene.
  ///
  /// The events that wait for the scene go on to other targets. If `endsEvents` is true, they end instead.
  mutating func fail(
    _ request: OpenRequestID,
    _ end: OpenRequestEnd,
    reason: String,
    endsEvents: Bool = false
  ) {
    guard let waiting = requests.remove(request)?.waiting else { return }
    endedRequests[request.rawValue] = end
    for event in waiting {
      event.hasNoOtherTarget = endsEvents
      settle(event, .launchFailed, reason: reason)
    }
  }

  /// Ends a request for which no event waits any longer.
  mutating func withdraw(_ request: OpenRequestID) {
    guard let application = requests.remove(request)?.applicationID else { return }
    endedRequests[request.rawValue] = .timeout
    add(.withdrawOpenRequest(request, fromApplication: application, isShuttingDown ? .shutdown : .timeout))
  }

  /// Ends a request because its application declines to open the scene.
  package mutating func declineOpenRequest(
    _ request: OpenRequestID,
    byApplication application: String,
    reason: String?,
    now: UInt64
  ) -> Result<[Effect], CallError> {
    self.now = now
    if let error = limits.error(ofString: reason) { return .failure(error) }
    guard let record = requests[request] else {
      return .failure(.noSuchOpenRequest(endedRequests[request.rawValue]))
    }
    guard record.applicationID == application else { return .failure(.noSuchOpenRequest(nil)) }
    fail(request, .declined, reason: reason ?? "declined")
    return .success(takeEffects())
  }
}

// MARK: - Applications

extension Router {
  /// Declares an application over a connection.
  ///
  /// The connection also gets the application's requests that are already open.
  ///
  /// `takenEventIDs` are ids of events that the program took before the router restarted. The program took them without
  /// a scene, or in a scene that has closed since.
  package mutating func declare(
    _ declaration: ApplicationDeclaration,
    takenEventIDs: [String] = [],
    by client: Client,
    now: UInt64
  ) -> Result<[Effect], CallError> {
    self.now = now
    if let error = error(ofTaken: takenEventIDs) { return .failure(error) }
    // The charge is made before the application is declared, because a refused call must change nothing.
    let charge = charge(ofTaken: takenEventIDs)
    if let error = registry.exchange(Charge(), for: charge, of: client.user, limits) {
      return .failure(error)
    }
    defer { registry.release(charge, of: client.user) }
    let error = registry.declare(
      declaration,
      user: client.user,
      processID: client.processID,
      limits: limits
    )
    if let error { return .failure(error) }
    add(.applicationChanged(declaration.applicationID))
    remember(
      taken: takenEventIDs,
      by: nil,
      ofApplication: declaration.applicationID,
      nil,
      user: client.user
    )
    reportReturn()
    requestScenes(of: declaration.applicationID)
    return .success(takeEffects())
  }

  /// Ends a connection's declaration.
  ///
  /// Events that wait for the application's scenes are resumed with other targets.
  package mutating func withdrawDeclaration(of application: String, now: UInt64) -> [Effect] {
    self.now = now
    registry.withdrawDeclaration(of: application)
    let isStillDeclared = registry.declaration(ofApplication: application) != nil
    add(isStillDeclared ? .applicationChanged(application) : .applicationRemoved(application))
    for request in requests.requests(ofApplication: application) {
      fail(request, .launchFailed, reason: "applicationGone")
    }
    return takeEffects()
  }
}
