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
