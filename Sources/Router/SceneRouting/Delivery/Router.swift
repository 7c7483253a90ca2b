@_exported public import SceneTypes

/// The router uses no clock, file or socket: calls take the time, in microseconds of a clock that never runs back.
///
/// A refused call has changed nothing. Every accepted event has exactly one ``Effect/ended(_:_:)``.
package struct Router: ~Copyable {
  package let limits: Limits
  package var registry: SceneRegistry
  /// The events of ``notRoutedCount`` are not in these counts.
  package var endCounts: [SettlementResult: Int] {
    let counts = SettlementResult.allCases.map { ($0, ends[$0.index]) }.filter { $0.1 > 0 }
    return Dictionary(uniqueKeysWithValues: counts)
  }
  package internal(set) var notRoutedCount = 0

  /// Whether effects include ``Effect/decided(_:_:_:)`` and ``Effect/settled(_:)``; leaving them out saves their cost.
  package var reportsSteps = true

  var now: UInt64 = 0
  private var effects: [Effect] = []
  var events: IDTable<DecisionID, PendingEvent?>
  var queues: IDTable<SceneID, DeliveryQueue?>
  package internal(set) var pendingDeliveryCount = 0
  var requests = OpenRequests()
  var deadlines = DeadlineQueue()
  var memory = EventMemory()
  var startMemory = StartMemory()
  /// `nil` if the router does not wait.
  var returning: Returning?
  /// Events are held until the last of them has got a decision, which is later than the end of ``returning``.
  var holdsEvents = false
  var heldEvents = Queue<DecisionID>()
  var isStopping = false
  /// ``countToReturn`` when the router began to stop; 0 until then.
  var countAtStop = 0
  /// The number of events under way, by connection.
  var pendingEvents: IDTable<Client, Int>
  var endedDeliveries = RecentOutcomes<SettledDelivery>()
  var endedRequests = RecentOutcomes<OpenRequestEnd>()
  /// By ``SettlementResult/index``.
  var ends = [Int](repeating: 0, count: SettlementResult.allCases.count)
  private var lastDecisionID: UInt64 = 0
  private var lastDeliveryID: UInt64 = 0
  private var lastOpenRequestID: UInt64 = 0
  var lastStartID: UInt64 = 0

  /// A shown `file:` URL with `machineName` as its host equals the URL without the host.
  ///
  /// A secret `seed` keeps clients from making up identifiers that slow the search down. It changes no result.
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

  /// Negative `bytes` are released.
  ///
  /// Returns false if the user now has more than `bytesPerUser`; the bytes are charged even then.
  package mutating func charge(_ bytes: Int, to user: UserID) -> Bool {
    registry.accounts[user].bytes += bytes
    return registry.accounts[user].bytes <= limits.bytesPerUser
  }
}

/// Kept for the error reply to a scene that settles the delivery a second time.
struct SettledDelivery {
  var sceneID: SceneID
  var result: SettlementResult
}

// MARK: - Used by the calls

extension Router {
  // The next two functions are inlined, because a call of a non-mutating function would copy all bytes of the router.

  @inline(__always)
  func event(_ id: DecisionID) -> PendingEvent? { events[id] ?? nil }

  @inline(__always)
  func queue(of scene: SceneID) -> DeliveryQueue? { queues[scene] ?? nil }

  mutating func add(_ effect: Effect) {
    // Room for four effects is enough for most calls, so that memory is allocated once.
    if effects.capacity == 0 { effects.reserveCapacity(4) }
    effects.append(effect)
  }

  mutating func takeEffects() -> [Effect] {
    var taken: [Effect] = []
    swap(&taken, &effects)
    return taken
  }

  /// The effects of the next call use the memory of the array.
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
