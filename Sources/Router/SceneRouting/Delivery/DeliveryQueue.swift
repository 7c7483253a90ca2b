/// In the order of routing; limits keep the lists short, so that a linear search is fast enough.
final class DeliveryQueue {
  /// The most unsettled deliveries that the scene accepts at the same time.
  private let credit: Int
  /// In the order of their deliveries' ids.
  private var shown: [PendingEvent] = []
  private var waiting: [PendingEvent] = []
  private var waitingBytes = 0

  init(credit: Int) { self.credit = credit }

  var pendingCount: Int { shown.count + waiting.count }

  /// An event that is shown at once exceeds no limit, because the limits are for waiting events.
  func limitReached(by size: Int, _ limits: Limits) -> Limit? {
    if shown.count < credit { return nil }
    if waiting.count >= limits.pendingDeliveriesPerScene { return .pendingDeliveriesPerScene }
    return waitingBytes + size > limits.pendingBytesPerScene ? .pendingBytesPerScene : nil
  }

  func append(_ event: PendingEvent) -> Bool {
    guard shown.count >= credit else {
      shown.append(event)
      return true
    }
    waiting.append(event)
    waitingBytes += event.size
    return false
  }

  func shownEvent(_ delivery: DeliveryID) -> PendingEvent? {
    var low = 0
    var high = shown.count
    while low < high {
      let middle = (low + high) / 2
      if shown[middle].deliveryID.rawValue < delivery.rawValue { low = middle + 1 } else { high = middle }
    }
    return low < shown.count && shown[low].deliveryID == delivery ? shown[low] : nil
  }

  func remove(_ event: PendingEvent) {
    if let index = shown.firstIndex(where: { $0 === event }) {
      shown.remove(at: index)
    } else if let index = waiting.firstIndex(where: { $0 === event }) {
      waiting.remove(at: index)
      waitingBytes -= event.size
    }
  }

  /// `nil` if the credit is used up or no event waits.
  func showNext() -> PendingEvent? {
    guard shown.count < credit, !waiting.isEmpty else { return nil }
    let next = waiting.removeFirst()
    waitingBytes -= next.size
    shown.append(next)
    return next
  }

  func removeAll() -> [PendingEvent] {
    defer { (shown, waiting, waitingBytes) = ([], [], 0) }
    return shown + waiting
  }
}
