/// The whole of routing: who is open, what is on its way, and what follows from each call.
///
/// A value without clock, file or socket. A call takes the time if it matters: microseconds of any clock that never runs
/// backwards. It returns what follows from it, the effects, which the caller carries out in order; a call that is refused has
/// changed nothing. Every accepted event has exactly one ``Effect/ended(_:_:)``.
///
/// It has one owner and is never copied.
package struct Router: ~Copyable {
  /// The limits in force.
  package let limits: Limits
  /// Who is open.
  package var registry: SceneRegistry
  /// How many events ended in which way; those without a target are ``notRoutedCount``.
  package var endCounts: [SettlementResult: Int] {
    let counts = SettlementResult.allCases.map { ($0, ends[$0.index]) }.filter { $0.1 > 0 }
    return Dictionary(uniqueKeysWithValues: counts)
  }
  /// How many events no rule found a target for.
  package internal(set) var notRoutedCount = 0

  /// Whether the steps of events, ``Effect/decided(_:_:_:)`` and ``Effect/settled(_:)``, are among the effects.
  ///
  /// Their ends always are; to leave the steps out saves what they cost.
  package var reportsSteps = true

  /// The time of the call that is being carried out.
  var now: UInt64 = 0
  /// What follows from that call, as far as it has been carried out.
  private var effects: [Effect] = []
  var events: IDTable<EventRecord?>
  /// The deliveries of each open scene.
  var queues: IDTable<DeliveryQueue?>
  /// How many deliveries are not settled.
  package internal(set) var pendingDeliveryCount = 0
  var requests = OpenRequests()
  var deadlines = DeadlineQueue()
  var memory = EventMemory()
  var startMemory = StartMemory()
  /// How many events of each connection have not ended.
  var pendingEvents: IDTable<Int>
  var endedDeliveries = EndedRing<SettledDelivery>()
  var endedRequests = EndedRing<OpenRequestEnd>()
  /// How many events ended in which way, by its index.
  var ends = [Int](repeating: 0, count: SettlementResult.allCases.count)
  private var lastDecisionID: UInt64 = 0
  private var lastDeliveryID: UInt64 = 0
  private var lastOpenRequestID: UInt64 = 0
  var lastStartID: UInt64 = 0

  /// An empty router.
  ///
  /// A `seed` that others do not know keeps them from making up identifiers that slow the search down; it changes no
  /// result.
  package init(limits: Limits = Limits(), seed: UInt64 = .random(in: 0 ... .max)) {
    self.limits = limits
    registry = SceneRegistry(seed: seed)
    events = IDTable(vacant: nil, seed: seed)
    queues = IDTable(vacant: nil, seed: seed)
    pendingEvents = IDTable(vacant: 0, seed: seed)
  }

  /// Charges a user for bytes that are held for it outside the router, or gives them back.
  ///
  /// Returns false, and still charges them, if that is more than `bytesPerUser`.
  package mutating func charge(_ bytes: Int, to user: UserID) -> Bool {
    registry.accounts[user].bytes += bytes
    return registry.accounts[user].bytes <= limits.bytesPerUser
  }
}

/// A delivery that is settled, to answer a client that settles it again.
struct SettledDelivery {
  var sceneID: SceneID
  var result: SettlementResult
}

// MARK: - Used by the calls

extension Router {
  // These are inlined, as the router is copied, bit by bit, for a call that does not change it.

  /// An event under way.
  @inline(__always)
  func event(_ id: DecisionID) -> EventRecord? { events[id.rawValue] ?? nil }

  /// The deliveries of an open scene.
  @inline(__always)
  func queue(of scene: SceneID) -> DeliveryQueue? { queues[scene.rawValue] ?? nil }

  /// Notes something that follows from the call.
  mutating func add(_ effect: Effect) {
    // Enough for most calls, so that memory is allocated once.
    if effects.capacity == 0 { effects.reserveCapacity(4) }
    effects.append(effect)
  }

  /// What follows from the call, all of which has been carried out.
  mutating func takeEffects() -> [Effect] {
    var taken: [Effect] = []
    swap(&taken, &effects)
    return taken
  }

  /// Takes back the array of the effects, which have all been carried out, as memory for the next ones.
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
