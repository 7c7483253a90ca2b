package import UnixSocket
package import Varlink

/// A service's way to its clients, and the table of connections behind it.
///
/// A reply is put in the queue of its connection; the server writes the queues when the service has returned. A
/// reply to a connection that is gone is dropped. A connection whose queue grows past its limit is closed.
package final class ReplyPort {
  let limits: ServerLimits
  private var connections: [Connection?] = []
  private var uses: [UInt32] = []
  private var freeSlots: [Int] = []
  private var connectionsOfUser: [UInt32: Int] = [:]
  private var writer = JSONWriter()
  /// As much memory as the writer keeps for the next reply.
  private static var keptBytes: Int { 1 << 16 }
  private var spareBuffers = SpareBuffers()
  /// The connections whose calls may be carried out again.
  var resumed: [Connection] = []
  /// The connections with something to be written or closed.
  var dirty: [Connection] = []

  init(limits: ServerLimits) { self.limits = limits }

  /// How many clients are connected.
  package private(set) var connectionCount = 0

  /// Who is at the other end; `nil` once the connection is gone.
  package func peer(of connection: ConnectionID) -> PeerCredentials? { self[connection]?.peer }

  /// Bytes that a client has not read; 0 once the connection is gone.
  package func queuedBytes(of connection: ConnectionID) -> Int { self[connection]?.queuedBytes ?? 0 }

  /// Asks for ``VarlinkService/outputDrained(_:)`` once all that is queued for a connection has been written.
  package func noticeDrain(of connection: ConnectionID) {
    guard let connection = self[connection] else { return }
    connection.wantsDrainNotice = true
    markDirty(connection)
  }

  /// Answers a call.
  package func reply(to id: CallID, _ parameters: some ObjectEncodable, continues: Bool = false) {
    guard let connection = self[id.connection], id.mode != .oneway else { return }
    writer.reply(parameters, continues: continues)
    send(&writer, to: connection, id.ticket, continues: continues)
  }

  /// Gives several calls the same reply, which is written once.
  package func reply(to ids: [CallID], _ parameters: some ObjectEncodable, continues: Bool = false) {
    guard !ids.isEmpty else { return }
    writer.reply(parameters, continues: continues)
    defer { writer.removeAll(keepingUpTo: Self.keptBytes) }
    for id in ids where id.mode != .oneway {
      if let connection = self[id.connection] {
        send(writer, to: connection, id.ticket, continues: continues)
      }
    }
  }

  /// Answers a call with an error, which is its last reply.
  package func reply(to id: CallID, error: some ErrorReply) {
    guard let connection = self[id.connection], id.mode != .oneway else { return }
    writer.reply(error: error)
    send(&writer, to: connection, id.ticket, continues: false)
  }

  /// Leaves later calls of a connection until ``resume(_:)``, as the present one takes many steps.
  package func suspend(_ connection: ConnectionID) { self[connection]?.isSuspended = true }

  /// Lets the calls of a connection be carried out again.
  package func resume(_ connection: ConnectionID) {
    guard let connection = self[connection], connection.isSuspended else { return }
    connection.isSuspended = false
    resumed.append(connection)
  }

  /// Closes a connection when what is queued for it has been written.
  package func end(_ connection: ConnectionID) {
    guard let connection = self[connection] else { return }
    if connection.phase == .open || connection.phase == .answering { connection.phase = .ending }
    markDirty(connection)
  }
}

// MARK: - For the server

extension ReplyPort {
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
    let count = connectionCount(ofUser: peer.userID)
    let connection = Connection(
      id: ConnectionID(rawValue: UInt64(uses[slot]) << 32 | UInt64(slot)),
      socket: socket,
      peer: peer,
      admission: admission,
      refusedBeyond: count < limits.connectionsPerUser ? nil : limits.connectionsPerUser
    )
    connections[slot] = connection
    connectionsOfUser[peer.userID] = count + 1
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
    connection.clear(&spareBuffers)
  }

  /// Writes as much of a connection's queue as there is room for.
  func write(to connection: Connection) throws(SocketError) -> Exchange.Outcome {
    try connection.write(&spareBuffers)
  }

  /// Closes a connection without waiting until its peer has read what is queued.
  func cut(_ connection: Connection) {
    if connection.phase != .closed, connection.phase != .failed { connection.phase = .cut }
    markDirty(connection)
  }

  /// Closes a connection without writing what is queued.
  func fail(_ connection: Connection) {
    if connection.phase != .closed { connection.phase = .failed }
    markDirty(connection)
  }

  func markDirty(_ connection: Connection) {
    guard !connection.isDirty else { return }
    connection.isDirty = true
    dirty.append(connection)
  }

  /// Answers a call of the service interface, or one that nobody carried out.
  func reply(to call: borrowing Call, _ id: CallID, by interface: ServiceInterface) {
    guard let connection = self[id.connection], id.mode != .oneway else { return }
    interface.reply(to: call, in: &writer)
    send(&writer, to: connection, id.ticket, continues: false)
  }

  /// Puts a reply in the queue, when it is its turn.
  private func send(
    _ reply: inout JSONWriter,
    to connection: Connection,
    _ ticket: CallTicket,
    continues: Bool
  ) {
    defer { reply.removeAll(keepingUpTo: Self.keptBytes) }
    send(reply, to: connection, ticket, continues: continues)
  }

  private func send(
    _ reply: borrowing JSONWriter,
    to connection: Connection,
    _ ticket: CallTicket,
    continues: Bool
  ) {
    connection.reply(to: ticket, reply.bytes, continues: continues, &spareBuffers)
    if connection.hasOutput { markDirty(connection) }
    if connection.queuedBytes > limits.queuedOutput { fail(connection) }
  }
}
