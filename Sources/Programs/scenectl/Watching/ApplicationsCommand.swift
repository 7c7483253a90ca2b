import ArgumentParser
import SceneClient

struct ApplicationsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "applications",
    abstract: "List the declared applications, and the scenes that each can open."
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var answer: AnswerOptions
  @OptionGroup var table: TableOptions

  func run() async throws {
    let applications = try await router.connect(timeout: answer.timeout).applications()
    if router.json { return try applications.forEach { try Terminal.showJSON($0.json) } }
    var rows = Table("APPLICATION", "DECLARATION", "KIND", "FROM", "CLAIMS", "OPENS FOR", isWhole: table.full)
    for application in applications {
      let claims = application.claims?.all ?? []
      for scene in application.scenes {
        rows.append(
          application.id,
          scene.id,
          scene.kind == .documentGroup ? "documents" : scene.isSingleton ? "singleton" : "window",
          application.origin,
          rows.cell(claims),
          scene.opensFor
            ?? rows.cell(scene.kind == .documentGroup ? scene.supportedTypes : scene.matching ?? [])
        )
      }
      if application.scenes.isEmpty {
        rows.append(application.id, "", "", application.origin, rows.cell(claims), "nothing")
      }
    }
    try rows.show(orElse: "No application is declared.")
  }
}

extension ApplicationDescription {
  fileprivate var origin: String { path ?? source.rawValue }
}

extension SceneDeclaration {
  /// Nil if the table shows identifiers or types instead.
  fileprivate var opensFor: String? {
    if kind == .documentGroup { return nil }
    guard let matching else { return "events that nothing else takes" }
    return matching.isEmpty ? "nothing" : nil
  }
}

extension Claims {
  fileprivate var all: [String] {
    schemes.map { $0 + ":" } + activityTypes + mimeTypes + hosts.map { "//" + $0 }
  }
}
