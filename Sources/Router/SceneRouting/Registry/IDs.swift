/// Counted from 1 in opening order.
package struct SceneID: Hashable, Sendable, IDTableKey {
  package let rawValue: UInt64
  package var tableKey: UInt64 { rawValue }

  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Identifies an event and all decisions made for it; counted from 1 in the order of acceptance.
package struct DecisionID: Hashable, Sendable, IDTableKey {
  package let rawValue: UInt64
  package var tableKey: UInt64 { rawValue }

  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

package struct DeliveryID: Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

package struct OpenRequestID: Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

package struct StartID: Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The kernel's number of the user who is charged.
package struct UserID: Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }
}
