import RouterInterface

/// How one attempt at an event ended.
public struct Settlement: Sendable, Equatable, WireRepresentable {
  let wire: Wire.Settlement

  init(_ wire: Wire.Settlement) {
    self.wire = wire
  }

  /// Identifies the event: all attempts at one have the same.
  public var decisionID: String { wire.decisionID }
  /// The delivery to a scene, if it was one.
  public var deliveryID: String? { wire.deliveryID }
  /// The request for a new scene, if it was one.
  public var openRequestID: String? { wire.openRequestID }
  /// The scene that the event was for; for an open request, the new one.
  public var sceneID: String? { wire.sceneID }
  /// How it ended.
  public var result: Result { Result(rawValue: wire.result) }
  /// Why, in words of who declined or failed.
  public var reason: String? { wire.reason }
}

extension Settlement {
  /// How an attempt ended; values may be added.
  public struct Result: RawRepresentable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String

    /// A result by its name on the wire.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The scene took the event.
    public static let acknowledged = Result(rawValue: "acknowledged")
    /// The event was handed to an application that knows nothing of scenes.
    public static let launched = Result(rawValue: "launched")
    /// The scene did not want the event.
    public static let declined = Result(rawValue: "declined")
    /// The time was over.
    public static let timeout = Result(rawValue: "timeout")
    /// The scene was closed.
    public static let sceneClosed = Result(rawValue: "sceneClosed")
    /// The application could not be started, or did not open the scene.
    public static let launchFailed = Result(rawValue: "launchFailed")
    /// The router stopped.
    public static let shutdown = Result(rawValue: "shutdown")
    /// An open request was answered with a scene.
    public static let opened = Result(rawValue: "opened")
  }
}
