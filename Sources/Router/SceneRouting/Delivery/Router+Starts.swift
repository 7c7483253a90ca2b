/// A start of an application that no connection declares, for the server to carry out.
package struct ApplicationStart: Hashable, Sendable {
  /// Identifies the start; what its end is reported by.
  package var id: StartID
  /// The application.
  package var applicationID: String
  /// Whether the program asks for its open requests itself; else it gets the events with the start.
  package var isAware: Bool
  /// What it is started for, oldest first, all of one declaration.
  package var requests: [OpenRequest]
}

extension Router {
  /// Whether an attempt at an event has to start a program first.
  func needsStart(_ destination: Destination) -> Bool {
    guard case .newScene(let application, _) = destination else { return false }
    return !registry.isConnected(application)
  }

  /// Takes out what an application is to be started for, as ``Effect/start(application:)`` asks for.
  ///
  /// `nil` if there is nothing, or nothing any longer. An application that is aware is started once, however many scenes
  /// it is asked for; any other for the events that have come until now, all at once or one, as its program takes them.
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
    requests.begin(id, of: application, started)
    rememberStart(of: application, for: started)
    return ApplicationStart(
      id: id,
      applicationID: application,
      isAware: declaration.program == .aware,
      requests: started.compactMap { openRequest($0, now: now) }
    )
  }

  /// Remembers which applications the events have come through that a program is started with.
  ///
  /// The program knows the first of them.
  private mutating func rememberStart(of application: String, for started: [OpenRequestID]) {
    let waiting = started.flatMap { requests[$0]?.waiting ?? [] }
    guard let first = waiting.first else { return }
    let passedOver = waiting.flatMap(\.query.passedOver) + [application]
    startMemory.insert(first.id, passedOver, at: now, limits)
  }

  /// Ends a start: `failure` says why there is no program, if there is none.
  ///
  /// A program that is aware then has the rest of the time of each event to ask for its requests. Of one that is not,
  /// the events are taken. No effects if all that waited for the start has ended.
  package mutating func startEnded(_ start: ApplicationStart, failure: String?, now: UInt64) -> [Effect] {
    self.now = now
    let application = start.applicationID
    let waitsForProgram = start.isAware && failure == nil
    guard let started = requests.end(start.id, of: application, waitsForProgram: waitsForProgram) else {
      return []
    }
    if let failure {
      let failed = start.isAware ? requests.requests(ofApplication: application) : started
      for request in failed { fail(request, .launchFailed, reason: failure) }
    } else if !start.isAware {
      for request in started {
        guard let waiting = requests.remove(request)?.waiting else { continue }
        endedRequests[request.rawValue] = .opened
        for event in waiting { settle(event, .launched) }
      }
    }
    return takeEffects()
  }

  /// Why a request whose time is up has no scene.
  func reasonOfTimeout(_ request: OpenRequestID) -> String {
    guard let application = requests[request]?.applicationID, !registry.isConnected(application) else {
      return "The application did not open the scene in time."
    }
    return requests.hasStarted(application)
      ? "The program was started, and did not open the scene in time."
      : "The program was not started in time."
  }

  /// Reports to an application that has been declared the requests that came before.
  mutating func requestScenes(of application: String) {
    for id in requests.requests(ofApplication: application) {
      if let request = openRequest(id, now: now) { add(.requestScene(request)) }
    }
  }

  /// A request that is open, as its application sees it; `nil` if no event waits for it.
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
      timeoutUSec: first.deadline > now ? first.deadline - now : 1
    )
  }
}
