package import DesktopEntries
package import SceneRouting

/// The linter's view of an application.
package struct LintedApplication: Sendable {
  /// The declaration of the application.
  package let declaration: ApplicationDeclaration
  /// The entry that the declaration comes from; nil for a declaration made over a connection.
  package let entry: DesktopEntry?

  /// Makes a linted application.
  package init(_ declaration: ApplicationDeclaration, entry: DesktopEntry? = nil) {
    (self.declaration, self.entry) = (declaration, entry)
  }

  var id: String { declaration.applicationID }

  var claims: Claims { declaration.claims }

  /// False if the application gets only events that name it or one of its scenes, or for which the user chose it.
  var takesPart: Bool { !declaration.isForNamedEventsOnly }

  /// Returns the place for findings about the application, or about one of the application's scenes.
  func place(of scene: SceneDeclaration? = nil) -> String {
    if case .file(let path, _, _) = declaration.source {
      let line = entry?.scenes.first { $0.declarationID == scene?.id ?? "main" }?.line
      return "\(path):\(line ?? 1)"
    }
    return "application '\(id)'" + (scene.map { ", declaration '\($0.id)'" } ?? "")
  }

  /// Returns the place of a line of the application's entry; without a line, the place of the scene.
  func place(ofLine line: Int?, in scene: SceneDeclaration? = nil) -> String {
    guard let line, case .file(let path, _, _) = declaration.source else { return place(of: scene) }
    return "\(path):\(line)"
  }

  /// Returns the name that the user knows for a part of the declaration.
  ///
  /// In a desktop entry the part has the name `key`. In a declaration over a connection it has the name `parameter`.
  func name(_ key: String, _ parameter: String) -> String { entry == nil ? parameter : key }
}

extension Claims {
  var isEmpty: Bool { schemes.isEmpty && activityTypes.isEmpty && mimeTypes.isEmpty && hosts.isEmpty }
}

/// The linter's view of an open scene.
package struct LintedScene: Sendable {
  let id: String
  let applicationID: String
  let declarationID: String?
  let showing: [String]
  let preferring: [String]
  let allowing: [String]

  /// Makes a linted scene.
  ///
  /// Each of the lists `showing`, `preferring` and `allowing` has the items of all views of the scene.
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

/// A choice of applications for links or files, from a line of one of the user's lists.
package struct LintedChoice: Sendable {
  let place: String
  let key: String
  let ids: [String]

  /// Makes a choice of applications, by their desktop ids, for a type or host.
  package init(_ ids: [String], for key: String, at line: Int, of path: String) {
    (self.ids, self.key, place) = (ids, key, "\(path):\(line)")
  }
}

/// The identifier that matches everything.
let wildcard = "*"
