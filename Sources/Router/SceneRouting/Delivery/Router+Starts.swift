/// What the server needs to know to start an application that no connected program has declared.
package struct ApplicationStart: Hashable, Sendable {
  /// Identifies the start when its end is reported.
  package var id: StartID
  /// The application to start.
  package var applicationID: String
  /// Whether the program asks for its open requests itself.
  ///
  /// If false, the program gets the events with the start.
  package var isAware: Bool
  /// The open requests of the start, oldest first.
  ///
  /// All requests are for scenes of one declaration.
  package var requests: [OpenRequest]
}

/// Why the start of a program failed.
package struct StartFailure: Hashable, Sendable {
  /// Why the start failed, as a sentence for the senders of the events.
  package var reason: String
  /// Whether the failure ends the events of the start, so that no other application gets them.
  package var endsEvents: Bool

  /// Makes a failure.
  package init(reason: String, endsEvents: Bool = false) {
    (self.reason, self.endsEvents) = (reason, endsEvents)
  }
}

extension Router {
  /// Whether an attempt at an event has to start a program first.
  func needsStart(_ destination: Destination) -> Bool {
    guard case .newScene(let application, _) = destination else { return false }
    return !registry.isConnected(application)
  }

  /// Begins the start of an application, and returns what the server needs for the start.
  ///
  /// ``Effect/start(application:)`` asks for this call. Returns `nil` if no open request needs a start any longer.
  ///
  /// The kind of the program decides which open requests the start serves:
  /// - `aware`: only the oldest request. The program is not started again for the other requests, because it asks for
  ///   them itself.
  /// - `opensMany`: the oldest request, and all waiting requests for the same declaration.
  /// - `opensOne`: only the oldest request.
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

  /// Remembers that an application must not get the links of a start if the started program hands the links on.
  private mutating func rememberStart(of application: String, for started: [OpenRequestID]) {
    let waiting = started.flatMap { requests[$0]?.waiting ?? [] }
    guard let first = waiting.first else { return }
    let events = waiting.map { event in
      (event.query.constraints.originEventID, names(of: event.event))
    }
    startMemory.insert(application, startedWith: events, for: first.id, at: now, limits)
  }

  /// The names of what an event is about, with which ``startMemory`` compares it.
  func names(of event: Event) -> [StartMemory.Link] {
    StartMemory.Link.names(of: event, machineName: registry.machineName)
  }

  /// Records that a program was started, or that its start failed.
  ///
  /// `failure` is `nil` if the program was started.
  ///
  /// An *aware* program asks for its open requests itself.
  ///
  /// - If the start of an aware program failed, all requests to the application fail.
  /// - If the start of any other program failed, the requests of the start fail.
  /// - If an aware program was started, the requests of the start stay open. The program can ask for them until the
  ///   deadlines of their events.
  /// - If any other program was started, the events of the start end as launched.
  ///
  /// If all requests of the start have already ended, there are no effects.
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

  /// The reason why a request got no scene in time.
  func reasonOfTimeout(_ request: OpenRequestID) -> String {
    guard let application = requests[request]?.applicationID, !registry.isConnected(application) else {
      return "The application did not open the scene in time."
    }
    return requests.hasStarted(application)
      ? "The program was started, and did not open the scene in time."
      : "The program was not started in time."
  }

  /// Reports the open requests to an application that has just been declared.
  mutating func requestScenes(of application: String) {
    requests.noteArrival(of: application)
    // A program can declare itself while its start is not yet complete, as browsers do through their extension. The
    // start itself hands some open requests to the program. Only the other open requests are sent here, so that no
    // event comes twice.
    for id in requests.requests(ofApplication: application) where requests[id]?.isHandedOver == false {
      if let request = openRequest(id, now: now) { add(.requestScene(request)) }
    }
  }

  /// An open request as the application sees it; `nil` if no event waits for the scene.
  func openRequest(_ id: OpenRequestID, now: UInt64) -> OpenRequest? {
    guard let request = requests[id], let first = request.waiting.first else { return nil }
    return OpenRequest(
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
