import Logging
import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

extension RouterService {
  /// The number of records listed without a `limit`, as documented in the interface.
  private static let defaultRecords = 20

  /// Logs an event that has ended, and remembers it.
  func remember(_ sent: SentEvent, _ end: EventEnd) {
    let now = RealTimeClock.now
    let summary = history.summary(
      of: sent,
      end,
      routedUSec: now - age(of: sent),
      settledUSec: now
    )
    if logsEvents { log.info("\(sentence(for: summary))", metadata: metadata(of: summary)) }
    history.add(summary)
  }

  func listRecords(_ call: Wire.ListRecords, _ id: CallID) -> [Effect] {
    let now = RealTimeClock.now
    let underWay = router.eventsUnderWay.lazy.compactMap { [history] sent, progress in
      history.summary(of: sent, progress, routedUSec: now - self.age(of: sent))
    }
    let decision = call.decisionID.map { ids.decision($0) ?? DecisionID(rawValue: 0) }
    func isAskedFor(_ summary: EventSummary) -> Bool {
      (decision ?? summary.id) == summary.id && (call.eventID == nil || call.eventID == summary.eventID)
    }
    let limit = call.limit.map { Int($0) } ?? Self.defaultRecords
    let newest = Array(underWay.filter(isAskedFor).prefix(limit))
    let ended = history.newestFirst.filter(isAskedFor).prefix(limit - newest.count)
    reply(id, Wire.ListRecords.Reply(records: (newest + ended).map { Wire.Record($0, ids) }))
    return []
  }

  func clearRecords(_ id: CallID) -> [Effect] {
    history.removeAll()
    port.reply(to: id, NoParameters())
    return []
  }

  /// Returns the microseconds since an event was accepted.
  private func age(of sent: SentEvent) -> Int64 { Int64(MonotonicClock.now - sent.acceptedAt) }

  /// Returns the log message about the end of an event.
  private func sentence(for summary: EventSummary) -> String {
    let event = "Event \(ids.text(summary.id))" + (summary.text.map { " '\($0)'" } ?? "")
    let attempt = summary.lastAttempt
    guard let rule = attempt.rule else {
      return "\(event) was not routed."
    }
    let target =
      attempt.sceneID.map { "scene \(ids.text($0))" } ?? "declaration '\(attempt.declarationID ?? "")'"
    return
      "\(event): \(attempt.result?.rawValue ?? "") by \(target) of '\(attempt.applicationID ?? "")' (\(rule.rawValue))."
  }

  /// Returns the fields of the message, for programs that search the journal.
  private func metadata(of summary: EventSummary) -> Logger.Metadata {
    let attempt = summary.lastAttempt
    let fields: [String: String?] = [
      "decision": ids.text(summary.id),
      "event": summary.eventID,
      "comparison_string": summary.text,
      "sender_process": summary.sender.map { String($0.processID) },
      "sender_name": summary.sender?.name,
      "sender_application": summary.sender?.applicationID,
      "attempts": String(summary.attempts.count),
      "generation": String(attempt.generation),
      "rule": attempt.rule?.rawValue,
      "identifier": attempt.matchedPattern,
      "application": attempt.applicationID,
      "declaration": attempt.declarationID,
      "scene": attempt.sceneID.map { ids.text($0) },
      "result": attempt.result?.rawValue ?? Wire.Attempt.notRouted,
      "reason": attempt.reason,
    ]
    return fields.compactMapValues { $0.map { .string($0) } }
  }
}

extension Wire.Attempt {
  /// The result of an event for which no rule found a target.
  fileprivate static let notRouted = "notRouted"

  fileprivate init(_ attempt: EventSummary.Attempt, _ ids: PublicIDs) {
    self.init(
      generation: Int64(attempt.generation),
      rule: attempt.rule?.rawValue,
      applicationID: attempt.applicationID,
      sceneID: attempt.sceneID.map { ids.text($0) },
      declarationID: attempt.declarationID,
      matchedPattern: attempt.matchedPattern,
      result: attempt.result?.rawValue ?? (attempt.rule == nil ? Self.notRouted : nil),
      reason: attempt.reason
    )
  }
}

extension Wire.Record {
  fileprivate init(_ summary: EventSummary, _ ids: PublicIDs) {
    self.init(
      decisionID: ids.text(summary.id),
      eventID: summary.eventID,
      comparisonString: summary.text,
      routedUSec: summary.routedUSec,
      settledUSec: summary.settledUSec,
      senderProcessID: summary.sender.map { Int64($0.processID) },
      senderName: summary.sender?.name,
      senderApplicationID: summary.sender?.applicationID,
      attempts: summary.attempts.map { Wire.Attempt($0, ids) }
    )
  }
}
