import RouterInterface
import SceneRouting
import Varlink

/// Writes the records of ended events to files.
///
/// A record is written immediately if there was no write within the last second. Otherwise the record waits until a
/// second has passed after the last write, or until many records wait. The waiting records are written together.
struct RecordWriter: ~Copyable {
  /// The longest time that a record waits: one second, in microseconds.
  ///
  /// If the service is killed, only the records that have not been written yet are lost.
  private static let interval: UInt64 = 1_000_000
  /// The largest number of records in one write; such a write takes less than a millisecond.
  private static let mostRecords = 256

  private var files: RecordFiles
  private var writer = JSONWriter()
  /// The events whose records wait, in the order of the events' ends.
  private var waiting: [DecisionID] = []
  private var lastWrite: UInt64?
  /// Whether a write is due and has not begun.
  private(set) var isDue = false

  init(_ files: consuming RecordFiles) { self.files = files }

  /// The time of the next write; `nil` if no record waits, or if a write is already due.
  var nextWrite: UInt64? {
    guard let lastWrite, !waiting.isEmpty, !isDue else { return nil }
    return lastWrite + Self.interval
  }

  /// Whether the records of some events have not been written yet.
  var hasWaiting: Bool { !waiting.isEmpty }

  /// Adds an event whose record is to be written; returns whether a write has become due.
  mutating func add(_ event: DecisionID, at now: UInt64) -> Bool {
    waiting.append(event)
    return becomesDue(at: now)
  }

  /// Checks whether records are to be written now.
  ///
  /// Returns `true` only for the first check after a write has become due.
  mutating func becomesDue(at now: UInt64) -> Bool {
    guard !isDue, !waiting.isEmpty else { return false }
    isDue = waiting.count >= Self.mostRecords || lastWrite.map { $0 + Self.interval <= now } ?? true
    return isDue
  }

  /// Takes out the events whose records are to be written now.
  mutating func takeWaiting(at now: UInt64) -> [DecisionID] {
    let taken = waiting.prefix(Self.mostRecords)
    waiting.removeFirst(taken.count)
    lastWrite = now
    isDue = waiting.count >= Self.mostRecords
    return Array(taken)
  }

  /// Writes records.
  mutating func write(_ records: [Wire.Record]) throws(StateFileError) {
    guard !records.isEmpty else { return }
    var lines: [UInt8] = []
    for record in records {
      record.encode(to: &writer)
      lines.append(contentsOf: writer.bytes)
      lines.append(UInt8(ascii: "\n"))
      writer.removeAll()
    }
    try files.append(lines, count: records.count)
  }

  /// Removes all written records, and forgets the waiting records.
  mutating func removeAll() throws(StateFileError) {
    waiting = []
    isDue = false
    try files.removeAll()
  }
}
