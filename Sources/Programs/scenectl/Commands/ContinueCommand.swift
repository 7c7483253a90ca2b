import ArgumentParser
import SceneClient

/// `scenectl continue`.
struct ContinueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "continue",
    abstract: "Continue in another scene what a scene shows.",
    discussion: """
      Takes the current activity of the scene that was active last, or of the one that is named, and routes it as an \
      event, which does not come back to that scene. If no rule finds a target for it and it has a web page, the URL of \
      that is routed in its place. With --host the scene is one of that machine, and the activity is routed here; \
      'scenectl handoff' is the other way.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var routing: RoutingOptions

  @Argument(
    help: ArgumentHelp("The scene whose activity it is; see 'scenectl activities'.", valueName: "scene"),
    completion: .scenesWithActivities
  )
  var from: String?

  func run() async throws {
    let source = try await router.connect()
    let destination = router.host == nil ? source : try await RouterOptions.none.connect()
    let handoff = Handoff(source: source, destination: destination, taker: Host.machineName)
    let report = OutcomeReport(printsJSON: router.json, notifiesDesktop: false)
    throw try await handoff.run(from: from, routing, report).exitCode
  }
}
