import ArgumentParser
import SceneClient

/// `scenectl handoff`.
struct HandoffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handoff",
    abstract: "Continue on another machine what a scene shows here.",
    discussion: """
      Does there what 'scenectl continue' does here: takes the current activity of the scene that was active last, or of \
      the one that is named, and has the router of that machine route it, or else the URL of its web page.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var routing: RoutingOptions

  @Argument(
    help: ArgumentHelp("The machine, by the name that ssh knows it by.", valueName: "host"),
    completion: .machines
  )
  var machine: String

  @Argument(
    help: ArgumentHelp("The scene whose activity it is; see 'scenectl activities'.", valueName: "scene"),
    completion: .scenesWithActivities
  )
  var from: String?

  func validate() throws {
    if router.host != nil {
      throw ValidationError(
        "handoff takes from this machine, and no --host; 'scenectl continue' takes from another."
      )
    }
  }

  func run() async throws {
    let source = try await router.connect()
    let destination = try await RouterOptions.parse(["--host", machine]).connect()
    let handoff = Handoff(source: source, destination: destination, taker: machine)
    let report = OutcomeReport(printsJSON: router.json, notifiesDesktop: false)
    throw try await handoff.run(from: from, routing, report).exitCode
  }
}
