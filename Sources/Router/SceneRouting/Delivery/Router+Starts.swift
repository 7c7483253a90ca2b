package struct ApplicationStart: Hashable, Sendable {
  package var id: StartID
  package var applicationID: String
  /// Whether the program asks for its open requests itself; otherwise it gets the events with the start.
  package var isAware: Bool
  /// All for scenes of one declaration, oldest first.
  package var requests: [SceneRequest]
}

package struct StartFailure: Hashable, Sendable {
  /// A sentence for the senders of the events.
  package var reason: String
  /// No other application gets the events of the start.
  package var endsEvents: Bool

  package init(reason: String, endsEvents: Bool = false) {
    (self.reason, self.endsEvents) = (reason, endsEvents)
  }
}

extension Router {
  func needsStart(_ destination: Destination) -> Bool {
    guard case .newScene(let application, _) = destination else { return false }
    return !registry.isConnected(application)
  }

  /// ``Effect/start(application:)`` asks for this call; `nil` if no open request needs a start any longer.
  ///
  /// An `aware` program is started for the oldest request only, because it asks for the others itself.
  package mutating func takeStart(of application: String, now: UInt64) -> ApplicationStart? {
    self.now = now
    guard let declaration = registry.declaration(ofApplication: application),
      !registry.isConnected(application)
    else { return nil }
    let waiting = requests.requests(ofApplication: application).filter { requests[$0]?.isStarted == false }
    guard let first = waiting.first else { return nil }
    let started: [OpenRequestID]
    switch declaration.program {
    case .aware where requests.isStarting(application): return nil
    case .aware, .opensOne: started = [first]
    case .opensMany:
      started = waiting.filter { requests[$0]?.declarationID == requests[first]?.declarationID }
    }
    lastStartID += 1
    let id = StartID(rawValue: lastStartID)
    requests.begin(id, of: application, started, isAware: declaration.program == .aware)
    rememberStart(of: application, for: started)
    return ApplicationStart(
      id: id,
      applicationID: application,
      isAware: declaration.program == .aware,
      requests: started.compactMap { openRequest($0, now: now) }
    )
  }

  /// The application must not get the links of the start again if the started program hands them on.
  private mutating func rememberStart(of application: String, for started: [OpenRequestID]) {
    let waiting = started.flatMap { requests[$0]?.waiting ?? [] }
    guard let first = waiting.first else { return }
    let events = waiting.map { event in
      (event.query.constraints.originDecisionID, names(of: event.event))
    }
    startMemory.insert(application, startedWith: events, for: first.id, at: now, limits)
  }

  func names(of event: Event) -> [StartMemory.Link] {
    StartMemory.Link.names(of: event, machineName: registry.machineName)
  }

  /// A failed start of an aware program fails all requests to the application; any other, only those of the start.
  ///
  /// A started aware program can ask for its requests until the deadlines of their events. With any other program, the
  /// events of the start end as launched.
  package mutating func startEnded(_ start: ApplicationStart, failure: StartFailure?, now: UInt64) -> [Effect]
  {
    self.now = now
    let application = start.applicationID
    let waitsForProgram = start.isAware && failure == nil
    guard let started = requests.end(start.id, of: application, waitsForProgram: waitsForProgram) else {
      return []
    }
    if let failure {
      let failed = start.isAware ? requests.requests(ofApplication: application) : started
      for request in failed {
        fail(request, .launchFailed, reason: failure.reason, endsEvents: failure.endsEvents)
      }
    } else if !start.isAware {
      for request in started {
        guard let waiting = requests.remove(request)?.waiting else { continue }
        endedRequests[request.rawValue] = .opened
        for event in waiting { settle(event, .launched) }
      }
    }
    return takeEffects()
  }

  func reasonOfTimeout(_ request: OpenRequestID) -> String {
    guard let application = requests[request]?.applicationID, !registry.isConnected(application) else {
      return "The application did not open the scene in time."
    }
    return requests.hasStarted(application)
      ? "The program was started, and did not open the scene in time."
      : "The program was not started in time."
  }

  mutating func requestScenes(of application: String) {
    requests.noteArrival(of: application)
    // A program can declare itself before its start is complete, as browsers do through their extension. The start
    // itself hands over some requests, which are left out so that no event comes twice.
    for id in requests.requests(ofApplication: application) where requests[id]?.isHandedOver == false {
      if let request = openRequest(id, now: now) { add(.requestScene(request)) }
    }
  }

  /// `nil` if no event waits for the scene.
  func openRequest(_ id: OpenRequestID, now: UInt64) -> SceneRequest? {
    guard let request = requests[id], let first = request.waiting.first else { return nil }
    return SceneRequest(
      id: id,
      decisionID: first.id,
      applicationID: request.applicationID,
      declarationID: request.declarationID,
      event: first.event,
      eventID: first.options.eventID,
      activationToken: first.options.activationToken,
      ageUSec: now - first.acceptedAt,
      timeoutUSec: first.deadline > now ? first.deadline - now : 1,
      sender: first.options.sender
    )
  }
}
