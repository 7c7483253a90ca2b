/// The wait of a new router for the scenes and declarations of the last router.
///
/// Source: "Returning" in the routing contract.
struct Returning {
  /// The number of scenes and declarations that the router waits for.
  let count: Int
  /// The time at which the wait ends.
  let deadline: UInt64
}

// MARK: - Returning

extension Router {
  /// The number of open scenes plus the number of applications that are declared over connections.
  private var openCount: Int { registry.sceneCount + registry.connectedApplicationCount }

  /// The number of scenes and declarations that have not returned yet; `nil` if the router waits for none.
  package var missingCount: Int? {
    guard let returning, returning.count > openCount else { return nil }
    return returning.count - openCount
  }

  /// The number of scenes and declarations for which the next router has to wait.
  ///
  /// A started program that has not connected yet counts as one declaration. The next router must not start the program
  /// a second time.
  ///
  /// While this router itself still waits, the number is at least the number that the last router left. If this router
  /// ends early, the next router therefore waits for the same scenes and declarations. While this router stops, the
  /// number does not fall, because clients leave a router that stops and come to the next router.
  package var countToReturn: Int {
    max(returning?.count ?? 0, countAtShutDown, openCount + requests.awaitedCount)
  }

  /// Begins to wait until `count` scenes and declarations are open.
  ///
  /// `count` is the last router's ``countToReturn``. Events are accepted and held until ``Effect/returned``. If `count`
  /// is 0, no event is held, and ``Effect/returned`` does not come. Call this method before all calls that concern
  /// clients.
  package mutating func awaitReturn(of count: Int, now: UInt64) {
    guard count > 0 else { return }
    returning = Returning(count: count, deadline: now + limits.returnUSec)
    holdsEvents = true
  }

  /// Asks for the first decisions if all scenes and declarations have returned or the deadline has passed.
  mutating func reportReturn() {
    guard let returning, openCount >= returning.count || returning.deadline <= now else { return }
    if returning.deadline <= now { self.returning = nil }
    add(.returned)
  }

  /// Makes the first decision for a bounded number of held events, in the order in which they were accepted.
  ///
  /// ``Effect/returned`` asks for this call. Until the last held event is decided, new events are held too. Otherwise a
  /// connection's events would not be routed in the order of its calls.
  ///
  /// Returns `nil` if no event is held, or if a scene or a declaration that had returned is closed again.
  package mutating func decideHeld(now: UInt64) -> [Effect]? {
    self.now = now
    // A connection may be lost before this router accepts the connection. Its scenes close as soon as they are open.
    if missingCount != nil { return nil }
    returning = nil
    for number in 1... {
      guard let id = heldEvents.popFirst() else {
        holdsEvents = false
        return number > 1 ? takeEffects() : nil
      }
      // The event has ended already if a client has reported it as taken under the last router.
      if let event = event(id) { decide(event) }
      if number == limits.eventsDecidedTogether { break }
    }
    return takeEffects()
  }

  private mutating func decide(_ event: EventRecord) {
    event.decision = registry.decide(event.query)
    if reportsSteps { add(.decided(event.id, event.event, event.decision)) }
    if case .none = event.decision.destination { end(event) } else { begin(event) }
  }
}

// MARK: - Taken events

extension Router {
  /// Checks the ids of events that the last router showed to a client.
  func error(ofTaken eventIDs: [String]) -> CallError? {
    guard eventIDs.count <= limits.takenEventIDs else { return .invalidParameter(path: "takenEventIds") }
    return eventIDs.lazy.compactMap { [limits] in limits.error(ofString: $0) }.first
  }

  /// The charge for remembering events that the last router showed to a client.
  func charge(ofTaken eventIDs: [String]) -> Charge {
    Charge(bytes: eventIDs.reduce(0) { $0 + EventMemory.Ended.charge(ofTaken: $1) })
  }

  /// Remembers that events of the last router were taken by `scene`.
  ///
  /// `scene` is `nil` in two cases:
  /// - The scene that took the events has closed.
  /// - The application's program took the events without a scene.
  ///
  /// A sender may have sent such an event a second time:
  /// - If the second event has ended or is shown to a scene now, nothing changes.
  /// - Otherwise the second event ends as taken.
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

  private mutating func take(_ event: EventRecord, _ decision: Decision, _ scene: SceneID?) {
    if case .shown = event.phase { return }
    event.decision = decision
    if reportsSteps { add(.decided(event.id, event.event, decision)) }
    settle(event, .acknowledged, scene: scene)
  }
}

// MARK: - The orderly end

extension Router {
  /// Whether the attempt under way has given the event to a scene or a program.
  func isShown(_ event: EventRecord) -> Bool {
    switch event.phase {
    case .deciding, .waiting: return false
    case .shown: return true
    case .requested(let id):
      // A program gets only the first of the events that wait for one scene.
      guard let request = requests[id], request.waiting.first === event else { return false }
      return request.isStarted || registry.isConnected(request.applicationID)
    }
  }

  /// Whether any event is under way.
  package var hasEventsUnderWay: Bool { events.count > 0 }

  /// Begins the end of the router, which accepts no event any more.
  ///
  /// Ends each event that has not been shown to a scene or a program in the attempt under way. Scenes can settle the
  /// other events until ``shutDown(now:)``. These events get no further attempt.
  package mutating func beginShutDown(now: UInt64) -> [Effect] {
    self.now = now
    countAtShutDown = countToReturn
    isShuttingDown = true
    for event in eventsInOrder where !isShown(event) { settle(event, .shutdown) }
    return takeEffects()
  }

  /// Ends every event because the router stops.
  ///
  /// No event may be sent afterwards.
  package mutating func shutDown(now: UInt64) -> [Effect] {
    let effects = isShuttingDown ? [] : beginShutDown(now: now)
    self.now = now
    for event in eventsInOrder {
      if case .shown(let scene) = event.phase {
        add(.withdrawDelivery(event.deliveryID, from: scene, .shutdown))
      }
      settle(event, .shutdown)
    }
    return effects + takeEffects()
  }

  /// The events under way, in the order in which they were accepted.
  private var eventsInOrder: [EventRecord] {
    events.all.compactMap(\.self).sorted { $0.id.rawValue < $1.id.rawValue }
  }
}
