/// Who makes a call.
package struct Client: Hashable, Sendable {
  /// The user whom all that follows from the call is charged to.
  package var user: UserID
  /// The process; `nil` if it is in another PID namespace.
  package var processID: Int32?
  /// The connection that the call came over, for what one connection may hold; never 0.
  package var connection: UInt64

  /// Describes a client.
  package init(user: UserID, processID: Int32? = nil, connection: UInt64 = 1) {
    self.user = user
    self.processID = processID
    self.connection = connection
  }
}
