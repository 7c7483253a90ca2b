/// The deliveries of one open scene, in the order in which their events were routed.
///
/// Limits keep the lists of shown and of waiting events short, so that a linear search is fast enough.
final class DeliveryQueue {
  /// The greatest number of unsettled deliveries that the scene accepts at the same time.
  private let credit: Int
  /// The events shown to the scene.
  ///
  /// The ids of their deliveries ascend.
  private var shown: [EventRecord] = []
  /// The events that wait because the scene has as many unsettled deliveries as its credit allows.
  private var waiting: [EventRecord] = []
  /// The sum of the sizes of the waiting events, in bytes.
  private var waitingBytes = 0

  init(credit: Int) { self.credit = credit }

  var pendingCount: Int { shown.count + waiting.count }

  /// The limit that one more event of `size` bytes would exceed; `nil` if the event can be added.
  ///
  /// An event that is shown to the scene at once exceeds no limit, because the limits are for waiting events.
  func limitReached(by size: Int, _ limits: Limits) -> Limit? {
    if shown.count < credit { return nil }
    if waiting.count >= limits.pendingDeliveriesPerScene { return .pendingDeliveriesPerScene }
    return waitingBytes + size > limits.pendingBytesPerScene ? .pendingBytesPerScene : nil
  }

  /// Adds an event at the end.
  ///
  /// Returns true if the event is shown to the scene now, and false if the event waits.
  func append(_ event: EventRecord) -> Bool {
    guard shown.count >= credit else {
      shown.append(event)
      return true
    }
    waiting.append(event)
    waitingBytes += event.size
    return false
  }

  /// The event of a delivery that has been shown to the scene.
  func shownEvent(_ delivery: DeliveryID) -> EventRecord? {
    var low = 0
    var high = shown.count
    while low < high {
      let middle = (low + high) / 2
      if shown[middle].deliveryID.rawValue < delivery.rawValue { low = middle + 1 } else { high = middle }
    }
    return low < shown.count && shown[low].deliveryID == delivery ? shown[low] : nil
  }

  /// Removes an event.
  ///
  /// The removal of a shown event lets the scene get one more event.
  func remove(_ event: EventRecord) {
    if let index = shown.firstIndex(where: { $0 === event }) {
      shown.remove(at: index)
    } else if let index = waiting.firstIndex(where: { $0 === event }) {
      waiting.remove(at: index)
      waitingBytes -= event.size
    }
  }

  /// Moves the first waiting event to the shown events and returns it.
  ///
  /// Returns `nil` if the credit is used up or no event waits.
  func showNext() -> EventRecord? {
    guard shown.count < credit, !waiting.isEmpty else { return nil }
    let next = waiting.removeFirst()
    waitingBytes -= next.size
    shown.append(next)
    return next
  }

  /// Removes all events and returns them: first the shown events, then the waiting events.
  func removeAll() -> [EventRecord] {
    defer { (shown, waiting, waitingBytes) = ([], [], 0) }
    return shown + waiting
  }
}
