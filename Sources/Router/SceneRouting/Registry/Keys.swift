/// Identifies an open scene while the router lives; no id is given twice.
package struct SceneID: Hashable, Sendable {
  /// Counts up from 1, in opening order.
  package let rawValue: UInt64

  /// Wraps a number that a client sent.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Identifies an event and all decisions made for it; no id is given twice.
package struct DecisionID: Hashable, Sendable {
  /// Counts up from 1, in the order in which events were accepted.
  package let rawValue: UInt64

  /// Wraps a number that a client sent.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Identifies one delivery of an event to a scene; no id is given twice.
package struct DeliveryID: Hashable, Sendable {
  /// Counts up from 1.
  package let rawValue: UInt64

  /// Wraps a number that a client sent.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Identifies one request to an application to open a scene; no id is given twice.
package struct OpenRequestID: Hashable, Sendable {
  /// Counts up from 1.
  package let rawValue: UInt64

  /// Wraps a number that a client sent.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Identifies one start of an application; no id is given twice.
package struct StartID: Hashable, Sendable {
  /// Counts up from 1.
  package let rawValue: UInt64

  /// Wraps a number.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Identifies the user to whom the resources of a connection are charged.
package struct UserID: Hashable, Sendable {
  /// The numeric user id of the kernel.
  package let rawValue: UInt32

  /// Wraps a numeric user id.
  package init(rawValue: UInt32) { self.rawValue = rawValue }
}
