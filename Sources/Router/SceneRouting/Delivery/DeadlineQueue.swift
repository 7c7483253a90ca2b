/// The deadlines of all attempts under way, the earliest first.
///
/// This is a binary heap. A settled attempt leaves its entry behind, because finding the entry would take longer than
/// skipping it later. When most entries belong to settled attempts, the heap is rebuilt without these entries.
struct DeadlineQueue {
  struct Entry {
    var time: UInt64
    var event: DecisionID
    /// The number of the attempt among the event's attempts, counted from 1.
    var attempt: Int
  }

  private var heap: [Entry] = []
  private var sizeAtLastSweep = 0

  /// The earliest time in the queue; `nil` if the queue is empty.
  ///
  /// No attempt has an earlier deadline. The time may belong to an entry that a settled attempt left behind.
  var first: UInt64? { heap.first?.time }

  /// Adds a deadline.
  ///
  /// First removes the entries of settled attempts if the queue has grown a lot since the last such removal.
  mutating func insert(_ entry: Entry, _ events: borrowing IDTable<EventRecord?>) {
    if heap.count > 2 * sizeAtLastSweep + 64 { sweep(events) }
    heap.append(entry)
    siftUp(heap.count - 1)
  }

  /// Removes the earliest deadline of an attempt under way, and returns the attempt's event.
  ///
  /// Returns `nil` if no attempt is under way, or if the deadline is after `now`.
  mutating func popDue(at now: UInt64, _ events: borrowing IDTable<EventRecord?>) -> EventRecord? {
    trim(events)
    guard let first = heap.first, first.time <= now else { return nil }
    removeFirst()
    return events[first.event.rawValue] ?? nil
  }

  /// Removes the entries of settled attempts from the front, so that ``first`` is the deadline of an attempt under way.
  mutating func trim(_ events: borrowing IDTable<EventRecord?>) {
    while let first = heap.first, !Self.isUnderWay(first, events) { removeFirst() }
  }

  /// Removes the entries of all settled attempts.
  ///
  /// The new heap needs only the memory of the entries that are left.
  private mutating func sweep(_ events: borrowing IDTable<EventRecord?>) {
    heap = heap.filter { Self.isUnderWay($0, events) }
    sizeAtLastSweep = heap.count
    for index in heap.indices.reversed() { siftDown(index) }
  }

  /// Whether the entry's attempt is not settled yet.
  private static func isUnderWay(_ entry: Entry, _ events: borrowing IDTable<EventRecord?>) -> Bool {
    (events[entry.event.rawValue] ?? nil)?.attemptNumber == entry.attempt
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
