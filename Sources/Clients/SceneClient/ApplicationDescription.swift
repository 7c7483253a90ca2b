import RouterInterface

/// A declared application, as every client may see it.
public struct ApplicationDescription: Sendable, Equatable, Identifiable, WireRepresentable {
  let wire: Wire.Application

  init(_ wire: Wire.Application) {
    self.wire = wire
  }

  /// Identifies the application.
  public var id: String { wire.applicationID }
  /// The kinds of scenes that the application can open, in the order in which the router tries them.
  public var scenes: [SceneDeclaration] { wire.scenes }
  /// The events that the application claims.
  public var claims: Claims? { wire.claims }
  /// Whether the application has at most one scene, which then gets every event of the application.
  public var isSingleScene: Bool { wire.isSingleScene }
  /// The id of the desktop entry with which the router starts the application.
  public var desktopID: String? { wire.desktopID }
  /// The source of the declaration.
  public var source: Source { Source(rawValue: wire.source) }
  /// The path of the file with the declaration, if the source is a file.
  public var path: String? { wire.path }
  /// Whether a process of the application is connected and takes open requests.
  public var isRunning: Bool { wire.isRunning }
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
