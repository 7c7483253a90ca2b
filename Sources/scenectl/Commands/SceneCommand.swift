import ArgumentParser
import SceneClient

/// `scenectl scene`.
struct SceneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scene",
    abstract: "Open a scene, and show each event that it gets.",
    discussion: """
      The scene is open until the command ends. With --exec a command is run for each event, which it finds as JSON \
      on its standard input and in $SCENED_URL, $SCENED_ACTIVITY_TYPE and so on; its exit status 0 acknowledges the \
      event, any other declines it.
      """
  )

  @OptionGroup var router: RouterOptions

  @Option(help: ArgumentHelp("The application the scene belongs to.", valueName: "id"))
  var application = "scenectl"

  @Option(help: ArgumentHelp("The declaration the scene is an instance of.", valueName: "id"))
  var declaration: String?

  @Option(help: ArgumentHelp("What the scene is called, for people.", valueName: "text"))
  var title: String?

  @Option(help: ArgumentHelp("Wants events with this identifier over other scenes.", valueName: "identifier"))
  var prefer: [String] = []

  @Option(
    help: ArgumentHelp("Accepts events with this identifier; '*' accepts all.", valueName: "identifier")
  )
  var allow: [String] = []

  @Flag(help: "Decline every event.")
  var decline = false

  @Option(
    parsing: .remaining,
    help: ArgumentHelp("Run a command for each event; has to come last.", valueName: "command")
  )
  var exec: [String] = []

  func validate() throws {
    if decline, !exec.isEmpty { throw ValidationError("--decline and --exec exclude each other.") }
  }

  func run() async throws {
    let answer: ScenePlayer.Answer =
      if exec.isEmpty { decline ? .decline : .acknowledge } else { .run(try await EventProgram(exec)) }
    let scene = try await router.connect().openScene(
      application: application,
      declaration: declaration,
      title: title,
      registrations: [Registration(id: "scenectl", preferring: prefer, allowing: allow)]
    )
    try await ScenePlayer(answer: answer, printsJSON: router.json).play(scene)
  }
}
