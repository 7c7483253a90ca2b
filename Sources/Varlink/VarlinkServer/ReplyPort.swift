package import UnixSocket
package import Varlink

/// Takes the replies of a service, and holds the table of connections.
///
/// A reply is added to the queue of its connection. The loop writes the queues after the service has returned. A reply
/// for an ended connection is dropped. If the replies that a client has not read exceed ``Connection/outputLimit``, the
/// connection is closed.
package final class ReplyPort {
  /// The most memory that the writer keeps for the next reply: 64 KiB.
  private static var keptBytes: Int { 1 << 16 }

  let limits: ServerLimits
  private var connections: [Connection?] = []
  /// For each slot of ``connections``, the number of connections that the slot has held so far.
  private var uses: [UInt32] = []
  private var freeSlots: [Int] = []
  private var connectionsOfUser: [UInt32: Int] = [:]
  private var writer = JSONWriter()
  /// The connections to be settled.
  ///
  /// Settling writes the queue, charges the user for memory, and closes a finished connection.
  var dirty: [Connection] = []

  init(limits: ServerLimits) { self.limits = limits }

  /// The number of connected clients.
  package private(set) var connectionCount = 0

  /// Returns the credentials of the client; `nil` if the connection has ended.
  package func peer(of connection: ConnectionID) -> PeerCredentials? { self[connection]?.peer }

  /// Returns the number of bytes that a client has not read; 0 if the connection has ended.
  package func queuedBytes(of connection: ConnectionID) -> Int { self[connection]?.queuedBytes ?? 0 }

  /// Requests one call of ``VarlinkService/outputDrained(_:)`` after the queue of a connection has been written.
  package func noticeDrain(of connection: ConnectionID) {
    guard let connection = self[connection] else { return }
    connection.wantsDrainNotice = true
    markDirty(connection)
  }

  /// Answers a call; `writeMembers` writes the members of the reply's parameters.
  package func reply(to id: CallID, continues: Bool = false, writing writeMembers: (inout JSONWriter) -> Void)
  {
    guard let connection = connection(of: id) else { return }
    writer.reply(continues: continues, writing: writeMembers)
    sendWritten(to: connection, id.ticket, continues: continues)
  }

  /// Sends the same reply to several calls.
  ///
  /// The reply is encoded only once.
  package func reply(to ids: [CallID], _ parameters: some ObjectEncodable, continues: Bool = false) {
    guard !ids.isEmpty else { return }
    writer.reply(parameters, continues: continues)
    for id in ids {
      if let connection = connection(of: id) { queue(writer.bytes, to: connection, id.ticket, continues) }
    }
    writer.removeAll(keepingUpTo: Self.keptBytes)
  }

  /// Answers a call with an error; the error is the last reply to the call.
  package func reply(to id: CallID, error: some ErrorReply) {
    guard let connection = connection(of: id) else { return }
    writer.reply(error: error)
    sendWritten(to: connection, id.ticket, continues: false)
  }
}

// MARK: - Replies

extension ReplyPort {
  /// Answers a call of `org.varlink.service`, or a call that the service did not carry out.
  func reply(to call: borrowing Call, _ id: CallID, by interface: ServiceInterface) {
    guard let connection = connection(of: id) else { return }
    interface.reply(to: call, in: &writer)
    sendWritten(to: connection, id.ticket, continues: false)
  }

  /// Returns the connection for the reply to a call; `nil` if the connection has ended or the call gets no reply.
  private func connection(of id: CallID) -> Connection? {
    id.mode == .oneway ? nil : self[id.connection]
  }

  private func sendWritten(to connection: Connection, _ ticket: CallTicket, continues: Bool) {
    queue(writer.bytes, to: connection, ticket, continues)
    writer.removeAll(keepingUpTo: Self.keptBytes)
  }

  private func queue(_ reply: Span<UInt8>, to connection: Connection, _ ticket: CallTicket, _ continues: Bool)
  {
    connection.reply(to: ticket, reply, continues: continues)
    // The connection becomes dirty even if the reply is held until earlier calls are answered, because the reply may be
    // the last reply to a call with `more`. The loop can then carry out the calls that waited for the end of this call.
    markDirty(connection)
    if connection.queuedBytes > connection.outputLimit { fail(connection) }
  }
}

// MARK: - Connections

extension ReplyPort {
  /// Returns the connection with an id; `nil` if the connection has ended.
  subscript(_ id: ConnectionID) -> Connection? {
    guard id.slot < connections.count, let connection = connections[id.slot], connection.id == id else {
      return nil
    }
    return connection
  }

  var all: [Connection] { connections.compactMap { $0 } }

  func connectionCount(ofUser user: UInt32) -> Int { connectionsOfUser[user] ?? 0 }

  func add(_ socket: consuming StreamSocket, _ peer: PeerCredentials, _ admission: Admission) -> Connection {
    let slot = freeSlots.popLast() ?? connections.count
    if slot == connections.count {
      connections.append(nil)
      uses.append(0)
    }
    uses[slot] += 1
    let connection = Connection(
      id: ConnectionID(rawValue: UInt64(uses[slot]) << 32 | UInt64(slot)),
      socket: socket,
      peer: peer,
      admission: admission,
      limits: limits
    )
    connections[slot] = connection
    connectionsOfUser[peer.userID, default: 0] += 1
    connectionCount += 1
    return connection
  }

  func remove(_ connection: Connection) {
    connection.phase = .closed
    connections[connection.id.slot] = nil
    freeSlots.append(connection.id.slot)
    let left = connectionCount(ofUser: connection.peer.userID) - 1
    connectionsOfUser[connection.peer.userID] = left > 0 ? left : nil
    connectionCount -= 1
  }

  /// Closes a connection after its queue has been written.
  func end(_ connection: Connection) {
    if connection.phase == .open { connection.phase = .ending }
    markDirty(connection)
  }

  /// Closes a connection without writing its queue.
  func fail(_ connection: Connection) {
    guard connection.phase != .closed else { return }
    connection.phase = .failed
    markDirty(connection)
  }

  func markDirty(_ connection: Connection) {
    guard !connection.isDirty else { return }
    connection.isDirty = true
    dirty.append(connection)
  }
}
