/// The wait for clients to open their scenes and declarations again; "Returning" in the routing contract.
struct Returning {
  /// The number of scenes and declarations together.
  let count: Int
  let deadline: UInt64
}

// MARK: - Returning

extension Router {
  private var openCount: Int { registry.sceneCount + registry.connectedApplicationCount }

  package var missingCount: Int? {
    guard let returning, returning.count > openCount else { return nil }
    return returning.count - openCount
  }

  /// The scenes and declarations that the next router waits for; never less than this router waits for itself.
  ///
  /// A started program that has not connected yet counts, so that the next router does not start it a second time. The
  /// number stays while this router stops, because the clients that leave now will come to the next router.
  package var countToReturn: Int {
    max(returning?.count ?? 0, countAtStop, openCount + requests.awaitedCount)
  }

  /// To be called before any method that serves a client; `count` is the ``countToReturn`` of the last router.
  ///
  /// Events are accepted and held without a decision until ``Effect/returned``.
  package mutating func awaitReturn(of count: Int, now: UInt64) {
    guard count > 0 else { return }
    returning = Returning(count: count, deadline: now + limits.returnUSec)
    holdsEvents = true
  }

  mutating func reportReturn() {
    guard let returning, openCount >= returning.count || returning.deadline <= now else { return }
    if returning.deadline <= now { self.returning = nil }
    add(.returned)
  }

  /// Decides a bounded number of held events; `nil` if none is held, or if a scene or declaration is missing again.
  ///
  /// New events are held until the last one is decided, so that a connection's events are routed in the order of its
  /// calls.
  package mutating func decideHeld(now: UInt64) -> [Effect]? {
    self.now = now
    // A scene may be missing again: if its client is gone, it closed right after it had opened.
    if missingCount != nil { return nil }
    returning = nil
    for number in 1... {
      guard let id = heldEvents.popFirst() else {
        holdsEvents = false
        return number > 1 ? takeEffects() : nil
      }
      // A held event has already ended if a client has reported that it took the event before the restart.
      if let event = event(id) { decide(event) }
      if number == limits.eventsDecidedTogether { break }
    }
    return takeEffects()
  }

  private mutating func decide(_ event: PendingEvent) {
    event.decision = registry.decide(event.query)
    if reportsSteps { add(.decided(event.id, event.event, event.decision)) }
    if case .none = event.decision.destination { end(event) } else { begin(event) }
  }
}

// MARK: - Taken events

extension Router {
  func error(ofTaken eventIDs: [String]) -> CallError? {
    guard eventIDs.count <= limits.takenEventIDs else { return .invalidParameter(path: "takenEventIds") }
    return eventIDs.lazy.compactMap { [limits] in limits.error(ofString: $0) }.first
  }

  func charge(ofTaken eventIDs: [String]) -> Charge {
    Charge(bytes: eventIDs.reduce(0) { $0 + EventMemory.Ended.charge(ofTaken: $1) })
  }

  /// `scene` is `nil` if it has closed, or if the program took the events without a scene.
  ///
  /// An event that was sent again ends as taken, unless it has ended or is shown to a scene now.
  mutating func remember(
    taken eventIDs: [String],
    by scene: SceneID?,
    ofApplication application: String,
    _ declaration: String?,
    user: UserID
  ) {
    guard !eventIDs.isEmpty else { return }
    let decision = Decision(
      generation: registry.generation,
      scene.map { .scene($0) } ?? .newScene(applicationID: application, declarationID: ""),
      ofApplication: application,
      declarationID: declaration
    )
    for eventID in eventIDs {
      switch memory[eventID, user] {
      case .ended?: break
      case .underWay(let id)?:
        if let event = event(id) { take(event, decision, scene) }
      case nil:
        let id = nextDecisionID()
        memory.insert(eventID, of: user, id)
        remember(EventMemory.Ended(id, eventID, taken: decision, by: scene), as: eventID, of: user)
      }
    }
  }

  private mutating func take(_ event: PendingEvent, _ decision: Decision, _ scene: SceneID?) {
    if case .shown = event.phase { return }
    event.decision = decision
    if reportsSteps { add(.decided(event.id, event.event, decision)) }
    settle(event, .acknowledged, scene: scene)
  }
}

// MARK: - The orderly end

extension Router {
  /// Whether the attempt under way has given the event to a scene or a program.
  func isShown(_ event: PendingEvent) -> Bool {
    switch event.phase {
    case .deciding, .waiting: return false
    case .shown: return true
    case .requested(let id):
      // A request has only the first of the events that wait for its scene, so the program knows no other.
      guard let request = requests[id], request.waiting.first === event else { return false }
      return request.isStarted || registry.isConnected(request.applicationID)
    }
  }

  package var hasEventsUnderWay: Bool { events.count > 0 }

  /// Ends every event that no scene or program has got in the attempt under way.
  ///
  /// The others can be settled until ``stop(now:)``, but get no further attempt.
  package mutating func prepareToStop(now: UInt64) -> [Effect] {
    self.now = now
    countAtStop = countToReturn
    isStopping = true
    for event in eventsInOrder where !isShown(event) { settle(event, .shutdown) }
    return takeEffects()
  }

  /// Ends all events that are left; ``send`` refuses new ones.
  package mutating func stop(now: UInt64) -> [Effect] {
    let effects = isStopping ? [] : prepareToStop(now: now)
    self.now = now
    for event in eventsInOrder {
      if case .shown(let scene) = event.phase {
        add(.withdrawDelivery(event.deliveryID, from: scene, .shutdown))
      }
      settle(event, .shutdown)
    }
    return effects + takeEffects()
  }

  /// In the order in which they were accepted.
  private var eventsInOrder: [PendingEvent] {
    events.all.compactMap(\.self).sorted { $0.id.rawValue < $1.id.rawValue }
  }
}
