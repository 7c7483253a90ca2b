import ArgumentParser
import SceneClient

/// `scenectl scenes`.
struct ScenesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "scenes", abstract: "List the open scenes.")

  @OptionGroup var router: RouterOptions

  @Option(help: ArgumentHelp("Only this application's scenes.", valueName: "id"))
  var application: String?

  func run() async throws {
    let scenes = try await router.connect().scenes(application: application)
    if router.json { return try scenes.forEach { try Terminal.showJSON($0.json) } }
    var table = Table(
      "SCENE",
      "APPLICATION",
      "DECLARATION",
      "PROCESS",
      "PENDING",
      "TITLE",
      "PREFERS",
      "ALLOWS"
    )
    for scene in scenes {
      table.append(
        scene.id,
        scene.applicationID,
        scene.declarationID ?? "",
        scene.processID.map(String.init) ?? "",
        String(scene.pendingDeliveries),
        scene.title ?? "",
        scene.registrations.flatMap(\.preferring).abridged,
        scene.registrations.flatMap(\.allowing).abridged
      )
    }
    try table.show(orElse: "No scene is open.")
  }
}

extension [String] {
  /// The first few, for a cell of a table.
  var abridged: String {
    let shown = 3
    return prefix(shown).joined(separator: ", ") + (count > shown ? ", … (\(count))" : "")
  }
}
