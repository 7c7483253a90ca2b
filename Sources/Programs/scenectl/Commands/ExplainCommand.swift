import ArgumentParser
import SceneClient

/// `scenectl explain`.
struct ExplainCommand: AsyncParsableCommand, TakesFiles {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say where an event would go, and why, without sending it.",
    discussion: """
      The first row of the table is the winner. The others were looked at before it, in the order of the rules.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var answer: AnswerOptions
  @OptionGroup var table: TableOptions
  @OptionGroup var activity: ActivityOptions

  @OptionGroup var scope: ScopeOptions

  @Option(help: ArgumentHelp("The scene that the event comes from.", valueName: "id"), completion: .scenes)
  var originScene: String?

  @Option(help: ArgumentHelp("How many of those looked at to show; 100 by default.", valueName: "number"))
  var maxSteps: Int?

  @Argument(help: ArgumentHelp("A URL, or the path of a file.", valueName: "url|path"), completion: .file())
  var target: FileArgument?

  var files: [FileArgument] { [target].compactMap(\.self) }

  func validate() throws {
    if (target == nil) == (activity.activityType == nil) {
      throw ValidationError("Either a URL or --activity-type has to be given.")
    }
  }

  func run() async throws {
    guard let event = try await event() else { return }
    let connection = try await router.connect(timeout: answer.timeout)
    let decision = try await connection.explain(
      event,
      to: scope.scope(origin: originScene),
      maxTraceSteps: maxSteps
    )
    if router.json { try Terminal.showJSON(decision.json) } else { try show(event, decision) }
    if decision.target == .nothing { throw CommandStatus.notRouted.exitCode }
  }

  private func event() async throws -> Event? {
    if let event = try activity.event() { return event }
    guard let target else { return nil }
    return try await router.event(of: target)
  }

  private func show(_ event: Event, _ decision: RouteDecision) throws(OutputError) {
    try Terminal.show("\(event.summary) would go \(decision.route).")
    var rows = Table(
      "RULE",
      "SCENE",
      "APPLICATION",
      "DECLARATION",
      "IDENTIFIER",
      "VERDICT",
      isWhole: table.full
    )
    if let rule = decision.rule {
      rows.append(
        rule.rawValue,
        decision.sceneID,
        decision.applicationID,
        decision.declarationID,
        decision.matchedPattern,
        decision.target == .newScene ? "opens a new scene" : "takes it"
      )
    }
    // A candidate that was looked at a second time, for '*', is shown once.
    var shown: [TraceStep] = []
    for step in decision.trace where !step.isWinner && !shown.contains(step) {
      shown.append(step)
      rows.append(
        step.rule.rawValue,
        step.sceneID,
        step.applicationID,
        step.declarationID,
        step.pattern,
        step.verdict
      )
    }
    if !rows.isEmpty { try rows.show() }
    if decision.traceOmitted != 0 { try Terminal.show("More candidates are not shown; see --max-steps.") }
  }
}

extension TraceStep {
  /// Whether this candidate is the target of the decision.
  fileprivate var isWinner: Bool { matched && rejectedBecause == nil }

  fileprivate var verdict: String {
    switch rejectedBecause {
    case nil: "does not match"
    case "origin": "passed over: the event comes from it"
    case "newSceneNotAllowed": "passed over: no new scene is allowed"
    case "sceneAlreadyOpen": "passed over: has the one scene it can have"
    case let reason?: "passed over: \(reason)"
    }
  }
}
