import ArgumentParser
import SceneClient

struct DeclareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "declare",
    abstract: "Declare the scenes of an application, and open them on request.",
    discussion: """
      Each request opens a scene in this command. The scene shows the page or file that it was opened for, so that \
      links to it find the scene again. The command of --exec runs for each event of these scenes, as with \
      'scenectl scene'. A scene stays open even if the command declines the event.

      Claim the URL schemes of the application: their links then go to no other application, and the application gets \
      no other links. Without a claim, the application takes part in all links that no application claims, and many \
      links contain a short identifier. Links of a claimed host go to the application before they go to a browser, \
      which claims all of https.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var answer: AnswerOptions
  @OptionGroup var lasting: LastingOptions

  @Option(help: ArgumentHelp("The application to declare.", valueName: "id"), completion: .applications)
  var application: String

  @Option(help: ArgumentHelp("Claim the URLs of a scheme for this application.", valueName: "scheme"))
  var claimScheme: [String] = []

  @Option(
    help: ArgumentHelp(
      "Claim the web links of a host, or of all hosts below a domain (*.example.org), for this application.",
      valueName: "host[/path]"
    ),
    completion: .hosts
  )
  var claimHost: [String] = []

  @Option(
    help: ArgumentHelp(
      "A declaration, and the identifiers for which it opens a scene; without '=' it takes events that nothing else takes.",
      valueName: "id[=identifier,…]"
    )
  )
  var scene: [DeclarationArgument]

  @OptionGroup var program: ProgramOptions

  func run() async throws {
    let player = ScenePlayer(program: try await program.program(), declines: false, printsJSON: router.json)
    try await player.untilSignal { try await play(player) }
    // `play` returns only if the router has ended the declaration.
    throw CommandStatus.error.exitCode
  }

  private func play(_ player: ScenePlayer) async throws {
    let application = try await router.connect(timeout: answer.timeout, lasting: lasting).declareApplication(
      application,
      scenes: scene.map { .windowGroup($0.id, matching: $0.matching) },
      claims: Claims(schemes: claimScheme, hosts: claimHost)
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
      // The router no longer waits for this answer, but the application stays declared.
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
  fileprivate var registration: Registration {
    Registration(
      id: "scenectl",
      showing: [url ?? activity?.webpageURL].compactMap(\.self),
      preferring: [activity?.targetContentIdentifier].compactMap(\.self)
    )
  }
}
