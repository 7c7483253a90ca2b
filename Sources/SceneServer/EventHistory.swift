import SceneRouting

/// How much is remembered of what events said.
package enum HistoryDetail: String, Sendable, CaseIterable {
  /// Nothing is remembered of events that have ended.
  case off
  /// URLs without user, query and fragment.
  case short
  /// All.
  case full
}

/// The last events that have ended: what they said in short, and each attempt.
struct EventHistory {
  /// How many are kept: those of some days of a desktop.
  private static let mostRecords = 10_000
  /// Bytes of all that are kept, where their texts are long.
  private static let mostBytes = 8 << 20
  /// Bytes of a text that are kept: more than people read of it.
  private static let textLength = 1024

  let detail: HistoryDetail
  private var records: [EventSummary] = []
  /// The oldest record: those before it have been dropped.
  private var first = 0
  private var bytes = 0

  init(_ detail: HistoryDetail) { self.detail = detail }

  /// Adds an event that has ended, and drops the oldest if there are too many.
  mutating func add(_ record: EventSummary) {
    guard detail != .off else { return }
    records.append(record)
    bytes += record.size
    while records.count - first > Self.mostRecords || bytes > Self.mostBytes {
      bytes -= records[first].size
      first += 1
    }
    // Half of the array at a time, so that a record is moved twice at most.
    if first > records.count / 2 {
      records.removeFirst(first)
      first = 0
    }
  }

  /// Those kept, the newest first.
  var newestFirst: some Sequence<EventSummary> { records[first...].lazy.reversed() }

  mutating func removeAll() { self = EventHistory(detail) }

  /// What is shown of an event that has ended, or of one under way.
  func summary(of sent: SentEvent, _ progress: EventProgress, routedUSec: Int64, settledUSec: Int64? = nil)
    -> EventSummary
  {
    let showsTexts = detail != .off
    var attempts = progress.settledAttempts.map {
      EventSummary.Attempt($0.decision, $0.settlement, showsTexts: showsTexts)
    }
    let unsettled = progress.decision ?? (attempts.isEmpty ? progress.end?.decision : nil)
    if let unsettled { attempts.append(EventSummary.Attempt(unsettled, showsTexts: showsTexts)) }
    return EventSummary(
      id: sent.id,
      eventID: sent.eventID,
      text: showsTexts ? text(of: sent.event) : nil,
      processID: sent.client.processID,
      routedUSec: routedUSec,
      settledUSec: settledUSec,
      attempts: attempts
    )
  }

  private func text(of event: Event) -> String? {
    guard let (text, field) = event.comparison else { return nil }
    let isPrivate = detail == .short && field != .targetContentIdentifier
    return (isPrivate ? Self.withoutPrivateParts(text) : text).cut(to: Self.textLength)
  }

  /// A URL without user, password, query and fragment.
  private static func withoutPrivateParts(_ url: String) -> String {
    let bytes = url.utf8
    let end = bytes.firstIndex { "?#".utf8.contains($0) } ?? bytes.endIndex
    guard let slashes = url[..<end].firstRange(of: "://"),
      let at = bytes[slashes.upperBound..<end].prefix(while: { !"/\\".utf8.contains($0) })
        .lastIndex(of: UInt8(ascii: "@"))
    else { return end == bytes.endIndex ? url : String(url[..<end]) }
    return String(url[..<slashes.upperBound]) + url[bytes.index(after: at)..<end]
  }
}

/// What is known of an event afterwards, or while it is under way.
struct EventSummary {
  /// A target that was tried.
  struct Attempt {
    let generation: UInt64
    let rule: Rule?
    let applicationID: String?
    let declarationID: String?
    let matchedPattern: String?
    let sceneID: SceneID?
    /// How it ended; `nil` if it has not, or if no rule found a target.
    let result: SettlementResult?
    let reason: String?

    /// The attempt that a decision led to; its identifier only if `showsTexts`.
    init(_ decision: Decision, _ settlement: Settlement? = nil, showsTexts: Bool) {
      generation = decision.generation
      rule = decision.rule
      applicationID = decision.applicationID
      declarationID = decision.declarationID
      matchedPattern = showsTexts ? decision.matchedPattern : nil
      if case .scene(let scene) = decision.destination {
        sceneID = scene
      } else {
        sceneID = settlement?.sceneID
      }
      result = settlement?.result
      reason = settlement?.reason
    }

    fileprivate var size: Int {
      MemoryLayout<Attempt>.stride + (matchedPattern?.utf8.count ?? 0) + (reason?.utf8.count ?? 0)
    }
  }

  let id: DecisionID
  let eventID: String?
  let text: String?
  let processID: Int32?
  /// `CLOCK_REALTIME`, in microseconds.
  let routedUSec: Int64
  let settledUSec: Int64?
  /// In order; of an event that was not routed the decision that said so.
  let attempts: [Attempt]

  /// Bytes that it takes, about.
  fileprivate var size: Int {
    MemoryLayout<EventSummary>.stride + (eventID?.utf8.count ?? 0) + (text?.utf8.count ?? 0)
      + attempts.reduce(0) { $0 + $1.size }
  }
}

extension String {
  /// The text, or its beginning and an ellipsis if it has more than `length` bytes.
  fileprivate func cut(to length: Int) -> String {
    guard utf8.count > length else { return self }
    var end = utf8.index(startIndex, offsetBy: length)
    while end > startIndex, end.samePosition(in: self) == nil { utf8.formIndex(before: &end) }
    return String(self[..<end]) + "…"
  }
}
