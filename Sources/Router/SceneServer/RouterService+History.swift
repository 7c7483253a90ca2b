import Logging
import RouterInterface
import SceneRouting
import Varlink
import VarlinkServer

extension RouterService {
  /// The interface documents this number.
  private static let defaultRecords = 20

  func addToHistory(_ sent: SentEvent, _ end: EventEnd) {
    let now = RealTimeClock.now
    let summary = history.summary(
      of: sent,
      end,
      routedUSec: now - age(of: sent),
      settledUSec: now
    )
    if logsEvents { log(summary) }
    history.add(consume summary)
    if recordWriter?.add(sent.id, at: MonotonicClock.now) == true { writeRecordsSoon() }
  }

  func listRecords(_ call: Wire.ListRecordsCall, _ id: CallID) -> [Effect] {
    let now = RealTimeClock.now
    let isOfDecision = call.decisionID.map(isOf)
    func isAskedFor(_ entry: EventHistory.Entry) -> Bool {
      (isOfDecision?(entry) ?? true) && (call.eventID == nil || call.eventID == entry.eventID)
    }
    var underWay = router.eventsUnderWay.lazy.compactMap { [history] sent, progress in
      history.summary(of: sent, progress, routedUSec: now - self.age(of: sent)).map { .ended($0) }
    }.filter(isAskedFor)[...]
    let limit = call.limit.map { Int($0) } ?? Self.defaultRecords
    var newest: [EventHistory.Entry] = []
    for entry in history.newestFirst.lazy.filter(isAskedFor).prefix(limit) {
      while let other = underWay.first, other.isNewer(than: entry) { newest.append(underWay.removeFirst()) }
      newest.append(entry)
    }
    let records = (newest + underWay).prefix(limit).map { EventRecord($0, ids) }
    reply(id, Wire.ListRecordsCall.Reply(records: records))
    return []
  }

  func clearRecords(_ call: Wire.ClearRecordsCall, _ id: CallID) -> [Effect] {
    do throws(StateFileError) {
      if let decision = call.decisionID {
        history.removeFirst(where: isOf(decision))
        try recordWriter?.remove(decision)
      } else {
        history.removeAll()
        try recordWriter?.removeAll()
      }
    } catch {
      stopWriting(because: error)
    }
    port.reply(to: id, NoParameters())
    return []
  }

  private func isOf(_ decisionID: String) -> (EventHistory.Entry) -> Bool {
    let decision = ids.decision(decisionID)
    return { entry in
      switch entry {
      case .ended(let event): event.id == decision
      case .earlier(let event, _): event.decisionID == decisionID
      }
    }
  }

  func keepRecords(in directory: String) {
    guard history.detail != .off else { return RecordFiles.remove(in: directory) }
    do throws(StateFileError) {
      var files = try RecordFiles(in: directory)
      let lines = try files.read { log.warning("A part of the history is lost: \($0)") }
      for line in lines { history.add(earlier: line.record, length: line.length) }
      recordWriter = RecordWriter(files)
    } catch {
      stopWriting(because: error)
    }
  }

  /// If many records still wait, a new piece of work will write them.
  func writeRecords() {
    guard let ended = recordWriter?.takeWaiting(at: MonotonicClock.now) else { return }
    let records = ended.compactMap { history[$0] }.map { EventRecord($0, ids) }
    do throws(StateFileError) {
      try recordWriter?.write(records)
      if recordWriter?.isDue == true { writeRecordsSoon() }
    } catch {
      stopWriting(because: error)
    }
  }

  private func stopWriting(because error: StateFileError) {
    recordWriter = nil
    log.warning("The history is kept in memory only: \(error)")
  }

  private func log(_ summary: borrowing EventSummary) {
    let (sentence, metadata) = (sentence(for: summary), metadata(of: summary))
    log.info("\(sentence)", metadata: metadata)
  }

  /// In microseconds, from the time when the event was accepted.
  private func age(of sent: SentEvent) -> Int64 { Int64(MonotonicClock.now - sent.acceptedAt) }

  private func sentence(for summary: EventSummary) -> String {
    let event = "Event \(ids.text(summary.id))" + (summary.text.map { " '\($0)'" } ?? "")
    let attempt = summary.lastAttempt
    guard let result = attempt.result else {
      return "\(event) was not routed."
    }
    // Not known if the scene was chosen before a restart of the service.
    let rule = attempt.rule.map { " (\($0.rawValue))" } ?? ""
    let target =
      attempt.sceneID.map { "scene \(ids.text($0))" } ?? "declaration '\(attempt.declarationID ?? "")'"
    return "\(event): \(result.rawValue) by \(target) of '\(attempt.applicationID ?? "")'\(rule)."
  }

  /// For programs that search the journal.
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
      "application_because": attempt.applicationReason?.rawValue,
      "application_source": attempt.applicationSource,
      "declaration": attempt.declarationID,
      "scene": attempt.sceneID.map { ids.text($0) },
      "result": attempt.result?.rawValue ?? Settlement.Result.notRouted.rawValue,
      "reason": attempt.reason,
    ]
    return fields.compactMapValues { $0.map { .string($0) } }
  }
}

extension Settlement.Result {
  /// No rule found a target.
  fileprivate static let notRouted = Settlement.Result(rawValue: "notRouted")
}

extension EventRecord.Attempt {
  fileprivate init(_ attempt: EventSummary.Attempt, _ ids: PublicIDs) {
    self.init(
      generation: Int64(attempt.generation),
      rule: attempt.rule.map { .init(rawValue: $0.rawValue) },
      applicationID: attempt.applicationID,
      applicationBecause: attempt.applicationReason.map { .init(rawValue: $0.rawValue) },
      applicationSource: attempt.applicationSource,
      sceneID: attempt.sceneID.map { ids.text($0) },
      declarationID: attempt.declarationID,
      matchedPattern: attempt.matchedPattern,
      statedResult: attempt.result.map { .init(rawValue: $0.rawValue) }
        ?? (attempt.rule == nil ? .notRouted : nil),
      reason: attempt.reason
    )
  }
}

extension EventRecord {
  fileprivate init(_ entry: EventHistory.Entry, _ ids: PublicIDs) {
    switch entry {
    case .ended(let summary): self.init(summary, ids)
    case .earlier(let record, _): self = record
    }
  }

  fileprivate init(_ summary: EventSummary, _ ids: PublicIDs) {
    self.init(
      decisionID: ids.text(summary.id),
      eventID: summary.eventID,
      comparisonString: summary.text,
      routedUSec: summary.routedUSec,
      settledUSec: summary.settledUSec,
      senderProcessID: summary.sender?.processID,
      senderName: summary.sender?.name,
      senderApplicationID: summary.sender?.applicationID,
      attempts: summary.attempts.map { EventRecord.Attempt($0, ids) }
    )
  }
}
