import RouterInterface

/// A declared application, as everybody may see it.
public struct ApplicationDescription: Sendable, Equatable, Identifiable, WireRepresentable {
  let wire: Wire.Application

  init(_ wire: Wire.Application) {
    self.wire = wire
  }

  /// Identifies the application.
  public var id: String { wire.applicationID }
  /// The kinds of scenes it can open, in the order in which they are tried.
  public var scenes: [SceneDeclaration] { wire.scenes.map(SceneDeclaration.init) }
  /// The events it stands for.
  public var claims: Claims? { wire.claims.map(Claims.init) }
  /// Whether it has one scene at most, which then gets every event of the application.
  public var isSingleScene: Bool { wire.isSingleScene }
  /// The desktop entry by which the router starts the application.
  public var desktopID: String? { wire.desktopID }
  /// Where the declaration comes from.
  public var source: Source { Source(rawValue: wire.source) }
  /// The file that the declaration comes from, if it is one.
  public var path: String? { wire.path }
  /// Whether a process is there to take open requests.
  public var isRunning: Bool { wire.isRunning }
}

extension ApplicationDescription {
  /// Where a declaration comes from; values may be added.
  public struct Source: RawRepresentable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String

    /// A source by its name on the wire.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A desktop entry.
    public static let file = Source(rawValue: "file")
    /// A process that is connected to the router.
    public static let connection = Source(rawValue: "connection")
  }
}
