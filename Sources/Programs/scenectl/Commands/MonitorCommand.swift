import ArgumentParser
import SceneClient

struct MonitorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Print what happens in the router as it happens: decisions, outcomes, scenes and applications."
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var answer: AnswerOptions
  @OptionGroup var lasting: LastingOptions

  @Flag(help: "Print no decisions and settlements.")
  var noDecisions = false

  @Flag(help: "Print no changes of scenes and applications.")
  var noRegistry = false

  @Option(
    help: ArgumentHelp("Print only changes that concern this application.", valueName: "id"),
    completion: .applications,
    transform: applicationID
  )
  var application: String?

  @Option(
    help: ArgumentHelp("Print only changes that concern this scene.", valueName: "id"),
    completion: .scenes
  )
  var scene: String?

  @Option(help: "End after this number of changes.")
  var count: Int?

  @Flag(help: "Show the open scenes and the last events, and redraw them with each change.")
  var screen = false

  func validate() throws {
    if screen, router.json { throw ValidationError("--screen and --json exclude each other.") }
    if let count, count < 1 { throw ValidationError("--count has to be 1 or more.") }
  }

  func run() async throws {
    let changes = try await router.connect(timeout: answer.timeout, lasting: lasting).monitor(
      showsDecisions: !noDecisions,
      showsRegistry: !noRegistry
    )
    var filter = ChangeFilter(application: application, scene: scene)
    var view = MonitorScreen()
    var left = count ?? .max
    for try await change in changes where filter.shows(change) {
      let time = Host.now
      if router.json {
        let members = JSONLine(["timeUSec": String(time.microseconds)]).text.dropLast()
        try Terminal.showJSON(members + "," + change.json.dropFirst())
      } else {
        let line = Terminal.styled(time.timeOfDay, .quiet) + " " + change.sentence
        try screen ? Terminal.showScreen(view.lines(after: change, line)) : Terminal.show(line)
      }
      if case .snapshot = change { continue }
      left -= 1
      if left == 0 { return }
    }
    // The stream ends only if the router ends it.
    throw CommandStatus.error.exitCode
  }
}

extension RouterChange {
  fileprivate var sentence: String {
    switch self {
    case .snapshot(let snapshot):
      let (scenes, applications) = (snapshot.scenes.count, snapshot.applications.count)
      return "watching \(scenes) scene\(scenes == 1 ? "" : "s")"
        + " and \(applications) application\(applications == 1 ? "" : "s")"
    case .decision(let routed):
      return
        "\(routed.decision.decisionID.printable): \(routed.event.summary) goes \(routed.decision.route(of: routed.event))"
    case .settlement(let settlement): return "\(settlement.decisionID.printable): \(settlement.sentence())"
    case .sceneChanged(let scene):
      let shows = scene.registrations.flatMap(\.showing)
      let shown = shows.isEmpty ? "" : "shows [\(shows.abridged)], "
      let prefers = scene.registrations.flatMap(\.preferring).abridged
      let allows = scene.registrations.flatMap(\.allowing).abridged
      return "\(scene.id): of \(scene.applicationID), \(shown)prefers [\(prefers)], allows [\(allows)]"
        .printable
    case .sceneClosed(let id): return "\(id): closed".printable
    case .applicationChanged(let application):
      return "\(application.id): declares \(application.scenes.map(\.id).abridged)".printable
    case .applicationGone(let id): return "\(id): no longer declared".printable
    case .dropped(let count): return "\(count) changes were left out, because this monitor was too slow"
    case .closed(let reason): return "the router stops (\(reason.rawValue))".printable
    }
  }
}
