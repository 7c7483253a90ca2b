/// The deliveries of one scene: those it has been shown and those that wait for its credit.
struct DeliveryQueue {
  /// How many unsettled deliveries the scene wants to see at once.
  let credit: Int
  private(set) var shown: Set<DeliveryID> = []
  /// In the order in which they were routed, from ``head`` on.
  private var waiting: [DeliveryID] = []
  private var head = 0

  init(credit: Int) { self.credit = credit }

  var hasCredit: Bool { shown.count < credit }

  /// All that is not settled, in the order in which it was routed.
  var pending: [DeliveryID] {
    shown.sorted { $0.rawValue < $1.rawValue } + waiting[head...]
  }

  var waitingCount: Int { waiting.count - head }

  var pendingCount: Int { shown.count + waitingCount }

  mutating func wait(_ id: DeliveryID) { waiting.append(id) }

  /// Forgets a delivery, which gives its credit back if it was shown.
  mutating func remove(_ id: DeliveryID) {
    guard shown.remove(id) == nil, let index = waiting[head...].firstIndex(of: id) else { return }
    waiting.remove(at: index)
  }

  /// The next delivery to show, if the credit allows one.
  mutating func showNext() -> DeliveryID? {
    guard hasCredit, head < waiting.count else { return nil }
    let id = waiting[head]
    head += 1
    // What has been shown is dropped half by half, also if there is always something that waits.
    if head * 2 > waiting.count {
      waiting.removeFirst(head)
      head = 0
    }
    shown.insert(id)
    return id
  }
}
