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

  @Option(help: ArgumentHelp("The application to declare.", valueName: "id"))
  var application: String

  @Option(help: ArgumentHelp("Claim the URLs of a scheme for this application.", valueName: "scheme"))
  var claimScheme: [String] = []

  @Option(
    help: ArgumentHelp(
      "A declaration, and the identifiers for which it opens a scene; without '=' it takes whatever nothing else does.",
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
    let answer: ScenePlayer.Answer = exec.isEmpty ? .acknowledge : .run(try await EventProgram(exec))
    let player = ScenePlayer(answer: answer, printsJSON: router.json)
    let application = try await router.connect().declareApplication(
      application,
      scenes: scene.map { .windowGroup($0.id, matching: $0.matching) },
      claims: claimScheme.isEmpty ? nil : Claims(schemes: claimScheme)
    )
    try show("declared", ["declared": "true"])
    try await withThrowingTaskGroup { scenes in
      for try await message in application.messages {
        switch message {
        case .openRequest(let request): scenes.addTask { try await Self.open(request, in: player) }
        case .withdrawn(let withdrawal):
          try show("withdrawn (\(withdrawal.reason.rawValue))", ["withdrawn": withdrawal.json])
        case .closed(let reason):
          try show("closed (\(reason.rawValue))", ["closed": reason.rawValue.quoted])
        }
      }
      try await scenes.waitForAll()
    }
  }

  private static func open(_ request: OpenRequest, in player: ScenePlayer) async throws {
    do {
      let scene = try await request.openScene(
        title: request.declarationID,
        registrations: [request.event.registration]
      )
      try await player.play(scene)
    } catch let error as RouterError {
      // Its time ran out meanwhile, which ends the request and not the application.
      guard case .noSuchOpenRequest = error.code else { throw error }
      Terminal.showError(error.description.printable)
    }
  }

  private func show(_ text: String, _ members: KeyValuePairs<String, String?>) throws(OutputError) {
    if router.json {
      try Terminal.showJSON(JSONLine(["applicationId": application.quoted], members).text)
    } else {
      try Terminal.show("\(application): \(text)".printable)
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
