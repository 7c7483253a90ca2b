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
    var names = KnownNames()
    var left = count ?? .max
    for try await change in changes {
      let time = Host.now
      // An event that is shown can go to a window whose own changes are not.
      names.learn(change)
      defer { names.forget(change) }
      guard filter.shows(change) else { continue }
      if router.json {
        let members = JSONLine(["timeUSec": String(time.microseconds)]).text.dropLast()
        try Terminal.showJSON(members + "," + change.json.dropFirst())
      } else {
        let line = Terminal.styled(time.timeOfDay, .quiet) + " " + change.sentence(names)
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

extension KnownNames {
  fileprivate mutating func learn(_ change: RouterChange) {
    switch change {
    case .snapshot(let snapshot): for scene in snapshot.scenes { learn(scene) }
    case .sceneChanged(let scene): learn(scene)
    default: break
    }
  }

  fileprivate mutating func forget(_ change: RouterChange) {
    if case .sceneClosed(let id) = change { forget(scene: id) }
  }
}

extension RouterChange {
  fileprivate func sentence(_ names: KnownNames) -> String {
    switch self {
    case .snapshot(let snapshot):
      let (scenes, applications) = (snapshot.scenes.count, snapshot.applications.count)
      return "watching \(scenes) scene\(scenes == 1 ? "" : "s")"
        + " and \(applications) application\(applications == 1 ? "" : "s")"
    case .decision(let routed):
      let route = routed.decision.route(of: routed.event, names)
      return "\(routed.decision.decisionID.printable): \(routed.event.summary) goes \(route)"
    case .settlement(let settlement):
      return "\(settlement.decisionID.printable): \(settlement.sentence(names))"
    case .sceneChanged(let scene):
      let shows = scene.registrations.flatMap(\.showing)
      let shown = shows.isEmpty ? "" : "shows [\(shows.abridged)], "
      let prefers = scene.registrations.flatMap(\.preferring).abridged
      let allows = scene.registrations.flatMap(\.allowing).abridged
      let window = "\(names.window(scene.id)): of \(scene.applicationID)"
      return "\(window), \(shown)prefers [\(prefers)], allows [\(allows)]".printable
    case .sceneClosed(let id): return "\(names.window(id)): closed".printable
    case .applicationChanged(let application):
      return "\(application.id): declares \(application.scenes.map(\.id).abridged)".printable
    case .applicationGone(let id): return "\(id): no longer declared".printable
    case .dropped(let count): return "\(count) changes were left out, because this monitor was too slow"
    case .closed(let reason): return "the router stops (\(reason.rawValue))".printable
    }
  }
}

/// Finds the changes that concern one application or one scene.
private struct ChangeFilter {
  let application: String?
  let scene: String?
  /// By scene id, because the report of a closed scene names only the scene.
  private var applications: [String: String] = [:]
  /// The decisions of the unfinished events that are shown, because a settlement names no application.
  private var events: Set<String> = []

  init(application: String?, scene: String?) { (self.application, self.scene) = (application, scene) }

  /// The caller passes every change, in order.
  mutating func shows(_ change: RouterChange) -> Bool {
    guard application != nil || scene != nil else { return true }
    switch change {
    case .snapshot(let snapshot):
      for scene in snapshot.scenes { applications[scene.id] = scene.applicationID }
      return true
    case .decision(let routed):
      let decision = routed.decision
      if includes(decision.applicationID, decision.sceneID) { events.insert(decision.decisionID) }
      return events.contains(decision.decisionID)
    case .settlement(let settlement):
      let isTaken = [.acknowledged, .launched].contains(settlement.result)
      return isTaken ? events.remove(settlement.decisionID) != nil : events.contains(settlement.decisionID)
    case .sceneChanged(let scene):
      applications[scene.id] = scene.applicationID
      return includes(scene.applicationID, scene.id)
    case .sceneClosed(let id): return includes(applications.removeValue(forKey: id), id)
    case .applicationChanged(let application): return scene == nil && includes(application.id, nil)
    case .applicationGone(let id): return scene == nil && includes(id, nil)
    case .dropped, .closed: return true
    }
  }

  private func includes(_ application: String?, _ scene: String?) -> Bool {
    (self.application == nil || self.application == application) && (self.scene == nil || self.scene == scene)
  }
}

/// The open scenes, and the last changes below them, cut to the terminal's height.
private struct MonitorScreen {
  private static let mostEvents = 100

  /// In the order in which they were opened.
  private var scenes: [SceneDescription] = []
  private var events: [String] = []

  /// `line` describes the change.
  mutating func lines(after change: RouterChange, _ line: String) -> [String] {
    switch change {
    case .snapshot(let snapshot): scenes += snapshot.scenes
    case .sceneChanged(let scene):
      if let index = scenes.firstIndex(where: { $0.id == scene.id }) {
        scenes[index] = scene
      } else {
        scenes.append(scene)
      }
    case .sceneClosed(let id): scenes.removeAll { $0.id == id }
    default: break
    }
    events = (events + [line]).suffix(Self.mostEvents)
    var table = Table(Table.sceneTitles)
    for scene in scenes { table.append(table.cells(of: scene, isShort: true)) }
    let height = (Terminal.size?.lines ?? 24) - 2
    let shown = table.lines.prefix(max(height / 2, height - events.count))
    return shown + [""] + events.suffix(height - shown.count)
  }
}
