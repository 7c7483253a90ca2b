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
    let index = shown.partitionIndex { $0.deliveryID.rawValue < delivery.rawValue }
    return index < shown.count && shown[index].deliveryID == delivery ? shown[index] : nil
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

/// Ends are kept for the error reply to a client that answers too late; an id replaces an older id in the same place.
struct RecentOutcomes<Value: Sendable>: Sendable {
  private struct Place {
    var id: UInt64
    var value: Value
  }

  /// Far more than a client usually has under way; the ring takes up to 100 KB of memory.
  private static var size: Int { 4096 }
  private var places: [Place?] = []

  subscript(id: UInt64) -> Value? {
    get {
      guard !places.isEmpty, let place = places[Int(id % UInt64(Self.size))], place.id == id else {
        return nil
      }
      return place.value
    }
    set {
      if places.isEmpty { places = [Place?](repeating: nil, count: Self.size) }
      places[Int(id % UInt64(Self.size))] = newValue.map { Place(id: id, value: $0) }
    }
  }
}
