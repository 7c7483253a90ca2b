import ArgumentParser
import SceneClient

struct HandoffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handoff",
    abstract: "Continue the activity of a scene on another machine.",
    discussion: """
      The command takes the current activity of the named scene, by default of the scene that was active last, and has \
      the router of the other machine route it. If no rule there finds a target for the activity, the URL of its web \
      page is routed in its place.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var routing: RoutingOptions

  @Argument(
    help: ArgumentHelp("The other machine; this is its name for ssh.", valueName: "host"),
    completion: .machines
  )
  var machine: String

  @Argument(
    help: ArgumentHelp("The scene with the activity; see 'scenectl activities'.", valueName: "scene"),
    completion: .scenesWithActivities
  )
  var from: String?

  func validate() throws {
    if router.host != nil {
      throw ValidationError(
        "handoff takes the activity from this machine, and no --host; see 'scenectl continue'."
      )
    }
  }

  func run() async throws {
    let source = try await router.connect()
    let target = try RouterOptions.parse(["--host", machine])
    let destination = try await target.connect()
    let handoff = Handoff(source: source, destination: destination, taker: machine)
    let report = OutcomeReport(printsJSON: router.json, router: target, notifications: .none)
    throw try await handoff.run(from: from, routing, report).exitCode
  }
}

/// Both routers can be the same.
struct Handoff {
  let source: RouterConnection
  let destination: RouterConnection
  /// The machine that continues the activity, which the scene can show to its user.
  let taker: String?

  /// `scene` is by default the one that was active last.
  ///
  /// If no rule finds a target for the activity, the URL of its web page is sent instead.
  func run(
    from scene: String?,
    _ routing: RoutingOptions,
    _ report: OutcomeReport
  ) async throws -> CommandStatus {
    let scene = if let scene { scene } else { try await source.activities().first?.scene.id }
    guard let scene else {
      Terminal.showError("No scene shows an activity that can be continued elsewhere.")
      return .error
    }
    let activity = try await source.takeActivity(of: scene, by: taker)
    let origin = source === destination ? scene : nil
    let status = try await routing.send(Event(activity: activity), from: origin, over: destination, report)
    guard status == .notRouted, let webpageURL = activity.webpageURL else { return status }
    var routing = routing
    // The URL is an event of its own, and the router refuses the id of one event for another.
    routing.eventID = routing.eventID.map { $0 + "/webpageURL" }
    return try await routing.send(Event(url: webpageURL), from: origin, over: destination, report)
  }
}
