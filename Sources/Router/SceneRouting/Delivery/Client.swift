package struct Client: Hashable, Sendable {
  /// The user who is charged for all consequences of the call.
  package var user: UserID
  /// `nil` if the process is in another PID namespace.
  package var processID: Int32?
  /// Never 0, which is the empty place of an ``IDTable``.
  package var connection: UInt64

  package init(user: UserID, processID: Int32? = nil, connection: UInt64 = 1) {
    self.user = user
    self.processID = processID
    self.connection = connection
  }
}
