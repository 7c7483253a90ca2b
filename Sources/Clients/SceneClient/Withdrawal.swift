import RouterInterface

/// Tells that something offered earlier is no longer to be answered.
public struct Withdrawal: Sendable, Equatable, WireRepresentable {
  let wire: Wire.Withdrawal

  init(_ wire: Wire.Withdrawal) {
    self.wire = wire
  }

  /// The delivery, if it is one.
  public var deliveryID: String? { wire.deliveryID }
  /// The open request, if it is one.
  public var openRequestID: String? { wire.openRequestID }
  /// Why it is withdrawn.
  public var reason: Reason { Reason(rawValue: wire.reason) }
}

extension Withdrawal {
  /// Why something is withdrawn; values may be added.
  public struct Reason: RawRepresentable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String

    /// A reason by its name on the wire.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Its time is over.
    public static let timeout = Reason(rawValue: "timeout")
    /// The router is going away.
    public static let shutdown = Reason(rawValue: "shutdown")
  }
}

/// Why the router ended a stream; values may be added.
public struct ClosingReason: RawRepresentable, Sendable, Hashable {
  /// The name on the wire.
  public let rawValue: String

  /// A reason by its name on the wire.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// ``OpenScene/close()`` was called.
  public static let requested = ClosingReason(rawValue: "requested")
  /// The router is going away.
  public static let shutdown = ClosingReason(rawValue: "shutdown")
}
