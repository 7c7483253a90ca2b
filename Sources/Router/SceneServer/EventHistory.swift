import RouterInterface
import SceneRouting

/// How much of each event's text the router remembers.
package enum HistoryDetail: String, Sendable, CaseIterable {
  /// No ended event is remembered.
  case off
  /// The text is kept up to 1024 bytes; the user, password, query and fragment of a URL are removed.
  case short
  /// The text is kept up to 1024 bytes; no other part of the text is removed.
  case full

  /// Returns the part of a text or URL that is kept; `nil` if nothing is kept.
  fileprivate func kept(_ text: String) -> String? {
    switch self {
    case .off: nil
    case .short: URLSyntax.isAbsolute(text) ? PrivateParts.removed(fromURL: text) : text
    case .full: text
    }
  }
}

/// The newest ended events, in the order of their routing.
struct EventHistory {
  /// An event that has ended.
  enum Entry {
    /// An event of this run of the service.
    case ended(EventSummary)
    /// A record that an earlier run wrote, and the length of the record's line in the file.
    case earlier(Wire.Record, length: Int)

    /// The id of an event of this run; `nil` for an event of an earlier run.
    ///
    /// Events of earlier runs were routed before all events of this run.
    var id: DecisionID? { if case .ended(let summary) = self { summary.id } else { nil } }

    /// Whether the event was routed after another event.
    func isNewer(than other: Entry) -> Bool { id?.rawValue ?? 0 > other.id?.rawValue ?? 0 }

    /// The approximate size of the entry in bytes.
    fileprivate var size: Int {
      switch self {
      case .ended(let summary): MemoryLayout<Self>.stride + summary.textSize
      case .earlier(_, let length): MemoryLayout<Self>.stride + length
      }
    }
  }

  /// The largest number of events that are kept; on a desktop, these are the events of some days.
  static let mostRecords = 10_000
  /// The largest total size of the kept events in bytes; it matters only if events have long texts.
  static let mostBytes = 8 << 20
  /// The largest number of bytes that are kept of an event's own text, which is more than people read.
  private static let textLength = 1024

  let detail: HistoryDetail
  private var entries: [Entry] = []
  /// The index of the oldest entry that is kept; the array can still have dropped entries before it.
  private var first = 0
  private var bytes = 0

  init(_ detail: HistoryDetail) { self.detail = detail }

  /// Adds an ended event, and drops the oldest events if there are too many.
  mutating func add(_ summary: consuming EventSummary) {
    guard detail != .off else { return }
    // The search begins at the newest event, because most events end in the order of their routing.
    var place = entries.count
    while place > first, let other = entries[place - 1].id, other.rawValue > summary.id.rawValue {
      place -= 1
    }
    add(.ended(summary), at: place)
  }

  /// Adds an event of an earlier run.
  ///
  /// This event must be newer than all events added so far.
  mutating func add(earlier record: Wire.Record, length: Int) {
    guard detail != .off else { return }
    // The earlier run may have kept whole texts, so the private parts of URLs are removed now.
    let record = detail == .short ? record.mappingTexts { detail.kept($0) ?? "" } : record
    add(.earlier(record, length: length), at: entries.count)
  }

  private mutating func add(_ entry: consuming Entry, at place: Int) {
    bytes += entry.size
    // Most entries go to the end. There `append` moves the entry, while `insert` would copy it.
    if place == entries.count { entries.append(entry) } else { entries.insert(entry, at: place) }
    while entries.count - first > Self.mostRecords || bytes > Self.mostBytes {
      bytes -= entries[first].size
      first += 1
    }
    // Dropped entries stay in the array until they are more than half of it. So their removal moves fewer entries than
    // it removes.
    if first > entries.count / 2 {
      entries.removeFirst(first)
      first = 0
    }
  }

  /// The events in reverse order of routing.
  var newestFirst: some Sequence<Entry> { entries[first...].lazy.reversed() }

  /// Returns the event with an id of this run; `nil` if the event is not kept.
  subscript(_ id: DecisionID) -> EventSummary? {
    var range = first..<entries.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      guard case .ended(let summary) = entries[middle], summary.id.rawValue >= id.rawValue else {
        range = middle + 1..<range.upperBound
        continue
      }
      if summary.id == id { return summary }
      range = range.lowerBound..<middle
    }
    return nil
  }

  mutating func removeAll() { self = EventHistory(detail) }

  /// Returns the record of an event that has ended.
  func summary(of sent: SentEvent, _ end: EventEnd, routedUSec: Int64, settledUSec: Int64) -> EventSummary {
    summary(of: sent, end.earlierAttempts, end.decision, end.settlement, routedUSec, settledUSec)
  }

  /// Returns the record of an event that is under way; `nil` before the first decision.
  func summary(of sent: SentEvent, _ progress: EventProgress, routedUSec: Int64) -> EventSummary? {
    var settled = progress.settledAttempts
    if let decision = progress.decision { return summary(of: sent, settled, decision, nil, routedUSec, nil) }
    guard let last = settled.popLast() else { return nil }
    return summary(of: sent, settled, last.decision, last.settlement, routedUSec, nil)
  }

  private func summary(
    of sent: SentEvent,
    _ earlierAttempts: [SettledAttempt],
    _ decision: Decision,
    _ settlement: Settlement?,
    _ routedUSec: Int64,
    _ settledUSec: Int64?
  ) -> EventSummary {
    EventSummary(
      id: sent.id,
      eventID: sent.eventID,
      text: detail == .off ? nil : text(of: sent.event),
      sender: sent.sender,
      routedUSec: routedUSec,
      settledUSec: settledUSec,
      earlierAttempts: earlierAttempts.map { EventSummary.Attempt($0.decision, $0.settlement, detail) },
      lastAttempt: EventSummary.Attempt(decision, settlement, detail)
    )
  }

  private func text(of event: Event) -> String? {
    guard let (text, field) = event.comparison else { return nil }
    let isURL = field != .targetContentIdentifier || URLSyntax.isAbsolute(text)
    return (detail == .short && isURL ? PrivateParts.removed(fromURL: text) : text).cut(to: Self.textLength)
  }
}

/// The record of an event that has ended or is under way.
struct EventSummary {
  /// An attempt to bring the event to a target: the decision and, once the attempt has ended, its result.
  struct Attempt {
    let generation: UInt64
    let rule: Rule?
    let applicationID: String?
    let applicationReason: ApplicationReason?
    let applicationSource: String?
    let declarationID: String?
    let matchedPattern: String?
    let sceneID: SceneID?
    /// The result of the attempt; `nil` if the attempt has not ended, or if no rule found a target.
    let result: SettlementResult?
    let reason: String?

    /// Makes an attempt from its decision and its settlement.
    ///
    /// `detail` says how much of the event's texts is kept.
    init(_ decision: Decision, _ settlement: Settlement?, _ detail: HistoryDetail) {
      generation = decision.generation
      rule = decision.rule
      applicationID = decision.applicationID
      declarationID = decision.declarationID
      applicationReason = decision.applicationReason
      applicationSource = decision.applicationSource.flatMap(detail.kept)
      matchedPattern = decision.matchedPattern.flatMap(detail.kept)
      if case .scene(let scene) = decision.destination {
        sceneID = scene
      } else {
        sceneID = settlement?.sceneID
      }
      result = settlement?.result
      reason = settlement?.reason
    }

    /// The approximate size, in bytes, of the texts that only this attempt has.
    fileprivate var textSize: Int {
      (applicationSource?.utf8.count ?? 0) + (matchedPattern?.utf8.count ?? 0) + (reason?.utf8.count ?? 0)
    }
  }

  let id: DecisionID
  let eventID: String?
  let text: String?
  let sender: Sender?
  /// The time of routing according to `CLOCK_REALTIME`, in microseconds.
  let routedUSec: Int64
  let settledUSec: Int64?
  let earlierAttempts: [Attempt]
  /// The last attempt.
  ///
  /// If the rules found no target for the event, this attempt has the decision that says so. The last attempt is stored
  /// apart from earlier attempts, because nearly all events have only one attempt.
  let lastAttempt: Attempt

  /// All attempts, in order.
  var attempts: [Attempt] { earlierAttempts + [lastAttempt] }

  /// The approximate size, in bytes, of what is stored outside of the record: the texts and the earlier attempts.
  fileprivate var textSize: Int {
    (eventID?.utf8.count ?? 0) + (text?.utf8.count ?? 0) + lastAttempt.textSize
      + earlierAttempts.reduce(0) { $0 + MemoryLayout<Attempt>.stride + $1.textSize }
  }
}

extension Wire.Record {
  /// Returns the record with `map` applied to each text that may come from the event's URL.
  fileprivate func mappingTexts(_ map: (String) -> String) -> Wire.Record {
    Wire.Record(
      decisionID: decisionID,
      eventID: eventID,
      comparisonString: comparisonString.map(map),
      routedUSec: routedUSec,
      settledUSec: settledUSec,
      senderProcessID: senderProcessID,
      senderName: senderName,
      senderApplicationID: senderApplicationID,
      attempts: attempts.map { attempt in
        Wire.Attempt(
          generation: attempt.generation,
          rule: attempt.rule,
          applicationID: attempt.applicationID,
          applicationBecause: attempt.applicationBecause,
          applicationSource: attempt.applicationSource,
          sceneID: attempt.sceneID,
          declarationID: attempt.declarationID,
          matchedPattern: attempt.matchedPattern.map(map),
          result: attempt.result,
          reason: attempt.reason
        )
      }
    )
  }
}

extension String {
  /// Returns the text, or its beginning and an ellipsis if the text has more than `length` bytes.
  fileprivate func cut(to length: Int) -> String {
    guard utf8.count > length else { return self }
    var end = utf8.index(startIndex, offsetBy: length)
    while end > startIndex, end.samePosition(in: self) == nil { utf8.formIndex(before: &end) }
    return String(self[..<end]) + "…"
  }
}
