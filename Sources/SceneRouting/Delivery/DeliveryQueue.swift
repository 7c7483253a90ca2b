/// The deliveries of one open scene, in the order in which their events were routed.
///
/// Limits keep both lists so short that a search in them costs nothing.
struct DeliveryQueue {
  /// How many unsettled deliveries the scene wants to see at once.
  let credit: Int
  /// The events that the scene has been shown.
  private(set) var shown: [EventSlot] = []
  /// The events that wait for the scene's credit.
  private(set) var waiting: [EventSlot] = []
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

  /// Adds an event at the end.
  mutating func append(_ slot: EventSlot, size: Int) {
    waiting.append(slot)
    waitingBytes += size
  }

  /// Takes out an event that the scene has been shown, which gives its credit back.
  mutating func removeShown(_ slot: EventSlot) {
    if let index = shown.firstIndex(of: slot) { shown.remove(at: index) }
  }

  /// Takes out an event that waits.
  mutating func removeWaiting(_ slot: EventSlot, size: Int) {
    guard let index = waiting.firstIndex(of: slot) else { return }
    waiting.remove(at: index)
    waitingBytes -= size
  }

  /// The next event to show, if the credit allows one.
  var next: EventSlot? { shown.count < credit ? waiting.first : nil }

  /// Notes that the next event has been shown.
  mutating func showNext(size: Int) {
    shown.append(waiting.removeFirst())
    waitingBytes -= size
  }
}
