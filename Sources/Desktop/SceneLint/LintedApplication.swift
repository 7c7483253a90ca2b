package import DesktopEntries
package import SceneRouting

package struct LintedApplication: Sendable {
  package let declaration: ApplicationDeclaration
  /// Nil for a declaration made over a connection.
  package let entry: DesktopEntry?

  package init(_ declaration: ApplicationDeclaration, entry: DesktopEntry? = nil) {
    (self.declaration, self.entry) = (declaration, entry)
  }

  var id: String { declaration.applicationID }

  var claims: Claims { declaration.claims }

  /// False if the application gets only events that name it or one of its scenes, or for which the user chose it.
  var takesPart: Bool { !declaration.isForNamedEventsOnly }

  func place(of scene: SceneDeclaration? = nil) -> String {
    if case .file(let path, _, _) = declaration.source {
      let line = entry?.scenes.first { $0.declarationID == scene?.id ?? "main" }?.line
      return "\(path):\(line ?? 1)"
    }
    return "application '\(id)'" + (scene.map { ", declaration '\($0.id)'" } ?? "")
  }

  /// Without a line, the place of the scene.
  func place(ofLine line: Int?, in scene: SceneDeclaration? = nil) -> String {
    guard let line, case .file(let path, _, _) = declaration.source else { return place(of: scene) }
    return "\(path):\(line)"
  }

  /// What the user knows: `key` in a desktop entry, `parameter` in a declaration over a connection.
  func name(_ key: String, _ parameter: String) -> String { entry == nil ? parameter : key }
}

extension Claims {
  var isEmpty: Bool { schemes.isEmpty && activityTypes.isEmpty && mimeTypes.isEmpty && hosts.isEmpty }
}

package struct LintedScene: Sendable {
  let id: String
  let applicationID: String
  let declarationID: String?
  let showing: [String]
  let preferring: [String]
  let allowing: [String]

  /// Each list has the items of all views of the scene.
  package init(
    id: String,
    applicationID: String,
    declarationID: String? = nil,
    showing: [String] = [],
    preferring: [String] = [],
    allowing: [String] = []
  ) {
    (self.id, self.applicationID, self.declarationID) = (id, applicationID, declarationID)
    (self.showing, self.preferring, self.allowing) = (showing, preferring, allowing)
  }

  var identifiers: [String] { preferring + allowing }

  var isWildcard: Bool { identifiers.contains(wildcard) }

  var place: String { "scene '\(id)' of application '\(applicationID)'" }
}

/// A line of one of the user's lists.
package struct LintedChoice: Sendable {
  let place: String
  let key: String
  let ids: [String]

  /// `ids` are desktop ids; `key` is a type or a host.
  package init(_ ids: [String], for key: String, at line: Int, of path: String) {
    (self.ids, self.key, place) = (ids, key, "\(path):\(line)")
  }
}

let wildcard = "*"
