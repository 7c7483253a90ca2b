package import UnixSocket
package import Varlink

/// Takes the replies of a service, and holds the table of connections.
///
/// A reply is queued; the loop writes the queues after the service has returned. A reply for an ended connection is
/// dropped. A connection whose client leaves more than ``Connection/outputLimit`` unread is closed.
package final class ReplyPort {
  private static var keptBytes: Int { 1 << 16 }

  let limits: ServerLimits
  private var connections: [Connection?] = []
  /// For each slot, the number of connections that it has held so far.
  private var uses: [UInt32] = []
  private var freeSlots: [Int] = []
  private var connectionsOfUser: [UInt32: Int] = [:]
  private var writer = JSONWriter()
  /// The connections to be settled: to write the queue, charge the user for memory, close a finished connection.
  var dirty: [Connection] = []

  init(limits: ServerLimits) { self.limits = limits }

  package private(set) var connectionCount = 0

  package func peer(of connection: ConnectionID) -> PeerCredentials? { self[connection]?.peer }

  package func queuedBytes(of connection: ConnectionID) -> Int { self[connection]?.queuedBytes ?? 0 }

  package func noticeDrain(of connection: ConnectionID) {
    guard let connection = self[connection] else { return }
    connection.wantsDrainNotice = true
    markDirty(connection)
  }

  package func reply(to id: CallID, continues: Bool = false, writing writeMembers: (inout JSONWriter) -> Void)
  {
    guard let connection = connection(of: id) else { return }
    writer.reply(continues: continues, writing: writeMembers)
    sendWritten(to: connection, id.ticket, continues: continues)
  }

  package func reply(to ids: [CallID], _ parameters: some ObjectEncodable, continues: Bool = false) {
    guard !ids.isEmpty else { return }
    writer.reply(parameters, continues: continues)
    for id in ids {
      if let connection = connection(of: id) { queue(writer.bytes, to: connection, id.ticket, continues) }
    }
    writer.removeAll(keepingUpTo: Self.keptBytes)
  }

  package func reply(to id: CallID, error: some ErrorReply) {
    guard let connection = connection(of: id) else { return }
    writer.reply(error: error)
    sendWritten(to: connection, id.ticket, continues: false)
  }
}

// MARK: - Replies

extension ReplyPort {
  func reply(to call: borrowing Call, _ id: CallID, by interface: ServiceInterface) {
    guard let connection = connection(of: id) else { return }
    interface.reply(to: call, in: &writer)
    sendWritten(to: connection, id.ticket, continues: false)
  }

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
    // Even a held reply may be the last one to a call with `more`, and the calls behind it can then be carried out.
    markDirty(connection)
    if connection.queuedBytes > connection.outputLimit { fail(connection) }
  }
}

// MARK: - Connections

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

  func end(_ connection: Connection) {
    if connection.phase == .open { connection.phase = .ending }
    markDirty(connection)
  }

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
