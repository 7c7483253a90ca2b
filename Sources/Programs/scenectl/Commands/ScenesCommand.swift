import ArgumentParser
import SceneClient

struct ScenesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "scenes", abstract: "List the open scenes.")

  @OptionGroup var router: RouterOptions
  @OptionGroup var answer: AnswerOptions
  @OptionGroup var table: TableOptions

  @Option(
    help: ArgumentHelp("List only this application's scenes.", valueName: "id"),
    completion: .applications
  )
  var application: String?

  @Flag(help: "Print a graph of applications, declarations and scenes for Graphviz (dot) instead.")
  var dot = false

  func validate() throws {
    if dot, router.json { throw ValidationError("--dot and --json exclude each other.") }
  }

  func run() async throws {
    let connection = try await router.connect(timeout: answer.timeout)
    let scenes = try await connection.scenes(application: application)
    if scenes.isEmpty, let application { try await requireDeclared(application, connection) }
    if dot {
      return try Terminal.show(
        RegistryGraph(try await connection.applications(id: application), scenes).text
      )
    }
    if router.json { return try scenes.forEach { try Terminal.showJSON($0.json) } }
    var rows = Table(
      "SCENE",
      "APPLICATION",
      "DECLARATION",
      "PROCESS",
      "PENDING",
      "TITLE",
      "SHOWS",
      "PREFERS",
      "ALLOWS",
      isWhole: table.full
    )
    for scene in scenes {
      rows.append(
        scene.id,
        scene.applicationID,
        scene.declarationID,
        scene.processID.map(String.init),
        String(scene.pendingDeliveries),
        scene.title,
        rows.cell(scene.registrations.flatMap(\.showing)),
        rows.cell(scene.registrations.flatMap(\.preferring)),
        rows.cell(scene.registrations.flatMap(\.allowing))
      )
    }
    try rows.show(orElse: "No scene is open.")
  }

  private func requireDeclared(_ id: String, _ connection: RouterConnection) async throws {
    guard try await connection.applications(id: id).isEmpty else { return }
    let known = try await connection.applications().map(\.id) + connection.scenes().map(\.applicationID)
    throw NoSuchApplication(
      description: "No application '\(id)' is declared or has an open scene.".printable
        + id.similar(among: known).question.printable
    )
  }
}

private struct NoSuchApplication: Error, CustomStringConvertible {
  let description: String
}
