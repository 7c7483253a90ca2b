/// The deliveries of one scene: those it has been shown and those that wait for its credit.
struct DeliveryQueue {
  /// How many unsettled deliveries the scene wants to see at once.
  let credit: Int
  private(set) var shown: Set<DeliveryID> = []
  /// In the order in which they were routed; may hold some that are gone.
  private var waiting: [DeliveryID] = []
  private var head = 0
  private(set) var waitingCount = 0

  init(credit: Int) { self.credit = credit }

  var hasCredit: Bool { shown.count < credit }

  /// All that is not settled, in the order in which it was routed; may hold some that are gone.
  var pending: [DeliveryID] {
    shown.sorted { $0.rawValue < $1.rawValue } + waiting[head...]
  }

  var pendingCount: Int { shown.count + waitingCount }

  mutating func show(_ id: DeliveryID) { shown.insert(id) }

  mutating func wait(_ id: DeliveryID) {
    waiting.append(id)
    waitingCount += 1
  }

  /// Forgets a delivery, which gives its credit back if it was shown.
  mutating func remove(_ id: DeliveryID) {
    if shown.remove(id) == nil { waitingCount -= 1 }
  }

  /// The next delivery to show, if the credit allows one.
  mutating func showNext(where isPending: (DeliveryID) -> Bool) -> DeliveryID? {
    guard hasCredit else { return nil }
    while head < waiting.count {
      let id = waiting[head]
      head += 1
      if head == waiting.count {
        waiting.removeAll(keepingCapacity: true)
        head = 0
      }
      guard isPending(id) else { continue }
      waitingCount -= 1
      shown.insert(id)
      return id
    }
    return nil
  }
}
