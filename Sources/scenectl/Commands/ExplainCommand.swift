import ArgumentParser
import SceneClient

/// `scenectl explain`.
struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Tell where an event would go, and why, without sending it."
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var activity: ActivityOptions

  @Option(help: ArgumentHelp("Only this application's scenes and declarations.", valueName: "id"))
  var application: String?

  @Option(help: ArgumentHelp("Only this scene.", valueName: "id"))
  var scene: String?

  @Option(help: ArgumentHelp("The scene that the event comes from.", valueName: "id"))
  var originScene: String?

  @Flag(help: "Never open a new scene.")
  var noNewScene = false

  @Option(help: ArgumentHelp("How many candidates to show at most.", valueName: "number"))
  var maxSteps: Int?

  @Argument(help: ArgumentHelp("A URL, or the path of a file.", valueName: "url|path"))
  var target: String?

  func validate() throws {
    if (target == nil) == (activity.activityType == nil) {
      throw ValidationError("Either a URL or --activity-type has to be given.")
    }
  }

  func run() async throws {
    let event = try activity.event() ?? Event(url: FileArgument.url(of: target ?? ""))
    let decision = try await router.connect().explain(
      event,
      to: RoutingScope(
        applicationID: application,
        sceneID: scene,
        originSceneID: originScene,
        allowsNewScene: !noNewScene
      ),
      maxTraceSteps: maxSteps
    )
    if router.json { try Terminal.showJSON(decision.json) } else { try show(event, decision) }
    if decision.target == .nothing { throw CommandStatus.notRouted.exitCode }
  }

  private func show(_ event: Event, _ decision: RouteDecision) throws(OutputError) {
    try Terminal.show("\(event.summary) would go \(decision.route).")
    if decision.trace.isEmpty { return }
    var table = Table("RULE", "SCENE", "APPLICATION", "DECLARATION", "IDENTIFIER", "VERDICT")
    for step in decision.trace {
      table.append(
        step.rule.rawValue,
        step.sceneID ?? "",
        step.applicationID ?? "",
        step.declarationID ?? "",
        step.pattern ?? "",
        step.verdict
      )
    }
    try table.show(orElse: "")
    switch decision.traceOmitted {
    case 0?: break
    case 1?: try Terminal.show("One more candidate is not shown.")
    case let omitted?: try Terminal.show("\(omitted) more candidates are not shown.")
    case nil: try Terminal.show("More candidates were not looked at.")
    }
  }
}

extension TraceStep {
  fileprivate var verdict: String {
    switch rejectedBecause {
    case nil: matched ? "takes it" : "does not match"
    case "origin": "passed over: the event comes from it"
    case "newSceneNotAllowed": "passed over: no new scene is allowed"
    case "sceneAlreadyOpen": "passed over: has the one scene it can have"
    case let reason?: "passed over: \(reason)"
    }
  }
}
