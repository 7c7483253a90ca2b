import ArgumentParser
import SceneClient

struct WhyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Tell where an event went, and why.",
    discussion: """
      The command prints the sender, the target, and the reasons for its application and its scene. If a program was \
      given a link and sent it on, all steps of the link are told. The command also asks the router where the event \
      would go now, and names the scenes that may not have it because other applications claim it. 'scenectl explain' \
      prints all candidates that were passed over.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var answer: AnswerOptions

  @Argument(
    help: ArgumentHelp(
      """
      'last', the id of the decision that history and monitor print, the id that the sender gave to the event, or a part \
      of its URL.
      """,
      valueName: "event"
    ),
    completion: .events
  )
  var event = "last"

  func run() async throws {
    let connection = try await router.connect(timeout: answer.timeout)
    let records = try await connection.allRecords()
    let history = LinkHistory(of: try records.record(of: event), among: records)
    if router.json { return try history.records.forEach { try Terminal.showJSON($0.json) } }
    let attempts = history.records.flatMap(\.attempts)
    let names = await KnownNames(
      ofScenes: attempts.map(\.sceneID),
      applications: router.host == nil ? attempts.map(\.applicationID) : [],
      connection
    )
    for line in history.lines(names) { try Terminal.show(line) }
    for line in try await presence(of: history, connection) { try Terminal.show(line.printable) }
  }

  private func presence(of history: LinkHistory, _ connection: RouterConnection) async throws -> [String] {
    var lines: [String] = []
    if let id = history.last.attempts.last?.sceneID {
      let scene = try await connection.scenes(id: id).first
      let state =
        scene.map { ($0.title ?? "").isEmpty ? "has no title" : "has the title '\($0.title ?? "")'" }
        ?? "is no longer open"
      lines.append("Scene \(id) \(state).")
    }
    // Later attempts left out the targets that were tried before. If the sender named the target, nothing is compared,
    // because the call of `explain` below names none.
    let record = history.records[0]
    let attempt = record.attempts.first
    guard attempt?.rule != .explicit, attempt?.applicationBecause != .sender,
      let url = record.comparisonString, url.urlScheme != nil
    else { return lines }
    let event = router.event(ofLink: url)
    let decision: RouteDecision
    do {
      decision = try await connection.explain(event)
    } catch {
      // The router can refuse the remembered beginning of a long URL as the URL of an event.
      return lines
    }
    if decision.target == .nothing {
      let missing = await MissingTarget(event: event, scope: .everything, router: router).reason(connection)
      lines.append("Now: \(missing).")
    } else if attempt?.applicationID != decision.applicationID
      || decision.target == .scene && attempt?.sceneID != decision.sceneID
    {
      let names = await KnownNames(
        ofScenes: [decision.sceneID],
        applications: router.host == nil ? [decision.applicationID] : [],
        connection
      )
      lines.append("Now it would go \(decision.route(of: event, names)).")
    }
    lines += try await PassedOver(of: decision, for: event, connection).sentences.map { "Now: \($0)" }
    return lines + ["See: \(ExplainCommand.line(for: event, to: .everything, router))"]
  }
}

extension LinkHistory {
  fileprivate func lines(_ names: KnownNames) -> [String] {
    guard let first = records.first else { return [] }
    let time = "\(first.routed.localDate) \(first.routed.timeOfDay)"
    let ids = records.map(\.decisionID).joined(separator: ", then ").printable
    var lines = ["\(ids): \(first.subject), \(time)"]
    if let sender = first.sender { lines.append(sender.prefix(1).uppercased() + sender.dropFirst() + ".") }
    if let host = first.comparisonString?.urlHost, let spelled = host.spelledInASCII {
      lines.append("The host has letters that are not ASCII, and may look like another host: \(spelled)")
    }
    let steps = records.enumerated().flatMap { index, record in
      record.attempts.map { attempt in
        let by = index > 0 && attempt == record.attempts.first ? "sent on; " : ""
        let isUnanswered = attempt.isQuestion && index == records.count - 1
        let answer = isUnanswered ? ", not answered so far" : ""
        let end = attempt.hasTarget ? attempt.ending(names) + answer : MissingTarget.unknown
        return by + end + record.reasons(for: attempt, areComplete: true)
      }
    }
    guard steps.count > 1 else {
      let isUnrouted = first.isNotRouted
      let outcome = first.settled == nil ? "under way" : isUnrouted ? "not routed: \(steps[0])" : steps[0]
      return lines + ["Outcome: \(outcome)."]
    }
    lines.append("Outcome: \(last.outcome(names)).")
    return lines + steps.enumerated().map { "  \($0 + 1). \($1)" }
  }
}

extension String {
  /// Each character outside ASCII as its number, such as `\u{430}`, to tell letters apart that look alike; nil for
  /// ASCII.
  fileprivate var spelledInASCII: String? {
    guard !utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    return unicodeScalars.reduce(into: "") { text, scalar in
      text += scalar.isASCII ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
}

extension [EventRecord] {
  /// `event` is what the command's argument may be.
  func record(of event: String) throws -> EventRecord {
    if let record = find(event) { return record }
    Terminal.showError(
      event == "last"
        ? "The router remembers no event. 'scenectl open URL' sends one; a router with --history off forgets all."
        : "The router remembers no event '\(event.shortened.printable)'. 'scenectl history' lists the others."
    )
    throw CommandStatus.error.exitCode
  }

  private func find(_ event: String) -> EventRecord? {
    if event == "last" { return inOrder.last }
    if let record = first(where: { $0.decisionID == event || $0.eventID == event }) { return record }
    // The router may remember URLs without query and fragment.
    let text = event.prefix { $0 != "?" && $0 != "#" }
    if text.isEmpty { return nil }
    return inOrder.last { $0.comparisonString?.contains(text) == true }
  }
}
