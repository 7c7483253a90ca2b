import RouterInterface

/// A report that a delivery or an open request needs no answer any more.
public struct Withdrawal: Sendable, Equatable, WireRepresentable {
  let wire: Wire.Withdrawal

  init(_ wire: Wire.Withdrawal) {
    self.wire = wire
  }

  /// The delivery, if one is withdrawn.
  public var deliveryID: String? { wire.deliveryID }
  /// The open request, if one is withdrawn.
  public var openRequestID: String? { wire.openRequestID }
  /// The reason for the withdrawal.
  public var reason: Reason { Reason(rawValue: wire.reason) }
}

extension Withdrawal {
  /// The reason for a withdrawal.
  ///
  /// Later versions may add values.
  public struct Reason: RawRepresentable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String

    /// Makes a reason from its name on the wire.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The time for the answer is over.
    public static let timeout = Reason(rawValue: "timeout")
    /// The router is stopping.
    public static let shutdown = Reason(rawValue: "shutdown")
  }
}

extension Wire.Withdrawal {
  /// Whether the router is stopping.
  ///
  /// If so, the event stays with the program, and the program reports the event to the next router as taken.
  var isAtShutdown: Bool { reason == Withdrawal.Reason.shutdown.rawValue }
}

/// The reason why the router ended a stream.
///
/// Later versions may add values.
public struct ClosingReason: RawRepresentable, Sendable, Hashable {
  /// The name on the wire.
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
