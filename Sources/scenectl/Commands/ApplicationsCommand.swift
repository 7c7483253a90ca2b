import ArgumentParser
import SceneClient

/// `scenectl applications`.
struct ApplicationsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "applications",
    abstract: "List the declared applications, and the scenes each can open."
  )

  @OptionGroup var router: RouterOptions

  func run() async throws {
    let applications = try await router.connect().applications()
    if router.json { return try applications.forEach { try Terminal.showJSON($0.json) } }
    var table = Table("APPLICATION", "DECLARATION", "KIND", "FROM", "CLAIMS", "OPENS FOR")
    for application in applications {
      for scene in application.scenes {
        table.append(
          application.id,
          scene.id,
          scene.kind == .documentGroup ? "documents" : scene.isSingleton ? "singleton" : "window",
          application.path ?? application.source.rawValue,
          application.claims?.summary ?? "",
          scene.opensFor
        )
      }
      if application.scenes.isEmpty {
        table.append(
          application.id,
          "",
          "",
          application.source.rawValue,
          application.claims?.summary ?? "",
          "nothing"
        )
      }
    }
    try table.show(orElse: "No application is declared.")
  }
}

extension SceneDeclaration {
  fileprivate var opensFor: String {
    if kind == .documentGroup { return supportedTypes.abridged }
    guard let matching else { return "whatever nothing else takes" }
    return matching.isEmpty ? "nothing" : matching.abridged
  }
}

extension Claims {
  fileprivate var summary: String { (schemes.map { $0 + ":" } + activityTypes + mimeTypes).abridged }
}
