import RouterInterface

/// A report that a delivery or an open request needs no answer any more.
public struct Withdrawal: Sendable, Equatable, WireRepresentable {
  let wire: Wire.Withdrawal

  init(_ wire: Wire.Withdrawal) {
    self.wire = wire
  }

  /// The id of the withdrawn delivery; nil if an open request is withdrawn.
  public var deliveryID: String? { wire.deliveryID }
  /// The id of the withdrawn open request; nil if a delivery is withdrawn.
  public var openRequestID: String? { wire.openRequestID }
  /// The reason for the withdrawal.
  public var reason: Reason { Reason(rawValue: wire.reason) }
}

extension Withdrawal {
  /// The reason for a withdrawal.
  ///
  /// A later version of the router can send other values.
  public struct Reason: RawRepresentable, Sendable, Hashable {
    /// The name of the reason on the wire.
    public let rawValue: String

    /// Makes a reason from its name on the wire.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The time to answer the delivery or the open request is over.
    public static let timeout = Reason(rawValue: "timeout")
    /// The router is stopping.
    public static let shutdown = Reason(rawValue: "shutdown")
  }
}

extension Wire.Withdrawal {
  /// A connection that reconnects does not show such a withdrawal, so that the program keeps the event, and
  /// ``ShownEvents`` the event's id, if it has one.
  var isAtShutdown: Bool { reason == Withdrawal.Reason.shutdown.rawValue }
}

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
