import ArgumentParser
import SceneClient

struct SceneCommand: AsyncParsableCommand, TakesFiles {
  static let configuration = CommandConfiguration(
    commandName: "scene",
    abstract: "Open a scene, and print each event that it gets.",
    discussion: """
      The scene is open until scenectl ends. It gets links to the pages and files that it shows, and events that \
      contain one of its identifiers; see 'scenectl --help'.

      With --activity-type the scene offers this activity to 'scenectl continue'.

      With --exec a command runs for each event, one event after the other. The command gets the event on its standard \
      input as JSON, and in $SCENED_URL, $SCENED_ACTIVITY_TYPE and so on. Exit status 0 takes the event, any other \
      status declines it. The command is ended when the event has timed out and when scenectl ends: by SIGTERM, 2 \
      seconds later by SIGKILL. For example: scenectl scene --prefer album/4711 --exec sh -- -c 'echo $SCENED_URL'
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var answer: AnswerOptions
  @OptionGroup var lasting: LastingOptions

  @Option(
    help: ArgumentHelp("The application that the scene belongs to.", valueName: "id"),
    completion: .applications
  )
  var application = "scenectl"

  @Option(
    help: ArgumentHelp("The declaration that the scene is an instance of.", valueName: "id"),
    completion: .declarations
  )
  var declaration: String?

  @OptionGroup var activity: ActivityOptions

  @Option(
    help: ArgumentHelp(
      "Show this page or file: links to it come here, whichever application claims them.",
      valueName: "url|path"
    ),
    completion: .file()
  )
  var showing: [FileArgument] = []

  @Option(
    help: ArgumentHelp(
      "Prefer events that contain this; preferring scenes come before allowing scenes.",
      valueName: "identifier"
    ),
    completion: .identifiers
  )
  var prefer: [String] = []

  @Option(
    help: ArgumentHelp("Allow events that contain this; '*' allows all.", valueName: "identifier"),
    completion: .identifiers
  )
  var allow: [String] = []

  @Flag(help: "Decline every event.")
  var decline = false

  @OptionGroup var program: ProgramOptions

  func validate() throws {
    if decline, program.exec != nil { throw ValidationError("--decline and --exec exclude each other.") }
  }

  var files: [FileArgument] { showing }

  func run() async throws {
    let player = ScenePlayer(program: try await program.program(), declines: decline, printsJSON: router.json)
    let shown = try showing.map(router.shownURL)
    let offered = try activity.activity(isEligibleForHandoff: true)
    try await player.untilSignal {
      let scene = try await router.connect(timeout: answer.timeout, lasting: lasting).openScene(
        application: application,
        declaration: declaration,
        title: activity.title,
        registrations: [
          Registration(id: "scenectl", showing: shown, preferring: prefer, allowing: allow)
        ]
      )
      if let offered { try await scene.setActivity(offered) }
      if shown.isEmpty, prefer.isEmpty, allow.isEmpty {
        Terminal.showError(
          "The scene has no --showing, --prefer or --allow: it gets only events that are sent to it with --scene."
        )
      }
      try await player.play(scene)
    }
    // `play` returns only if the router has closed the scene.
    throw CommandStatus.error.exitCode
  }
}
