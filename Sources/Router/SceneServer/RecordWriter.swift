import RouterInterface
import SceneRouting
import Varlink

/// Writes waiting records together, a second after the last write or when many wait.
struct RecordWriter: ~Copyable {
  /// In microseconds; if the service is killed, only the records of this time are lost.
  private static let interval: UInt64 = 1_000_000
  /// A write of so many takes less than a millisecond.
  private static let mostRecords = 256

  private var files: RecordFiles
  private var writer = JSONWriter()
  /// In the order of the events' ends.
  private var waiting: [DecisionID] = []
  private var lastWrite: UInt64?
  /// Whether a write is due and has not begun.
  private(set) var isDue = false

  init(_ files: consuming RecordFiles) { self.files = files }

  /// `nil` if no record waits, or if a write is already due.
  var nextWrite: UInt64? {
    guard let lastWrite, !waiting.isEmpty, !isDue else { return nil }
    return lastWrite + Self.interval
  }

  var hasWaiting: Bool { !waiting.isEmpty }

  /// Returns whether a write has become due.
  mutating func add(_ event: DecisionID, at now: UInt64) -> Bool {
    waiting.append(event)
    return becomesDue(at: now)
  }

  /// True only for the first check after a write has become due.
  mutating func becomesDue(at now: UInt64) -> Bool {
    guard !isDue, !waiting.isEmpty else { return false }
    isDue = waiting.count >= Self.mostRecords || lastWrite.map { $0 + Self.interval <= now } ?? true
    return isDue
  }

  mutating func takeWaiting(at now: UInt64) -> [DecisionID] {
    let taken = waiting.prefix(Self.mostRecords)
    waiting.removeFirst(taken.count)
    lastWrite = now
    isDue = waiting.count >= Self.mostRecords
    return Array(taken)
  }

  mutating func write(_ records: [EventRecord]) throws(StateFileError) {
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

  mutating func remove(_ decisionID: String) throws(StateFileError) { try files.remove(decisionID) }

  /// What waits is written only if it is still in the history.
  mutating func removeAll() throws(StateFileError) { try files.removeAll() }
}
