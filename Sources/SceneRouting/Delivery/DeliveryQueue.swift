/// The deliveries of one scene: those it has been shown, then those that wait for its credit.
///
/// A chain through the records of their events, in the order in which they were routed.
struct DeliveryQueue {
  /// Where an event stands in the chain.
  struct Links {
    var previous = EventTable.none
    var next = EventTable.none
  }

  /// How many unsettled deliveries the scene wants to see at once; 0 once it is closed.
  private(set) var credit: Int
  private(set) var shownCount = 0
  private(set) var waitingCount = 0
  private var first = EventTable.none
  private var last = EventTable.none
  private var firstWaiting = EventTable.none

  init(credit: Int) { self.credit = credit }

  var pendingCount: Int { shownCount + waitingCount }

  /// The first that is not settled.
  var firstPending: EventSlot? { first == EventTable.none ? nil : first }

  var isClosed: Bool { credit == 0 }

  /// Shows no more, as the scene is gone; those that are left go on one after the other.
  mutating func close() { credit = 0 }

  /// Adds a delivery at the end.
  mutating func wait(_ slot: EventSlot, _ events: inout EventTable) {
    events[slot].links = Links(previous: last)
    if last == EventTable.none { first = slot } else { events[last].links.next = slot }
    last = slot
    if firstWaiting == EventTable.none { firstWaiting = slot }
    waitingCount += 1
  }

  /// Forgets a delivery, which gives its credit back if it was shown.
  mutating func remove(_ slot: EventSlot, wasShown: Bool, _ events: inout EventTable) {
    let links = events[slot].links
    if slot == first { first = links.next } else { events[links.previous].links.next = links.next }
    if slot == last { last = links.previous } else { events[links.next].links.previous = links.previous }
    if slot == firstWaiting { firstWaiting = links.next }
    if wasShown { shownCount -= 1 } else { waitingCount -= 1 }
  }

  /// The next delivery to show, if the credit allows one.
  mutating func showNext(_ events: EventTable) -> EventSlot? {
    guard shownCount < credit, firstWaiting != EventTable.none else { return nil }
    let slot = firstWaiting
    firstWaiting = events[slot].links.next
    waitingCount -= 1
    shownCount += 1
    return slot
  }
}
