@_exported public import SceneTypes

/// The whole of routing: the open scenes, the events on their way, and the consequences of each call.
///
/// The router uses no clock, file or socket. Calls that need the time take it as an argument, in microseconds.
/// Any clock will do if it never runs backwards. Each call returns its consequences as effects, which the caller
/// carries out in order. A refused call has changed nothing. Every accepted event has exactly one
/// ``Effect/ended(_:_:)``.
///
/// The router has one owner and is never copied.
package struct Router: ~Copyable {
  /// The limits in force.
  package let limits: Limits
  /// The open scenes and known applications.
  package var registry: SceneRegistry
  /// The number of ended events for each result.
  ///
  /// ``notRoutedCount`` counts the events without a target.
  package var endCounts: [SettlementResult: Int] {
    let counts = SettlementResult.allCases.map { ($0, ends[$0.index]) }.filter { $0.1 > 0 }
    return Dictionary(uniqueKeysWithValues: counts)
  }
  /// The number of events without a target.
  package internal(set) var notRoutedCount = 0

  /// Whether the effects include the steps of events.
  ///
  /// The steps are ``Effect/decided(_:_:_:)`` and ``Effect/settled(_:)``. Leaving the steps out saves their
  /// cost. The ends of events are always included.
  package var reportsSteps = true

  /// The time of the present call.
  var now: UInt64 = 0
  /// The effects of the present call so far.
  private var effects: [Effect] = []
  var events: IDTable<EventRecord?>
  /// The deliveries of each open scene.
  var queues: IDTable<DeliveryQueue?>
  /// The number of unsettled deliveries.
  package internal(set) var pendingDeliveryCount = 0
  var requests = OpenRequests()
  var deadlines = DeadlineQueue()
  var memory = EventMemory()
  var startMemory = StartMemory()
  /// The wait for scenes and declarations to return after a restart; `nil` if the router does not wait.
  var returning: Returning?
  /// Whether new events are held without a decision.
  ///
  /// This is true while the router waits for scenes and declarations after a restart. It stays true until the last held
  /// event has got a decision.
  var holdsEvents = false
  /// The events without a decision, in the order in which they were accepted.
  var heldEvents = Queue<DecisionID>()
  /// Whether ``beginShutDown(now:)`` was called.
  var isShuttingDown = false
  /// The value of ``countToReturn`` when the router began to stop; 0 until then.
  var countAtShutDown = 0
  /// The number of events under way, for each connection.
  var pendingEvents: IDTable<Int>
  var endedDeliveries = EndedRing<SettledDelivery>()
  var endedRequests = EndedRing<OpenRequestEnd>()
  /// The number of ended events for each result, at the ``SettlementResult/index`` of the result.
  var ends = [Int](repeating: 0, count: SettlementResult.allCases.count)
  private var lastDecisionID: UInt64 = 0
  private var lastDeliveryID: UInt64 = 0
  private var lastOpenRequestID: UInt64 = 0
  var lastStartID: UInt64 = 0

  /// Makes an empty router.
  ///
  /// `machineName` is this machine's name. When the router looks for scenes that show a URL, a `file:` URL with this
  /// name as its host equals the URL without the host. A secret `seed` keeps clients from making up identifiers that
  /// slow the search down. The seed changes no result.
  package init(
    limits: Limits = Limits(),
    machineName: String? = nil,
    seed: UInt64 = .random(in: 0 ... .max)
  ) {
    self.limits = limits
    registry = SceneRegistry(seed: seed, machineName: machineName)
    events = IDTable(vacant: nil, seed: seed)
    queues = IDTable(vacant: nil, seed: seed)
    pendingEvents = IDTable(vacant: 0, seed: seed)
  }

  /// Charges a user for bytes that are held outside the router.
  ///
  /// A negative number releases bytes.
  ///
  /// Returns false if the user then has more than `bytesPerUser`. The bytes are charged even then.
  package mutating func charge(_ bytes: Int, to user: UserID) -> Bool {
    registry.accounts[user].bytes += bytes
    return registry.accounts[user].bytes <= limits.bytesPerUser
  }
}

/// The result of a delivery, kept for the error reply to a scene that settles the delivery a second time.
struct SettledDelivery {
  var sceneID: SceneID
  var result: SettlementResult
}

// MARK: - Used by the calls

extension Router {
  // The next two functions are inlined, because a call of a non-mutating function would copy all bytes of the router.

  /// An event under way.
  @inline(__always)
  func event(_ id: DecisionID) -> EventRecord? { events[id.rawValue] ?? nil }

  /// The deliveries of an open scene.
  @inline(__always)
  func queue(of scene: SceneID) -> DeliveryQueue? { queues[scene.rawValue] ?? nil }

  /// Adds an effect of the present call.
  mutating func add(_ effect: Effect) {
    // Room for four effects is enough for most calls, so that memory is allocated once.
    if effects.capacity == 0 { effects.reserveCapacity(4) }
    effects.append(effect)
  }

  /// Returns the effects of the present call and forgets them.
  mutating func takeEffects() -> [Effect] {
    var taken: [Effect] = []
    swap(&taken, &effects)
    return taken
  }

  /// Takes back an array whose effects have all been carried out.
  ///
  /// The effects of the next call use the array's memory.
  package mutating func reuse(_ emptied: consuming [Effect]) {
    // The memory for the effects of many events is not kept.
    if effects.capacity == 0, emptied.capacity <= 16 { effects = emptied }
  }

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
