/// Identifies an open scene while the router lives; no id is given twice.
package struct SceneID: Hashable, Sendable {
  /// The number of the scene in opening order, counted from 1.
  package let rawValue: UInt64

  /// Wraps a number that a client sent.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Identifies an event and all decisions made for it; no id is given twice.
package struct DecisionID: Hashable, Sendable {
  /// The number of the event in the order in which events were accepted, counted from 1.
  package let rawValue: UInt64

  /// Wraps a number that a client sent.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Identifies one delivery of an event to a scene; no id is given twice.
package struct DeliveryID: Hashable, Sendable {
  /// The number of the delivery, counted from 1.
  package let rawValue: UInt64

  /// Wraps a number that a client sent.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Identifies one request to an application to open a scene; no id is given twice.
package struct OpenRequestID: Hashable, Sendable {
  /// The number of the request, counted from 1.
  package let rawValue: UInt64

  /// Wraps a number that a client sent.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Identifies one start of an application; no id is given twice.
package struct StartID: Hashable, Sendable {
  /// The number of the start, counted from 1.
  package let rawValue: UInt64

  /// Wraps a number.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Identifies the user to whom the resources of a connection are charged.
package struct UserID: Hashable, Sendable {
  /// The numeric user id that the kernel uses.
  package let rawValue: UInt32

  /// Wraps a numeric user id.
  package init(rawValue: UInt32) { self.rawValue = rawValue }
}
