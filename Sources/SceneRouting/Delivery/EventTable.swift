/// A place in the table of events, reused after its event has ended.
typealias EventSlot = Int32

/// The events on their way.
///
/// A record keeps its place for as long as it is here, so that what works on an event finds it without a search.
struct EventTable {
  /// Stands where there is no event.
  static let none: EventSlot = -1
  /// Up to as many vacant places are kept for a next burst of events: half a megabyte.
  private static let keptCount = 1024

  private var records: [EventRecord] = []
  private var slots: IDTable<EventSlot>
  private var vacant: [EventSlot] = []

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
    entry.slot < records.count && self[entry.slot].id == entry.event
      && self[entry.slot].attemptNumber == entry.attempt
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
    vacant.append(slot)
    guard slots.count == 0, records.count > Self.keptCount else { return }
    (records, vacant) = ([], [])
  }

  private mutating func takePlace(for id: DecisionID) -> EventSlot {
    let slot = vacant.popLast() ?? EventSlot(records.count)
    if slot == records.count { records.append(EventRecord.vacant) }
    slots.insert(slot, for: id.rawValue)
    return slot
  }
}
