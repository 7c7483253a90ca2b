package import DesktopEntries
package import SceneRouting

/// An application, as far as it is checked.
package struct LintedApplication: Sendable {
  /// What it declares.
  package let declaration: ApplicationDeclaration
  /// The entry that declares it, if it is one.
  package let entry: DesktopEntry?

  /// Makes one.
  package init(_ declaration: ApplicationDeclaration, entry: DesktopEntry? = nil) {
    (self.declaration, self.entry) = (declaration, entry)
  }

  var id: String { declaration.applicationID }

  var claims: Claims { declaration.claims }

  /// Whether it takes part in events that do not name it.
  var takesPart: Bool { !declaration.isForNamedEventsOnly }

  /// Where the application says what is wrong, or one of its scenes.
  func place(of scene: SceneDeclaration? = nil) -> String {
    if case .file(let path, _) = declaration.source {
      let line = entry?.scenes.first { $0.declarationID == scene?.id ?? "main" }?.line
      return "\(path):\(line ?? 1)"
    }
    return "application '\(id)'" + (scene.map { ", declaration '\($0.id)'" } ?? "")
  }

  /// The name that a part of a declaration has in its source.
  func name(_ key: String, _ parameter: String) -> String { entry == nil ? parameter : key }
}

extension Claims {
  var isEmpty: Bool { schemes.isEmpty && activityTypes.isEmpty && mimeTypes.isEmpty && hosts.isEmpty }
}

/// An open scene, as far as it is checked.
package struct LintedScene: Sendable {
  let id: String
  let applicationID: String
  let declarationID: String?
  let preferring: [String]
  let allowing: [String]

  /// Makes one, with all that its views prefer and allow.
  package init(
    id: String,
    applicationID: String,
    declarationID: String? = nil,
    preferring: [String] = [],
    allowing: [String] = []
  ) {
    (self.id, self.applicationID, self.declarationID) = (id, applicationID, declarationID)
    (self.preferring, self.allowing) = (preferring, allowing)
  }

  var identifiers: [String] { preferring + allowing }

  var isWildcard: Bool { identifiers.contains(wildcard) }

  var place: String { "scene '\(id)' of application '\(applicationID)'" }
}

/// The identifier that matches everything.
let wildcard = "*"
