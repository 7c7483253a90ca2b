import RouterInterface

/// A kind of scene that an application can open, and the events that a new one is opened for.
public struct SceneDeclaration: Sendable, Hashable, Identifiable {
  /// How a declaration is chosen.
  public enum Kind: Sendable, Hashable {
    /// By ``SceneDeclaration/matching``.
    case windowGroup
    /// By ``SceneDeclaration/supportedTypes`` alone.
    case documentGroup
  }

  /// Unique within the application.
  public var id: String
  /// For people.
  public var title: String?
  /// How it is chosen.
  public var kind: Kind
  /// The identifiers that a new scene of a window group is opened for.
  ///
  /// `"*"` matches everything, an empty array nothing. Nil means no condition: taken only if no declaration of the
  /// application with a condition matches.
  public var matching: [String]?
  /// What a document group opens: MIME types (`image/png`, `image/*`) or filename extensions (`png`).
  public var supportedTypes: [String]
  /// Whether there is never more than one scene of this kind.
  public var isSingleton: Bool

  /// A window group, as with SwiftUI's `handlesExternalEvents(matching:)`.
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

  /// A document group, which opens files of certain types.
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
