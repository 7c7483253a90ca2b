import ArgumentParser
import SceneClient

struct ExplainCommand: AsyncParsableCommand, TakesFiles {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say where an event would go, and why, without sending it.",
    discussion: """
      The first row of the table is the target. The other rows are the candidates that the router looked at before, in \
      the order of the rules.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var answer: AnswerOptions
  @OptionGroup var table: TableOptions
  @OptionGroup var activity: ActivityOptions

  @OptionGroup var scope: ScopeOptions

  @Option(help: ArgumentHelp("The scene that the event comes from.", valueName: "id"), completion: .scenes)
  var originScene: String?

  @Option(help: ArgumentHelp("How many candidates to show at most; 100 by default.", valueName: "number"))
  var maxSteps: Int?

  @Argument(help: ArgumentHelp("A URL, or the path of a file.", valueName: "url|path"), completion: .file())
  var target: FileArgument?

  var files: [FileArgument] { [target].compactMap(\.self) }

  func validate() throws {
    if (target == nil) == (activity.activityType == nil) {
      throw ValidationError("Give either a URL or --activity-type.")
    }
    if let maxSteps, maxSteps < 0 { throw ValidationError("--max-steps has to be 0 or more.") }
  }

  func run() async throws {
    guard let event = try event() else { return }
    let connection = try await router.connect(timeout: answer.timeout)
    let decision = try await connection.explain(
      event,
      to: scope.scope(origin: originScene),
      maxTraceSteps: maxSteps
    )
    if router.json {
      try Terminal.showJSON(decision.json)
    } else {
      let missing =
        decision.target == .nothing
        ? await MissingTarget(
          event: event,
          scope: scope.scope(),
          router: router,
          absentFile: router.host == nil ? target?.absentFile : nil
        ).reason(connection) : nil
      let names = await KnownNames(
        ofScenes: [decision.sceneID] + decision.trace.map(\.sceneID),
        applications: router.host == nil ? [decision.applicationID] : [],
        connection
      )
      try show(event, decision, missing, names)
      for line in try await PassedOver(of: decision, for: event, connection).sentences {
        try Terminal.show(line)
      }
    }
    if decision.target == .nothing { throw CommandStatus.notRouted.exitCode }
  }

  private func event() throws -> Event? {
    if let event = try activity.event() { return event }
    guard let target else { return nil }
    return try router.event(of: target)
  }

  private func show(
    _ event: Event,
    _ decision: RouteDecision,
    _ missing: String?,
    _ names: KnownNames
  ) throws(OutputError) {
    try Terminal.show(
      "\(event.summary) would go \(decision.route(of: event, names))\(missing.map { ": " + $0 } ?? "")."
    )
    var rows = Table(
      "RULE",
      "TITLE",
      "SCENE",
      "APPLICATION",
      "DECLARATION",
      "IDENTIFIER",
      "VERDICT",
      isWhole: table.full
    )
    if let rule = decision.rule {
      rows.append(
        rule.word,
        decision.sceneID.flatMap(names.title),
        decision.sceneID,
        decision.applicationID,
        decision.declarationID,
        decision.matchedPattern,
        decision.target == .newScene ? "opens a new scene" : "takes it"
      )
    }
    // The router may look at a candidate twice, the second time for the identifier '*'.
    var shown: [TraceStep] = []
    for step in decision.trace where !step.isWinner && !shown.contains(step) {
      shown.append(step)
      rows.append(
        step.rule.word,
        step.sceneID.flatMap(names.title),
        step.sceneID,
        step.applicationID,
        step.declarationID,
        step.pattern,
        step.verdict
      )
    }
    if !rows.isEmpty {
      try rows.show()
    } else if decision.traceOmitted == 0 {
      try Terminal.show("No open scene and no declared application takes part in this event.")
    }
    if decision.traceOmitted != 0 { try Terminal.show("More candidates are not shown; see --max-steps.") }
  }
}

extension ExplainCommand {
  /// Leaves out the title and the user info of an activity, at which no rule looks.
  static func line(for event: Event, to scope: RoutingScope, _ router: RouterOptions) -> String {
    let activity = event.activity
    let options: [(String, String?)] = [
      ("--socket", router.socket),
      ("--host", router.host),
      ("--application", scope.applicationID),
      ("--scene", scope.sceneID),
      ("--origin-scene", scope.originSceneID),
      ("--activity-type", activity?.activityType),
      ("--target-content-identifier", activity?.targetContentIdentifier),
      ("--webpage-url", activity?.webpageURL),
    ]
    var words = ["scenectl", "explain"]
    if router.system { words.append("--system") }
    if !scope.allowsNewScene { words.append("--no-new-scene") }
    for case (let name, let value?) in options {
      // The argument parser would take a separate word that begins with '-' for an option.
      words += value.hasPrefix("-") ? ["\(name)=\(value)"] : [name, value]
    }
    if let url = event.url { words.append(url) }
    return words.map(\.shellWord).joined(separator: " ").printable
  }
}

extension RouteDecision.Rule {
  /// "default" would sound like the user's default application.
  fileprivate var word: String { self == .default ? "no condition" : rawValue }
}

extension TraceStep {
  fileprivate var isWinner: Bool { matched && rejectedBecause == nil }

  fileprivate var verdict: String {
    switch rejectedBecause {
    case nil: "does not match"
    case "origin": "passed over: the event comes from it"
    case "newSceneNotAllowed": "passed over: no new scene is allowed"
    case "sceneAlreadyOpen": "passed over: its only scene is open already"
    case "claimedByOthers": "passed over: other applications claim it"
    case let reason?: "passed over: \(reason)"
    }
  }
}
