import RouterInterface

/// A kind of scene that an application can open, and the events for which a new scene is opened.
public struct SceneDeclaration: Sendable, Hashable, Identifiable {
  /// The way in which a declaration is chosen.
  public enum Kind: Sendable, Hashable {
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
  /// The way in which the declaration is chosen.
  public var kind: Kind
  /// The identifiers of a window group; an event matches the declaration if it contains one of them.
  ///
  /// `"*"` matches every event, and an empty array matches none. Nil makes the declaration a default. A default
  /// is chosen only if the event matches no other declaration of the application.
  public var matching: [String]?
  /// The files that a document group opens: MIME types (`image/png`, `image/*`) or filename extensions
  /// (`png`).
  public var supportedTypes: [String]
  /// Whether at most one scene of this kind can be open at a time.
  public var isSingleton: Bool

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
      kind: .windowGroup,
      matching: matching,
      supportedTypes: [],
      isSingleton: isSingleton
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
      kind: .documentGroup,
      matching: nil,
      supportedTypes: supportedTypes,
      isSingleton: isSingleton
    )
  }
}

extension SceneDeclaration: WireRepresentable {
  init(_ wire: Wire.SceneDeclaration) {
    self.init(
      id: wire.declarationID,
      title: wire.title,
      kind: wire.kind == .documentGroup ? .documentGroup : .windowGroup,
      matching: wire.matching,
      supportedTypes: wire.supportedTypes,
      isSingleton: wire.isSingleton ?? false
    )
  }

  var wire: Wire.SceneDeclaration {
    Wire.SceneDeclaration(
      declarationID: id,
      title: title,
      kind: kind == .documentGroup ? .documentGroup : nil,
      matching: matching,
      supportedTypes: supportedTypes,
      isSingleton: isSingleton ? true : nil
    )
  }
}
