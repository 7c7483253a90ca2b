extension Router {
  mutating func requestScene(for event: PendingEvent, _ application: String, _ declaration: String) {
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

  @inline(__always)
  func hasNoRoom(_ application: String) -> Bool {
    requests.waitingCount(ofApplication: application) >= limits.waitingEventsPerApplication
  }

  private func wait(_ event: PendingEvent, for request: OpenRequestID) {
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

  /// The scene gets the waiting events before all events that are routed to it later.
  mutating func deliverWaiting(_ request: OpenRequestID, to scene: SceneID) {
    endedRequests[request.rawValue] = .opened
    guard let answered = requests.remove(request) else { return }
    requests.noteArrival(of: answered.applicationID)
    for event in answered.waiting { deliver(event, to: scene) }
  }

  /// The waiting events go on to other targets, or end if `endsEvents` is true.
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

  mutating func withdraw(_ request: OpenRequestID) {
    guard let application = requests.remove(request)?.applicationID else { return }
    endedRequests[request.rawValue] = .timeout
    add(.withdrawOpenRequest(request, fromApplication: application, isStopping ? .shutdown : .timeout))
  }

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
