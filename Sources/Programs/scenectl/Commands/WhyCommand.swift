import ArgumentParser
import SceneClient

/// `scenectl why`.
struct WhyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Tell where an event went, and why.",
    discussion: """
      The command prints the rule that chose the target. 'scenectl explain' also prints the candidates that were passed \
      over, as they are registered now.
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
    guard let record = try await record(of: connection) else {
      Terminal.showError("The router remembers no event '\(event.printable)' since its start.")
      throw CommandStatus.error.exitCode
    }
    if router.json { return try Terminal.showJSON(record.json) }
    let changes = try await connection.statistics().generation - (record.attempts.last?.generation ?? 0)
    for line in record.explanation(changesSince: changes) { try Terminal.show(line) }
    if record.isNotRouted, let url = record.comparisonString, FileArgument(argument: url).isURL {
      try Terminal.show("See: " + ExplainCommand.line(for: Event(url: url), to: .everything, router))
    }
    if let id = record.attempts.last?.sceneID {
      let scene = try await connection.scenes(id: id).first
      let state =
        scene.map { $0.title.map { "has the title '\($0)'" } ?? "has no title" } ?? "is no longer open"
      try Terminal.show("Scene \(id) \(state).".printable)
    }
  }

  private func record(of connection: RouterConnection) async throws(RouterError) -> EventRecord? {
    if event == "last" { return try await connection.records(limit: 1).first }
    if let record = try await connection.records(decision: event, limit: 1).first { return record }
    if let record = try await connection.records(event: event, limit: 1).first { return record }
    // The router may remember URLs without query and fragment.
    let text = event.prefix { $0 != "?" && $0 != "#" }
    if text.isEmpty { return nil }
    return try await connection.allRecords().first { $0.comparisonString?.contains(text) == true }
  }
}

extension EventRecord {
  /// Returns lines with the event, its end, each attempt if there were several, and the number of changes since the
  /// last decision.
  fileprivate func explanation(changesSince changes: Int64) -> [String] {
    let sender = senderProcessID.map { " from process \($0)" } ?? ""
    let time = "\(routed.localDate) \(routed.timeOfDay)"
    var lines = ["\(decisionID): \(subject)\(sender), \(time)", "Outcome: \(outcome)."]
    for (number, attempt) in attempts.enumerated() where attempts.count > 1 {
      lines.append("  \(number + 1). \(attempt.choice): \(attempt.ending)")
    }
    switch changes {
    case 0: lines.append("The scenes and applications have not changed since the decision.")
    case 1: lines.append("The scenes and applications have changed once since the decision.")
    default: lines.append("The scenes and applications have changed \(changes) times since the decision.")
    }
    return lines
  }
}
