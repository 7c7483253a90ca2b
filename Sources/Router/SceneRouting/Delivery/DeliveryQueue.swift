/// The deliveries of one open scene, in the order in which their events were routed.
///
/// Limits keep both lists so short that a search in them costs nothing.
final class DeliveryQueue {
  /// How many unsettled deliveries the scene wants to see at once.
  private let credit: Int
  /// The events that the scene has been shown; their deliveries count up.
  private var shown: [EventRecord] = []
  /// The events that wait for the scene's credit.
  private var waiting: [EventRecord] = []
  /// Bytes of the events that wait.
  private var waitingBytes = 0

  init(credit: Int) { self.credit = credit }

  var pendingCount: Int { shown.count + waiting.count }

  /// The limit that keeps one more event of this size from waiting, if it would have to wait and there is one.
  func limitReached(by size: Int, _ limits: Limits) -> Limit? {
    if shown.count < credit { return nil }
    if waiting.count >= limits.pendingDeliveriesPerScene { return .pendingDeliveriesPerScene }
    return waitingBytes + size > limits.pendingBytesPerScene ? .pendingBytesPerScene : nil
  }

  /// Adds an event at the end; returns whether the scene is shown it at once.
  func append(_ event: EventRecord) -> Bool {
    guard shown.count >= credit else {
      shown.append(event)
      return true
    }
    waiting.append(event)
    waitingBytes += event.size
    return false
  }

  /// The event of a delivery that the scene has been shown.
  func shownEvent(_ delivery: DeliveryID) -> EventRecord? {
    var low = 0
    var high = shown.count
    while low < high {
      let middle = (low + high) / 2
      if shown[middle].deliveryID.rawValue < delivery.rawValue { low = middle + 1 } else { high = middle }
    }
    return low < shown.count && shown[low].deliveryID == delivery ? shown[low] : nil
  }

  /// Takes out an event; one that the scene has been shown gives its credit back.
  func remove(_ event: EventRecord) {
    if let index = shown.firstIndex(where: { $0 === event }) {
      shown.remove(at: index)
    } else if let index = waiting.firstIndex(where: { $0 === event }) {
      waiting.remove(at: index)
      waitingBytes -= event.size
    }
  }

  /// The next event that the scene is shown, if the credit allows one.
  func showNext() -> EventRecord? {
    guard shown.count < credit, !waiting.isEmpty else { return nil }
    let next = waiting.removeFirst()
    waitingBytes -= next.size
    shown.append(next)
    return next
  }

  /// Takes out all events, in their order.
  func removeAll() -> [EventRecord] {
    defer { (shown, waiting, waitingBytes) = ([], [], 0) }
    return shown + waiting
  }
}
