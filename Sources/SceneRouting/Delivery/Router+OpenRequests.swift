extension Router {
  /// Asks an application for a scene, or lets the event wait for one that was asked for already.
  mutating func requestScene(
    for slot: EventSlot,
    _ application: String,
    _ declaration: String,
    effects: inout [Effect]
  ) {
    let record = events[slot]
    let key = openRequestKey(application, declaration, record.event)
    if let key, let request = openRequestKeys[key], isAsked(application, for: request) {
      openRequests[request]?.waiting.append(record.id)
      openRequests[request]?.waitingCount += 1
      events[slot].attempt.openRequestID = request
      events[slot].phase = .requested(request)
      return
    }
    let request = nextOpenRequestID()
    openRequests[request] = OpenRequestRecord(
      applicationID: application,
      declarationID: declaration,
      key: key,
      waiting: [record.id]
    )
    if let key { openRequestKeys[key] = request }
    if requestsOfApplications[application]?.append(request) == nil {
      requestsOfApplications[application] = OpenRequestList(request)
    }
    events[slot].attempt.openRequestID = request
    events[slot].phase = .requested(request)
    effects.append(
      .requestScene(
        OpenRequest(
          id: request,
          decisionID: record.id,
          applicationID: application,
          declarationID: declaration,
          event: record.event,
          activationToken: record.options.activationToken,
          timeoutUSec: record.timeoutUSec
        )
      )
    )
  }

  private func openRequestKey(_ application: String, _ declaration: String, _ event: Event) -> OpenRequestKey?
  {
    let declared = registry.description(ofApplication: application)?.declaration
    if declared?.isSingleScene == true { return .application(application) }
    if declared?.scenes.first(where: { $0.id == declaration })?.isSingleton == true {
      return .declaration(application: application, declaration)
    }
    return event.comparison.map {
      .text(application: application, declaration: declaration, FoldedText($0.string))
    }
  }

  /// Whether an application has been asked for the scene of a request since it was declared.
  ///
  /// It has not if it was gone meanwhile, and it is not the request's turn to end yet.
  func isAsked(_ application: String, for request: OpenRequestID) -> Bool {
    requestsOfApplications[application]?.mayHold(request) == true
  }

  /// Ends a request; returns the turn of the events that wait for its scene, if it was open.
  mutating func endRequest(
    _ request: OpenRequestID,
    _ end: OpenRequestEnd,
    _ requestEnd: Turn.RequestEnd
  ) -> Turn? {
    guard let record = openRequests.removeValue(forKey: request) else { return nil }
    if let key = record.key, openRequestKeys[key] == request { openRequestKeys[key] = nil }
    let openRequests = openRequests
    requestsOfApplications[record.applicationID]?.noteEnd { openRequests[$0] != nil }
    if requestsOfApplications[record.applicationID]?.requests.isEmpty == true {
      requestsOfApplications[record.applicationID] = nil
    }
    endedRequests[request.rawValue] = end
    return .ended(request, requestEnd, waiting: record.waiting[...])
  }

  /// Lets one of the events wait no longer; the request is withdrawn when nobody waits.
  mutating func leaveRequest(_ request: OpenRequestID, effects: inout [Effect]) {
    openRequests[request]?.waitingCount -= 1
    guard let record = openRequests[request], record.waitingCount == 0 else { return }
    let isAsked = isAsked(record.applicationID, for: request)
    _ = endRequest(request, .timeout, .failed(reason: "timeout"))
    guard isAsked else { return }
    effects.append(.withdrawOpenRequest(request, fromApplication: record.applicationID, .timeout))
  }

  /// Ends a request whose application does not open the scene.
  package mutating func declineOpenRequest(
    _ request: OpenRequestID,
    byApplication application: String,
    reason: String?,
    now: UInt64,
    effects: inout [Effect]
  ) -> Refusal? {
    if let refusal = limits.refusal(ofString: reason) { return refusal }
    guard let record = openRequests[request] else {
      return .noSuchOpenRequest(endedRequests[request.rawValue])
    }
    guard record.applicationID == application else { return .noSuchOpenRequest(nil) }
    guard isAsked(application, for: request) else { return .noSuchOpenRequest(.launchFailed) }
    if let turn = endRequest(request, .declined, .failed(reason: reason ?? "declined")) {
      goOn(turn, now: now, effects: &effects)
    }
    return nil
  }
}

// MARK: - Applications

extension Router {
  /// Declares an application over a connection.
  package mutating func declare(
    _ declaration: ApplicationDeclaration,
    user: UserID,
    processID: Int32?,
    effects: inout [Effect]
  ) -> Refusal? {
    let refusal = registry.declare(
      declaration,
      user: user,
      processID: processID,
      limits: limits
    )
    if let refusal { return refusal }
    effects.append(.applicationChanged(declaration.applicationID))
    return nil
  }

  /// Ends what a connection declared; what waits for its scenes goes on to other targets.
  package mutating func withdrawDeclaration(
    of application: String,
    now: UInt64,
    effects: inout [Effect]
  ) {
    registry.withdrawDeclaration(of: application)
    let isStillDeclared = registry.description(ofApplication: application) != nil
    effects.append(isStillDeclared ? .applicationChanged(application) : .applicationGone(application))
    guard let requests = requestsOfApplications.removeValue(forKey: application)?.requests else { return }
    goOn(.gone(requests[...]), now: now, effects: &effects)
  }
}
