/// The end of one attempt to hand an event to a target.
public struct Settlement: Sendable, Equatable {
  /// Identifies the event; all settlements of one event have the same value.
  public let decisionID: String
  /// The id of the delivery to a scene; nil if there was no delivery.
  public let deliveryID: String?
  /// The id of the request for a new scene; nil if there was no such request.
  public let openRequestID: String?
  /// The target scene; for an open request, the new scene.
  public let sceneID: String?
  /// The result of the attempt to hand the event to the target.
  public let result: Result
  /// The reason why the target did not take the event, as the target or the router gave it, if any.
  public let reason: String?

  package init(
    decisionID: String,
    deliveryID: String? = nil,
    openRequestID: String? = nil,
    sceneID: String? = nil,
    result: Result,
    reason: String? = nil
  ) {
    self.decisionID = decisionID
    self.deliveryID = deliveryID
    self.openRequestID = openRequestID
    self.sceneID = sceneID
    self.result = result
    self.reason = reason
  }
}

extension Settlement {
  /// The result of an attempt to hand an event to a target.
  ///
  /// A later version of the router can send other values.
  public struct Result: RawRepresentable, Sendable, Hashable {
    /// The name of the result on the wire.
    public let rawValue: String

    /// Makes a result from its name on the wire.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The scene has taken the event.
    public static let acknowledged = Result(rawValue: "acknowledged")
    /// The router has handed the event to an application that does not talk to the router.
    public static let launched = Result(rawValue: "launched")
    /// The scene has declined the event.
    public static let declined = Result(rawValue: "declined")
    /// The scene has neither taken nor declined the event in time.
    public static let timeout = Result(rawValue: "timeout")
    /// The scene was closed before it took or declined the event.
    public static let sceneClosed = Result(rawValue: "sceneClosed")
    /// The application has not opened the requested scene.
    ///
    /// The application declined, did not start, did not open the scene in time, or is no longer declared.
    public static let launchFailed = Result(rawValue: "launchFailed")
    /// The router stopped before the attempt ended.
    public static let shutdown = Result(rawValue: "shutdown")
    /// A scene was opened for the open request.
    ///
    /// No ``Settlement`` has this result. It occurs only in ``AnswerOutcome/tooLate(_:)`` and
    /// ``RouterError/Code/noSuchOpenRequest(id:result:)``.
    public static let opened = Result(rawValue: "opened")
  }
}
