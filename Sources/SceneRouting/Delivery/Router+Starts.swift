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
  /// `nil` if there is nothing any longer, or a start is under way. An application that is aware is started once, however
  /// many scenes it is asked for; any other for all events that have come until now.
  package mutating func takeStart(of application: String, now: UInt64) -> ApplicationStart? {
    guard let declaration = registry.declaration(ofApplication: application),
      !registry.isConnected(application)
    else { return nil }
    let waiting = requests.requests(ofApplication: application)
    guard let first = waiting.first.flatMap({ requests[$0] }) else { return nil }
    let started =
      declaration.isAware
      ? [waiting[0]] : waiting.filter { requests[$0]?.declarationID == first.declarationID }
    guard requests.begin(StartID(rawValue: lastStartID + 1), of: application, started) else { return nil }
    lastStartID += 1
    return ApplicationStart(
      id: StartID(rawValue: lastStartID),
      applicationID: application,
      isAware: declaration.isAware,
      requests: started.compactMap { openRequest($0, now: now) }
    )
  }

  /// Ends a start: `failure` says why there is no program, if there is none.
  ///
  /// An application that is aware then has the rest of the time of each event to ask for its requests. Of one that is
  /// not, the events are taken. No effects if all that waited for the start has ended.
  package mutating func startEnded(
    _ start: StartID,
    of application: String,
    failure: String?,
    now: UInt64
  ) -> [Effect] {
    self.now = now
    let isAware = registry.declaration(ofApplication: application)?.isAware == true
    guard let started = requests.end(start, of: application, keepsStarted: isAware && failure == nil) else {
      return []
    }
    if let failure {
      let failed = isAware ? requests.requests(ofApplication: application) : started
      for request in failed { fail(request, .launchFailed, reason: failure) }
    } else if !isAware {
      for request in started {
        guard let waiting = requests.remove(request)?.waiting else { continue }
        endedRequests[request.rawValue] = .opened
        for event in waiting { settle(event, .launched) }
      }
    }
    if !isAware, !requests.requests(ofApplication: application).isEmpty {
      add(.start(application: application))
    }
    return takeEffects()
  }

  /// Why a request whose time is up has no scene.
  func reasonOfTimeout(_ request: OpenRequestID) -> String {
    guard let application = requests[request]?.applicationID, !registry.isConnected(application) else {
      return "timeout"
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
      timeoutUSec: first.deadline > now ? first.deadline - now : 1
    )
  }
}
