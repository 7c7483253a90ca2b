/// A binary heap; a settled attempt leaves its entry behind, because skipping it later takes less time than finding it.
struct DeadlineQueue {
  struct Entry {
    var time: UInt64
    var event: DecisionID
    /// Counted from 1.
    var attempt: Int
  }

  private var heap: [Entry] = []
  private var sizeAtLastSweep = 0

  /// No attempt has an earlier deadline; the time may be that of a settled attempt.
  var first: UInt64? { heap.first?.time }

  mutating func insert(_ entry: Entry, _ events: borrowing IDTable<DecisionID, PendingEvent?>) {
    if heap.count > 2 * sizeAtLastSweep + 64 { sweep(events) }
    heap.append(entry)
    siftUp(heap.count - 1)
  }

  /// `nil` if no attempt is under way, or if the deadline is after `now`.
  mutating func popDue(at now: UInt64, _ events: borrowing IDTable<DecisionID, PendingEvent?>)
    -> PendingEvent?
  {
    trim(events)
    guard let first = heap.first, first.time <= now else { return nil }
    removeFirst()
    return events[first.event] ?? nil
  }

  /// Makes ``first`` the deadline of an attempt under way.
  mutating func trim(_ events: borrowing IDTable<DecisionID, PendingEvent?>) {
    while let first = heap.first, !Self.isUnderWay(first, events) { removeFirst() }
  }

  private mutating func sweep(_ events: borrowing IDTable<DecisionID, PendingEvent?>) {
    heap = heap.filter { Self.isUnderWay($0, events) }
    sizeAtLastSweep = heap.count
    for index in heap.indices.reversed() { siftDown(index) }
  }

  private static func isUnderWay(_ entry: Entry, _ events: borrowing IDTable<DecisionID, PendingEvent?>)
    -> Bool
  {
    (events[entry.event] ?? nil)?.attemptNumber == entry.attempt
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown(0)
  }

  private mutating func siftUp(_ start: Int) {
    var index = start
    while index > 0, heap[index].time < heap[(index - 1) / 2].time {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown(_ start: Int) {
    var index = start
    while true {
      let left = 2 * index + 1
      guard left < heap.count else { return }
      let right = left + 1
      let child = right < heap.count && heap[right].time < heap[left].time ? right : left
      guard heap[child].time < heap[index].time else { return }
      heap.swapAt(index, child)
      index = child
    }
  }
}
