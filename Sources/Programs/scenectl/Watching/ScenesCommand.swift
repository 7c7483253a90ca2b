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

  @Flag(help: "Print all columns and whole lines.")
  var long = false

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
      Table.sceneTitles + (long ? ["DECLARATION", "PROCESS", "PENDING"] : []),
      isWhole: table.full || long
    )
    let isShort = Terminal.size != nil && !table.full && !long
    for scene in scenes {
      let cells = rows.cells(of: scene, isShort: isShort)
      let more = [
        scene.declarationID, scene.processID.map(String.init), String(scene.pendingDeliveries),
      ]
      rows.append(long ? cells + more : cells)
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

extension Table {
  static let sceneTitles = ["TITLE", "SHOWS", "APPLICATION", "SCENE", "PREFERS", "ALLOWS"]

  /// `isShort` leaves out what most addresses begin with.
  func cells(of scene: SceneDescription, isShort: Bool) -> [String?] {
    let showing = scene.registrations.flatMap(\.showing)
    return [
      scene.title,
      cell(isShort ? showing.map(\.withoutUsualBeginning) : showing),
      scene.applicationID,
      scene.id,
      cell(scene.registrations.flatMap(\.preferring)),
      cell(scene.registrations.flatMap(\.allowing)),
    ]
  }
}

private struct NoSuchApplication: Error, CustomStringConvertible {
  let description: String
}

/// A picture of the registry, in the language of Graphviz.
private struct RegistryGraph {
  let text: String

  init(_ applications: [ApplicationDescription], _ scenes: [SceneDescription]) {
    let declared = Dictionary(applications.map { ($0.id, $0) }) { first, _ in first }
    let scenesOf = Dictionary(grouping: scenes, by: \.applicationID)
    var lines = ["digraph scened {", "  rankdir=LR; node [fontname=\"sans-serif\"];"]
    for application in Set(declared.keys).union(scenesOf.keys).sorted() {
      lines.append("  subgraph \(Self.quoted("cluster \(application)")) {")
      lines.append("    label=\(Self.quoted(application));")
      for declaration in declared[application]?.scenes ?? [] {
        let opensFor =
          Self.list("matching", declaration.matching) ?? Self.list("opens", declaration.supportedTypes)
        lines.append(Self.node("\(application) \(declaration.id)", "box", [declaration.id, opensFor]))
      }
      for scene in scenesOf[application] ?? [] {
        let shows = Self.list("shows", scene.registrations.flatMap(\.showing))
        let prefers = Self.list("prefers", scene.registrations.flatMap(\.preferring))
        let allows = Self.list("allows", scene.registrations.flatMap(\.allowing))
        lines.append(Self.node(scene.id, "ellipse", [scene.title ?? scene.id, shows, prefers, allows]))
        guard let declaration = scene.declarationID else { continue }
        lines.append("    \(Self.quoted("\(application) \(declaration)")) -> \(Self.quoted(scene.id));")
      }
      lines.append("  }")
    }
    text = (lines + ["}"]).joined(separator: "\n")
  }

  private static func node(_ id: String, _ shape: String, _ label: [String?]) -> String {
    "    \(quoted(id)) [shape=\(shape), label=\(quoted(label.compactMap(\.self).joined(separator: "\n")))];"
  }

  private static func list(_ name: String, _ identifiers: [String]?) -> String? {
    identifiers.flatMap { $0.isEmpty ? nil : "\(name) \($0.abridged)" }
  }

  /// For DOT, the language of Graphviz; line breaks are kept.
  private static func quoted(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line).printable.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
    return "\"" + lines.joined(separator: "\\n") + "\""
  }
}
