/// The reason why the router ended a stream.
///
/// A later version of the router can send other values.
public struct ClosingReason: RawRepresentable, Sendable, Hashable {
  /// The name of the reason on the wire.
  public let rawValue: String

  /// Makes a reason from its name on the wire.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// ``OpenScene/close()`` was called.
  public static let requested = ClosingReason(rawValue: "requested")
  /// The router is stopping.
  public static let shutdown = ClosingReason(rawValue: "shutdown")
}

extension Withdrawal {
  /// A connection that reconnects does not show such a withdrawal, so that the program keeps the event, and
  /// ``ShownEvents`` the event's id, if it has one.
  var isAtShutdown: Bool { reason == .shutdown }
}
