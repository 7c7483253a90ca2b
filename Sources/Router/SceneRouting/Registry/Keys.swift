/// Identifies an open scene for as long as the router lives; never given twice.
package struct SceneID: Hashable, Sendable {
  /// Counts up from 1, in opening order.
  package let rawValue: UInt64

  /// Wraps a number, as read from a client.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Identifies an event on its way and all decisions made for it; never given twice.
package struct DecisionID: Hashable, Sendable {
  /// Counts up from 1, in the order in which events were accepted.
  package let rawValue: UInt64

  /// Wraps a number, as read from a client.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Identifies one delivery of an event to a scene; never given twice.
package struct DeliveryID: Hashable, Sendable {
  /// Counts up from 1.
  package let rawValue: UInt64

  /// Wraps a number, as read from a client.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Identifies one request to an application to open a scene; never given twice.
package struct OpenRequestID: Hashable, Sendable {
  /// Counts up from 1.
  package let rawValue: UInt64

  /// Wraps a number, as read from a client.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Identifies one start of an application; never given twice.
package struct StartID: Hashable, Sendable {
  /// Counts up from 1.
  package let rawValue: UInt64

  /// Wraps a number.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The user whom all that a connection uses is charged to.
package struct UserID: Hashable, Sendable {
  /// The numeric user id of the kernel.
  package let rawValue: UInt32

  /// Wraps a numeric user id.
  package init(rawValue: UInt32) { self.rawValue = rawValue }
}
