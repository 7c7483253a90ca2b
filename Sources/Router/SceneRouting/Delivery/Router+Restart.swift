/// The wait of a router, after a restart, until clients have opened their scenes and declarations again.
///
/// Source: "Returning" in the routing contract.
struct Returning {
  /// The number of scenes and declarations that the router waits for.
  let count: Int
  /// The time at which the router stops waiting for scenes and declarations.
  let deadline: UInt64
}

// MARK: - Returning

extension Router {
  /// The number of open scenes plus the number of applications that are declared over connections.
  private var openCount: Int { registry.sceneCount + registry.connectedApplicationCount }

  /// The number of scenes and declarations that are still missing after a restart; `nil` if none is missing.
  package var missingCount: Int? {
    guard let returning, returning.count > openCount else { return nil }
    return returning.count - openCount
  }

  /// The number of scenes and declarations that the next router has to wait for, after a restart.
  ///
  /// A started program that has not connected yet counts as one declaration, so that the next router does not start the
  /// program a second time.
  ///
  /// This number stays high in two cases:
  /// - While this router itself waits after a restart, the number does not fall below the number waited for. If this
  ///   router then stops, the next router has to wait for the same scenes and declarations.
  /// - While this router stops, the number does not fall. The clients that leave now will come to the next router.
  package var countToReturn: Int {
    max(returning?.count ?? 0, countAtShutDown, openCount + requests.awaitedCount)
  }

  /// Begins to wait until `count` scenes and declarations are open.
  ///
  /// `count` is the ``countToReturn`` of the router before the restart. If it is 0, the router does not wait.
  ///
  /// The router accepts events from now on, but holds them without a decision. ``Effect/returned`` ends the wait.
  ///
  /// This method must be called before any method that serves a client.
  package mutating func awaitReturn(of count: Int, now: UInt64) {
    guard count > 0 else { return }
    returning = Returning(count: count, deadline: now + limits.returnUSec)
    holdsEvents = true
  }

  /// Adds ``Effect/returned`` if all scenes and declarations have returned, or if the router has waited long enough.
  mutating func reportReturn() {
    guard let returning, openCount >= returning.count || returning.deadline <= now else { return }
    if returning.deadline <= now { self.returning = nil }
    add(.returned)
  }

  /// Makes the first decision for a bounded number of held events, in the order in which they were accepted.
  ///
  /// ``Effect/returned`` asks for this call. New events are held until the last held event is decided, so that the
  /// events of a connection are routed in the order of its calls.
  ///
  /// Returns `nil` if no event is held. Also returns `nil` if the router must go on waiting, because a scene or a
  /// declaration that had returned has closed again.
  package mutating func decideHeld(now: UInt64) -> [Effect]? {
    self.now = now
    // A scene can be missing again: if its client is already gone, the scene closes right after it has opened.
    if missingCount != nil { return nil }
    returning = nil
    for number in 1... {
      guard let id = heldEvents.popFirst() else {
        holdsEvents = false
        return number > 1 ? takeEffects() : nil
      }
      // A held event has already ended if a client has since reported it as taken. The client took the event before the
      // restart.
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
  /// The error for a list of ids of events that a client was shown before the router restarted.
  ///
  /// Returns an error if there are too many ids, or if an id is too long. Otherwise returns `nil`.
  func error(ofTaken eventIDs: [String]) -> CallError? {
    guard eventIDs.count <= limits.takenEventIDs else { return .invalidParameter(path: "takenEventIds") }
    return eventIDs.lazy.compactMap { [limits] in limits.error(ofString: $0) }.first
  }

  /// The charge for remembering events that a client was shown before the router restarted.
  func charge(ofTaken eventIDs: [String]) -> Charge {
    Charge(bytes: eventIDs.reduce(0) { $0 + EventMemory.Ended.charge(ofTaken: $1) })
  }

  /// Remembers that `scene` took events before the router restarted.
  ///
  /// `scene` is `nil` if the scene that took the events has closed, or if the application's program took the events
  /// without a scene.
  ///
  /// The sender may have sent such an event again after the restart:
  /// - If the repeated event has ended or is shown to a scene now, nothing changes.
  /// - Otherwise the repeated event ends as taken.
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
      // Several events can wait for the scene that one request asks for. The request has only the first of these
      // events, so that the program knows no other.
      guard let request = requests[id], request.waiting.first === event else { return false }
      return request.isStarted || registry.isConnected(request.applicationID)
    }
  }

  /// Whether any event is under way.
  package var hasEventsUnderWay: Bool { events.count > 0 }

  /// Begins to stop the router, which from now on accepts no event.
  ///
  /// Ends every event that no scene or program has got in the attempt under way. Scenes can settle the other events
  /// until ``shutDown(now:)``, but these events get no further attempt.
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
