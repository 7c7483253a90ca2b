/// A report that a delivery or an open request needs no answer any more.
public struct Withdrawal: Sendable, Equatable {
  /// The id of the withdrawn delivery; nil if an open request is withdrawn.
  public let deliveryID: String?
  /// The id of the withdrawn open request; nil if a delivery is withdrawn.
  public let openRequestID: String?
  /// The reason for the withdrawal.
  public let reason: Reason

  package init(deliveryID: String? = nil, openRequestID: String? = nil, reason: Reason) {
    self.deliveryID = deliveryID
    self.openRequestID = openRequestID
    self.reason = reason
  }
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
