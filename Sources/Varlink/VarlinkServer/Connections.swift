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
  /// The connections to be flushed: to write the queue, charge the user for memory, close a finished connection.
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

final class Connection {
  /// A connection only moves forward in this list, and may skip states.
  enum Phase {
    case open
    /// Closes after the queued output is written.
    case ending
    /// Closes without writing the queued output.
    case failed
    case closed
  }

  let id: ConnectionID
  let socket: StreamSocket
  let peer: PeerCredentials
  let admission: Admission
  /// In bytes; a connection with more unread replies is closed.
  let outputLimit: Int
  var phase = Phase.open
  /// The client has stopped sending; bytes that it sent earlier may still be unread.
  var clientHasEnded = false
  var input: FrameSplitter
  var calls = CallSequence()
  var output = OutputQueue()
  var chargedBytes = 0
  var interest = Epoll.Readiness()
  var waitsForTurn = false
  var isDirty = false
  var wantsDrainNotice = false

  init(
    id: ConnectionID,
    socket: consuming StreamSocket,
    peer: PeerCredentials,
    admission: Admission,
    limits: ServerLimits
  ) {
    self.id = id
    self.socket = socket
    self.peer = peer
    self.admission = admission
    let isDenied = admission == .denied
    input = FrameSplitter(messageLimit: isDenied ? limits.deniedPeerBytes : FrameSplitter.messageLimit)
    outputLimit = isDenied ? limits.deniedPeerBytes : limits.queuedOutput
  }

  var takesCalls: Bool { phase == .open && !calls.hasOpenStream }

  var hasKeptCalls: Bool { input.keptMessageCount > 0 && takesCalls }

  var isDone: Bool {
    phase == .failed || output.count == 0 && (phase == .ending || calls.isFinished)
  }

  /// The server reads even while a stream is open, to notice the end of the input.
  var wantsInput: Bool { phase == .open && calls.isInputOpen }

  var queuedBytes: Int { output.count + calls.heldReplyMemory }

  var memory: Int { input.memory + output.memory + calls.heldReplyMemory }

  func reply(to ticket: CallTicket, _ reply: Span<UInt8>, continues: Bool) {
    switch calls.reply(to: ticket, reply, continues: continues) {
    case .dropped, .held: break
    case .send: output.append(reply)
    case .sendFollowed(by: let later):
      output.append(reply)
      output.append(later.span)
    }
  }

  func write() throws(SocketError) -> OutputQueue.Outcome { try output.write(to: socket) }
}

struct OutputQueue: ~Copyable {
  enum Outcome {
    case written
    case blocked
    case closed
  }

  /// As much as one system call writes; larger pieces would hold more memory, which is freed piece by piece.
  private static let pieceSize = 64 << 10
  private static let keptSize = 1 << 10
  private var pieces: [[UInt8]] = []
  private var written = 0
  private(set) var count = 0
  private var capacity = 0

  var memory: Int { count > 0 ? capacity : 0 }

  mutating func append(_ bytes: Span<UInt8>) {
    var last = pieces.count - 1
    if last < 0 || !pieces[last].isEmpty && pieces[last].count + bytes.count > Self.pieceSize {
      pieces.append([])
      last += 1
    }
    capacity -= pieces[last].capacity
    let needed = pieces[last].count + bytes.count
    if needed > Self.keptSize, needed > pieces[last].capacity {
      // Up to eight times the needed memory, so that a growing piece is moved only a few times.
      pieces[last].reserveCapacity(max(needed, min(8 * needed, Self.pieceSize)))
    }
    pieces[last].append(contentsOf: bytes)
    capacity += pieces[last].capacity
    count += bytes.count
  }

  mutating func write(to socket: borrowing StreamSocket) throws(SocketError) -> Outcome {
    while count > 0 {
      switch try writeFirstPiece(to: socket) {
      case .wouldBlock: return .blocked
      case .closed: return .closed
      case .bytes(let taken):
        count -= taken
        written += taken
        if written == pieces[0].count { removeFirstPiece() }
      }
    }
    return .written
  }

  private func writeFirstPiece(to socket: borrowing StreamSocket) throws(SocketError)
    -> StreamSocket.WriteResult
  {
    let piece = pieces[0]
    return try socket.write(piece.span.extracting(written...))
  }

  private mutating func removeFirstPiece() {
    written = 0
    if count == 0, pieces[0].capacity <= Self.keptSize {
      pieces[0].removeAll(keepingCapacity: true)
    } else {
      capacity -= pieces[0].capacity
      pieces.removeFirst()
    }
  }
}
