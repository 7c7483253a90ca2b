import ArgumentParser
import SceneClient

struct ContinueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "continue",
    abstract: "Continue the activity of a scene in another scene.",
    discussion: """
      The command takes the current activity of the named scene, by default of the scene that was active last, and \
      routes it as an event. The event does not go back to that scene. If no rule finds a target for the activity, the \
      URL of its web page is routed in its place. With --host the scene is on that machine, and the activity is routed \
      here; 'scenectl handoff' works the other way round.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var routing: RoutingOptions

  @Argument(
    help: ArgumentHelp("The scene with the activity; see 'scenectl activities'.", valueName: "scene"),
    completion: .scenesWithActivities
  )
  var from: String?

  func run() async throws {
    let source = try await router.connect()
    let target = router.host == nil ? router : .none
    let destination = router.host == nil ? source : try await target.connect()
    let handoff = Handoff(source: source, destination: destination, taker: Host.machineName)
    let report = OutcomeReport(printsJSON: router.json, router: target, notifications: .none)
    throw try await handoff.run(from: from, routing, report).exitCode
  }
}
