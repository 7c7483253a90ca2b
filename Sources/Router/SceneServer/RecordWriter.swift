import RouterInterface
import SceneRouting
import Varlink

/// Writes the records of ended events to files.
///
/// A record is written immediately if there was no write within the last second. Otherwise it waits until the second is
/// over or many records wait. The records that wait are written together.
struct RecordWriter: ~Copyable {
  /// One second, so that the history loses at most one second of records if the service is killed.
  private static let interval: UInt64 = 1_000_000
  /// The most records of one write, so that a write takes less than a millisecond.
  private static let mostRecords = 256

  private var files: RecordFiles
  private var writer = JSONWriter()
  /// The events whose records wait, in the order in which the events ended.
  private var waiting: [DecisionID] = []
  private var lastWrite: UInt64?
  /// Whether `add` or `becomesDue` has asked for a write that has not begun.
  private(set) var isDue = false

  init(_ files: consuming RecordFiles) { self.files = files }

  /// The time at which the records that wait are to be written; `nil` if none waits, or if a write is due.
  var nextWrite: UInt64? {
    guard let lastWrite, !waiting.isEmpty, !isDue else { return nil }
    return lastWrite + Self.interval
  }

  /// Whether records wait.
  var hasWaiting: Bool { !waiting.isEmpty }

  /// Adds an event whose record is to be written; returns whether a write has become due.
  mutating func add(_ event: DecisionID, at now: UInt64) -> Bool {
    waiting.append(event)
    return becomesDue(at: now)
  }

  /// Returns whether a write has become due; returns true only once for a write.
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

  /// Removes all records that were written and forgets the records that wait.
  mutating func removeAll() throws(StateFileError) {
    waiting = []
    isDue = false
    try files.removeAll()
  }
}
