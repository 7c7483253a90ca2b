import RouterInterface
import SceneRouting

package enum HistoryDetail: String, Sendable, CaseIterable {
  case off
  /// Up to 1024 bytes, without the user, password, query and fragment of a URL.
  case short
  /// Up to 1024 bytes, with all parts of a URL.
  case full

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
  enum Entry {
    case ended(EventSummary)
    /// A record of an earlier run, with the length of its line in the file.
    case earlier(EventRecord, length: Int)

    /// `nil` for an event of an earlier run, which was routed before all events of this run.
    var id: DecisionID? { if case .ended(let summary) = self { summary.id } else { nil } }

    var eventID: String? {
      switch self {
      case .ended(let event): event.eventID
      case .earlier(let event, _): event.eventID
      }
    }

    func isNewer(than other: Entry) -> Bool { id?.rawValue ?? 0 > other.id?.rawValue ?? 0 }

    fileprivate var size: Int {
      switch self {
      case .ended(let summary): MemoryLayout<Self>.stride + summary.textSize
      case .earlier(_, let length): MemoryLayout<Self>.stride + length
      }
    }
  }

  /// On a desktop, these are the events of some days.
  static let mostRecords = 10_000
  /// In bytes; this limit matters only if events have long texts.
  static let mostBytes = 8 << 20
  /// In bytes, which is more than people read.
  private static let textLength = 1024

  let detail: HistoryDetail
  private var entries: [Entry] = []
  /// The array can still have dropped entries before this index.
  private var first = 0
  private var bytes = 0

  init(_ detail: HistoryDetail) { self.detail = detail }

  mutating func add(_ summary: consuming EventSummary) {
    guard detail != .off else { return }
    // The search begins at the newest event, because most events end in the order of their routing.
    var place = entries.count
    while place > first, let other = entries[place - 1].id, other.rawValue > summary.id.rawValue {
      place -= 1
    }
    add(.ended(summary), at: place)
  }

  /// The event must be newer than all events added so far.
  mutating func add(earlier record: EventRecord, length: Int) {
    guard detail != .off else { return }
    // The earlier run may have kept whole texts, so the private parts of URLs are removed now.
    let record = detail == .short ? record.mappingTexts { detail.kept($0) ?? "" } : record
    add(.earlier(record, length: length), at: entries.count)
  }

  private mutating func add(_ entry: consuming Entry, at place: Int) {
    bytes += entry.size
    // Most entries go to the end, where `append` moves the entry, while `insert` would copy it.
    if place == entries.count { entries.append(entry) } else { entries.insert(entry, at: place) }
    while entries.count - first > Self.mostRecords || bytes > Self.mostBytes {
      bytes -= entries[first].size
      first += 1
    }
    // Dropped entries stay until they are more than half, so that their removal moves fewer entries than it removes.
    if first > entries.count / 2 {
      entries.removeFirst(first)
      first = 0
    }
  }

  var newestFirst: some Sequence<Entry> { entries[first...].lazy.reversed() }

  subscript(_ id: DecisionID) -> EventSummary? {
    let index = entries.partitionIndex(from: first) {
      if case .ended(let summary) = $0 { summary.id.rawValue < id.rawValue } else { true }
    }
    guard index < entries.count, case .ended(let summary) = entries[index], summary.id == id else {
      return nil
    }
    return summary
  }

  mutating func removeFirst(where isMeant: (Entry) -> Bool) {
    guard let index = entries[first...].firstIndex(where: isMeant) else { return }
    bytes -= entries.remove(at: index).size
  }

  mutating func removeAll() { self = EventHistory(detail) }

  func summary(of sent: SentEvent, _ end: EventEnd, routedUSec: Int64, settledUSec: Int64) -> EventSummary {
    summary(of: sent, end.earlierAttempts, end.decision, end.settlement, routedUSec, settledUSec)
  }

  /// `nil` before the first decision.
  func summary(of sent: SentEvent, _ progress: EventCourse, routedUSec: Int64) -> EventSummary? {
    var settled = progress.settledAttempts
    if let decision = progress.decision { return summary(of: sent, settled, decision, nil, routedUSec, nil) }
    guard let last = settled.popLast() else { return nil }
    return summary(of: sent, settled, last.decision, last.settlement, routedUSec, nil)
  }

  private func summary(
    of sent: SentEvent,
    _ earlierAttempts: [SettledAttempt],
    _ decision: Decision,
    _ settlement: AttemptEnd?,
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

struct EventSummary {
  struct Attempt {
    let generation: UInt64
    let rule: Rule?
    let applicationID: String?
    let applicationReason: ApplicationReason?
    let applicationSource: String?
    let declarationID: String?
    let matchedPattern: String?
    let sceneID: SceneID?
    /// `nil` if the attempt has not ended, or if no rule found a target.
    let result: SettlementResult?
    let reason: String?

    init(_ decision: Decision, _ settlement: AttemptEnd?, _ detail: HistoryDetail) {
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

    /// In bytes, approximately, of the texts that only this attempt has.
    fileprivate var textSize: Int {
      (applicationSource?.utf8.count ?? 0) + (matchedPattern?.utf8.count ?? 0) + (reason?.utf8.count ?? 0)
    }
  }

  let id: DecisionID
  let eventID: String?
  let text: String?
  let sender: Sender?
  /// By `CLOCK_REALTIME`.
  let routedUSec: Int64
  let settledUSec: Int64?
  let earlierAttempts: [Attempt]
  /// It is apart from earlier attempts, because nearly all events have only one; without a target, it has the decision.
  let lastAttempt: Attempt

  var attempts: [Attempt] { earlierAttempts + [lastAttempt] }

  /// In bytes, approximately, of what is stored outside of the record.
  fileprivate var textSize: Int {
    (eventID?.utf8.count ?? 0) + (text?.utf8.count ?? 0) + lastAttempt.textSize
      + earlierAttempts.reduce(0) { $0 + MemoryLayout<Attempt>.stride + $1.textSize }
  }
}

extension EventRecord {
  /// Applies `map` to each text that may come from the event's URL.
  fileprivate func mappingTexts(_ map: (String) -> String) -> EventRecord {
    EventRecord(
      decisionID: decisionID,
      eventID: eventID,
      comparisonString: comparisonString.map(map),
      routedUSec: routedUSec,
      settledUSec: settledUSec,
      senderProcessID: senderProcessID,
      senderName: senderName,
      senderApplicationID: senderApplicationID,
      attempts: attempts.map { attempt in
        EventRecord.Attempt(
          generation: attempt.generation,
          rule: attempt.rule,
          applicationID: attempt.applicationID,
          applicationBecause: attempt.applicationBecause,
          applicationSource: attempt.applicationSource,
          sceneID: attempt.sceneID,
          declarationID: attempt.declarationID,
          matchedPattern: attempt.matchedPattern.map(map),
          statedResult: attempt.statedResult,
          reason: attempt.reason
        )
      }
    )
  }
}

extension String {
  /// Ends the text with an ellipsis if it has more than `length` bytes.
  fileprivate func cut(to length: Int) -> String {
    guard utf8.count > length else { return self }
    var end = utf8.index(startIndex, offsetBy: length)
    while end > startIndex, end.samePosition(in: self) == nil { utf8.formIndex(before: &end) }
    return String(self[..<end]) + "…"
  }
}
