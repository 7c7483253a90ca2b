/// A place in the table of events, reused after its event is gone.
typealias EventSlot = Int32

/// The events on their way, and the ended ones that are remembered.
///
/// A record keeps its place as long as it is here, so that what works on an event finds it without a search.
struct EventTable {
  /// Stands where there is no event.
  static let none: EventSlot = -1

  private var records = PagedArray<EventRecord>()
  private var slots: IDTable<EventSlot>
  /// The vacant places, each of which links to the next.
  private var firstVacant = Self.none

  init(seed: UInt64) { slots = IDTable(vacant: Self.none, seed: seed) }

  subscript(slot: EventSlot) -> EventRecord {
    @inline(__always) _read { yield records[Int(slot)] }
    @inline(__always) _modify { yield &records[Int(slot)] }
  }

  /// All events, in the order in which they were accepted.
  var all: [EventSlot] {
    (0..<EventSlot(records.count)).filter { !self[$0].isVacant }
      .sorted { self[$0].id.rawValue < self[$1].id.rawValue }
  }

  func slot(of id: DecisionID) -> EventSlot? { slots[id.rawValue] }

  /// Whether an attempt has neither ended nor been followed by another.
  func isUnderWay(_ entry: DeadlineQueue.Entry) -> Bool {
    self[entry.slot].id == entry.event && self[entry.slot].isUnderWay(attempt: entry.attempt)
  }

  // Inlined, so that the record is made in its place.
  @inline(__always)
  mutating func insert(_ record: consuming EventRecord) -> EventSlot {
    let slot = takePlace(for: record.id)
    self[slot] = record
    return slot
  }

  mutating func remove(_ slot: EventSlot) {
    slots.remove(self[slot].id.rawValue)
    self[slot] = EventRecord.vacant
    self[slot].links.next = firstVacant
    firstVacant = slot
  }

  private mutating func takePlace(for id: DecisionID) -> EventSlot {
    if firstVacant == Self.none {
      firstVacant = EventSlot(records.count)
      records.append(EventRecord.vacant)
    }
    let slot = firstVacant
    firstVacant = self[slot].links.next
    slots.insert(slot, for: id.rawValue)
    return slot
  }
}
