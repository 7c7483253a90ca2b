/// A kind of scene that an application can open, and the events for which a new scene is opened.
public struct SceneDeclaration: Sendable, Identifiable {
  /// The way in which a declaration is chosen.
  public enum Kind: String, Sendable, CaseIterable {
    /// A window group is chosen for events that match ``SceneDeclaration/matching``.
    case windowGroup
    /// A document group is chosen only for files with one of the types
    /// ``SceneDeclaration/supportedTypes``.
    case documentGroup
  }

  /// Identifies the declaration within the application.
  public var id: String
  /// A title for people.
  public var title: String?
  /// The kind as it is on the wire, where nil stands for a window group.
  package var statedKind: Kind?
  /// The identifiers of a window group; an event matches the declaration if it contains one of them.
  ///
  /// `"*"` matches every event, and an empty array matches none. Nil makes the declaration a default. A default
  /// is chosen only if the event matches no other declaration of the application.
  public var matching: [String]?
  /// The files that a document group opens: MIME types (`image/png`, `image/*`) or filename extensions
  /// (`png`).
  public var supportedTypes: [String]
  /// ``isSingleton`` as it is on the wire, where nil stands for false.
  package var statedSingleton: Bool?

  package init(
    id: String,
    title: String?,
    statedKind: Kind?,
    matching: [String]?,
    supportedTypes: [String],
    statedSingleton: Bool?
  ) {
    self.id = id
    self.title = title
    self.statedKind = statedKind
    self.matching = matching
    self.supportedTypes = supportedTypes
    self.statedSingleton = statedSingleton
  }

  /// Makes a declaration that states its kind, and whether it is a singleton.
  package init(
    id: String,
    title: String? = nil,
    kind: Kind = .windowGroup,
    matching: [String]? = nil,
    supportedTypes: [String] = [],
    isSingleton: Bool = false
  ) {
    self.init(
      id: id,
      title: title,
      statedKind: kind,
      matching: matching,
      supportedTypes: supportedTypes,
      statedSingleton: isSingleton
    )
  }

  /// Makes a window group; `matching` corresponds to SwiftUI's `handlesExternalEvents(matching:)`.
  public static func windowGroup(
    _ id: String,
    title: String? = nil,
    matching: [String]? = nil,
    isSingleton: Bool = false
  ) -> SceneDeclaration {
    SceneDeclaration(
      id: id,
      title: title,
      statedKind: nil,
      matching: matching,
      supportedTypes: [],
      statedSingleton: isSingleton ? true : nil
    )
  }

  /// Makes a document group, which opens files of these types.
  public static func documentGroup(
    _ id: String,
    title: String? = nil,
    supportedTypes: [String],
    isSingleton: Bool = false
  ) -> SceneDeclaration {
    SceneDeclaration(
      id: id,
      title: title,
      statedKind: .documentGroup,
      matching: nil,
      supportedTypes: supportedTypes,
      statedSingleton: isSingleton ? true : nil
    )
  }

  /// The way in which the declaration is chosen.
  public var kind: Kind {
    get { statedKind ?? .windowGroup }
    set { statedKind = newValue == .windowGroup ? nil : newValue }
  }

  /// Whether at most one scene of this kind can be open at a time.
  public var isSingleton: Bool {
    get { statedSingleton ?? false }
    set { statedSingleton = newValue ? true : nil }
  }

  /// The declaration as the router lists it.
  package var stated: SceneDeclaration {
    var declaration = self
    (declaration.statedKind, declaration.statedSingleton) = (kind, isSingleton)
    return declaration
  }
}

extension SceneDeclaration: Hashable {
  /// Whether two declarations have the same properties.
  public static func == (left: SceneDeclaration, right: SceneDeclaration) -> Bool {
    left.id == right.id && left.title == right.title && left.kind == right.kind
      && left.matching == right.matching && left.supportedTypes == right.supportedTypes
      && left.isSingleton == right.isSingleton
  }

  /// Hashes the id and the kind.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(kind)
  }
}
