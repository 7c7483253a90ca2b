import ArgumentParser
import SceneClient

/// `scenectl scenes`.
struct ScenesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "scenes", abstract: "List the open scenes.")

  @OptionGroup var router: RouterOptions
  @OptionGroup var answer: AnswerOptions
  @OptionGroup var table: TableOptions

  @Option(help: ArgumentHelp("Only this application's scenes.", valueName: "id"))
  var application: String?

  func run() async throws {
    let scenes = try await router.connect(timeout: answer.timeout).scenes(application: application)
    if router.json { return try scenes.forEach { try Terminal.showJSON($0.json) } }
    var rows = Table(
      "SCENE",
      "APPLICATION",
      "DECLARATION",
      "PROCESS",
      "PENDING",
      "TITLE",
      "PREFERS",
      "ALLOWS",
      options: table
    )
    for scene in scenes {
      rows.append(
        scene.id,
        scene.applicationID,
        scene.declarationID,
        scene.processID.map(String.init),
        String(scene.pendingDeliveries),
        scene.title,
        rows.cell(scene.registrations.flatMap(\.preferring)),
        rows.cell(scene.registrations.flatMap(\.allowing))
      )
    }
    try rows.show(orElse: "No scene is open.")
  }
}
