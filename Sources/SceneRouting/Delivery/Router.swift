/// The whole of routing: who is open, what is on its way, and what follows from each call.
///
/// A value without clock, file or socket: every call takes the time (microseconds of any clock that never
/// goes back), changes the state, and appends what follows to `effects`, which the caller carries out in
/// order. A call that is refused has changed nothing. Every accepted event has exactly one ``Effect/ended(_:_:)``.
///
/// It has one owner and no copies: asking it something costs what the answer costs.
package struct Router: ~Copyable, Sendable {
  /// The limits in force.
  package let limits: Limits
  /// Who is open.
  package var registry: SceneRegistry
  /// How many events ended in which way; those without a target are ``notRoutedCount``.
  package var endCounts: [SettlementResult: Int] {
    var counts: [SettlementResult: Int] = [:]
    for result in SettlementResult.allCases where ends[result.place] > 0 {
      counts[result] = ends[result.place]
    }
    return counts
  }
  /// Whether the steps of an event, ``Effect/decided(_:_:_:)`` and ``Effect/settled(_:)``, are among the effects.
  ///
  /// Its end always is; who looks at that alone saves the steps.
  package var reportsSteps = true
  /// How many events no rule found a target for.
  package internal(set) var notRoutedCount = 0

  var events: EventTable
  var queues: IDTable<DeliveryQueue>
  /// The events by the deliveries that are not settled.
  var deliveries: IDTable<EventSlot>
  var openRequests: [OpenRequestID: OpenRequestRecord] = [:]
  var openRequestKeys: [OpenRequestKey: OpenRequestID] = [:]
  /// The open requests of each application.
  var requestsOfApplications: [String: OpenRequestList] = [:]
  var turns = WorkQueue<Turn>()
  /// The scenes that have yet to get events which waited for them to open, and what was routed to them since.
  var openings: [SceneID: Opening] = [:]
  var deadlines = DeadlineQueue()
  var memory = EventMemory()
  var endedDeliveries = EndedRing<SettledDelivery>()
  var endedRequests = EndedRing<OpenRequestEnd>()
  /// How many events ended in which way, by its place.
  var ends = [Int](repeating: 0, count: SettlementResult.allCases.count)
  private var lastDecisionID: UInt64 = 0
  private var lastDeliveryID: UInt64 = 0
  private var lastOpenRequestID: UInt64 = 0

  /// An empty router.
  ///
  /// `seed` changes nothing that can be seen; one that others do not know keeps them from making up identifiers that
  /// slow the search for others down.
  package init(limits: Limits = Limits(), seed: UInt64 = .random(in: 0 ... .max)) {
    self.limits = limits
    registry = SceneRegistry(seed: seed)
    events = EventTable(seed: seed)
    queues = IDTable(vacant: DeliveryQueue(credit: 0), seed: seed)
    deliveries = IDTable(vacant: EventTable.none, seed: seed)
  }

  /// When ``advance(to:effects:)`` has something to do next; may be early, is never late.
  package var nextDeadline: UInt64? {
    guard turns.isEmpty else { return 0 }
    guard let deadline = deadlines.first, let forgetting = memory.firstForgetting else {
      return deadlines.first ?? memory.firstForgetting
    }
    return min(deadline, forgetting)
  }

  /// How many deliveries are not settled.
  package var pendingDeliveryCount: Int { deliveries.count }

  /// How many deliveries of one scene are not settled.
  package func pendingDeliveryCount(of scene: SceneID) -> Int { queues[scene.rawValue]?.pendingCount ?? 0 }

  mutating func nextDecisionID() -> DecisionID {
    lastDecisionID += 1
    return DecisionID(rawValue: lastDecisionID)
  }

  mutating func nextDeliveryID() -> DeliveryID {
    lastDeliveryID += 1
    return DeliveryID(rawValue: lastDeliveryID)
  }

  mutating func nextOpenRequestID() -> OpenRequestID {
    lastOpenRequestID += 1
    return OpenRequestID(rawValue: lastOpenRequestID)
  }
}

/// A delivery that is settled, for who settles it again.
struct SettledDelivery {
  var sceneID: SceneID
  var result: SettlementResult
}

/// An open request and the events that wait for its scene.
struct OpenRequestRecord {
  var applicationID: String
  var declarationID: String
  var key: OpenRequestKey?
  /// In the order in which they were routed; may hold some that wait no longer.
  var waiting: [DecisionID]
  var waitingCount = 1
}

/// The open requests of one application, in order.
struct OpenRequestList {
  private(set) var requests: [OpenRequestID]
  private var endedCount = 0

  init(_ first: OpenRequestID) { requests = [first] }

  /// Whether a request is as new as this list: one before it was for an earlier declaration of the application.
  func mayHold(_ request: OpenRequestID) -> Bool {
    requests.first.map { $0.rawValue <= request.rawValue } ?? false
  }

  mutating func append(_ request: OpenRequestID) { requests.append(request) }

  /// Notes that a request has ended; forgets those that have when they are most of all.
  mutating func noteEnd(isOpen: (OpenRequestID) -> Bool) {
    endedCount += 1
    guard 2 * endedCount > requests.count else { return }
    requests.removeAll { !isOpen($0) }
    endedCount = 0
  }
}

/// What two events have in common that wait for the same new scene.
enum OpenRequestKey: Hashable {
  /// Any event for a single-scene application.
  case application(String)
  /// Any event for a singleton declaration.
  case declaration(application: String, String)
  /// An event whose comparison string folds to the text.
  case text(application: String, declaration: String, FoldedText)
}

extension Router {
  /// Charges a user for bytes that are held for it outside the router, or gives them back.
  ///
  /// Returns false, and still charges them, if that is more than `bytesPerUser`.
  package mutating func charge(_ bytes: Int, to user: UserID) -> Bool {
    registry.accounts[user].bytes += bytes
    return registry.accounts[user].bytes <= limits.bytesPerUser
  }
}
