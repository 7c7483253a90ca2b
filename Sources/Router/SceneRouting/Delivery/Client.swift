/// The client that makes a call.
package struct Client: Hashable, Sendable {
  /// The user who is charged for all consequences of the call.
  package var user: UserID
  /// The client's process; `nil` if the process is in another PID namespace.
  package var processID: Int32?
  /// The connection over which the client makes the call; never 0.
  ///
  /// The number of events under way is limited for each connection.
  package var connection: UInt64

  /// Describes a client.
  package init(user: UserID, processID: Int32? = nil, connection: UInt64 = 1) {
    self.user = user
    self.processID = processID
    self.connection = connection
  }
}
