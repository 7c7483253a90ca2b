import SceneClient

/// A picture of the registry, in the language of Graphviz.
struct RegistryGraph {
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
