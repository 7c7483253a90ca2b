/// A declared application, as every client may see it.
public struct ApplicationDescription: Sendable, Equatable, Identifiable {
  /// Identifies the application.
  public let id: String
  /// The kinds of scenes that the application can open, in the order in which the router tries them.
  public let scenes: [SceneDeclaration]
  /// The events that the application claims.
  public let claims: Claims?
  /// Whether the application has at most one scene, which then gets every event of the application.
  public let isSingleScene: Bool
  /// The id of the desktop entry with which the router starts the application.
  public let desktopID: String?
  /// The source of the declaration.
  public let source: Source
  /// The path of the file with the declaration, if the source is a file.
  public let path: String?
  /// Whether a process of the application is connected and takes open requests.
  public let isRunning: Bool

  package init(
    id: String,
    scenes: [SceneDeclaration],
    claims: Claims? = nil,
    isSingleScene: Bool,
    desktopID: String? = nil,
    source: Source,
    path: String? = nil,
    isRunning: Bool
  ) {
    self.id = id
    self.scenes = scenes
    self.claims = claims
    self.isSingleScene = isSingleScene
    self.desktopID = desktopID
    self.source = source
    self.path = path
    self.isRunning = isRunning
  }
}

extension ApplicationDescription {
  /// The source of a declaration.
  ///
  /// Later versions may add values.
  public struct Source: RawRepresentable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String

    /// Makes a source from its name on the wire.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The declaration comes from a desktop entry.
    public static let file = Source(rawValue: "file")
    /// The declaration comes from a process that is connected to the router.
    public static let connection = Source(rawValue: "connection")
  }
}
