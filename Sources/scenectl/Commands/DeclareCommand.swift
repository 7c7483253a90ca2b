import ArgumentParser
import SceneClient

/// `scenectl declare`.
struct DeclareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "declare",
    abstract: "Declare the scenes of an application, and open them when they are asked for.",
    discussion: """
      Each request opens a scene in this command, which prefers what it was opened for, so that the same link finds \
      it again. --exec is run for each event of these scenes, as with 'scenectl scene'.
      """
  )

  @OptionGroup var router: RouterOptions

  @Option(help: ArgumentHelp("The application.", valueName: "id"))
  var application: String

  @Option(help: ArgumentHelp("Stand for the URLs of a scheme.", valueName: "scheme"))
  var claimScheme: [String] = []

  @Option(
    help: ArgumentHelp(
      "A declaration, and the identifiers it opens a scene for; without them it is a default.",
      valueName: "id[=identifier,…]"
    )
  )
  var scene: [DeclarationArgument]

  @Option(
    parsing: .remaining,
    help: ArgumentHelp("Run a command for each event; has to come last.", valueName: "command")
  )
  var exec: [String] = []

  func run() async throws {
    let application = try await router.connect().declareApplication(
      application,
      scenes: scene.map { .windowGroup($0.id, matching: $0.matching) },
      claims: claimScheme.isEmpty ? nil : Claims(schemes: claimScheme)
    )
    if !router.json { Terminal.show("\(application.id.printable): declared") }
    let answer: ScenePlayer.Answer = exec.isEmpty ? .acknowledge : .run(EventProgram(command: exec))
    let player = ScenePlayer(answer: answer, printsJSON: router.json)
    try await withThrowingTaskGroup(of: Void.self) { scenes in
      for try await request in application.openRequests {
        scenes.addTask {
          let scene = try await request.openScene(registrations: [request.event.registration])
          if !player.printsJSON { Terminal.show("\(scene.id): open as '\(request.declarationID)'".printable) }
          try await player.play(scene)
        }
      }
      try await scenes.waitForAll()
    }
  }
}

/// `ID` or `ID=IDENTIFIER,…`.
struct DeclarationArgument: ExpressibleByArgument {
  let id: String
  let matching: [String]?

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let id = parts.first, !id.isEmpty else { return nil }
    self.id = String(id)
    matching = parts.count == 1 ? nil : parts[1].split(separator: ",").map(String.init)
  }
}

extension Event {
  /// The interest of a scene that shows what the event was about.
  fileprivate var registration: Registration {
    let content = url ?? activity?.targetContentIdentifier ?? activity?.webpageURL
    return Registration(id: "scenectl", preferring: content.map { [$0] } ?? [])
  }
}
