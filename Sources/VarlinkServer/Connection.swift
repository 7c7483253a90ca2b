import UnixSocket
import Varlink

/// One client, as the server keeps it.
final class Connection {
  /// What the server does for a peer.
  enum Standing: Equatable {
    /// Its calls are carried out.
    case admitted
    /// Each of its calls is answered with `PermissionDenied`.
    case denied
    /// It has one connection more than the maximum: its first call is answered with that, and is the last.
    case tooMany(maximum: Int)
  }

  /// Where a connection stands; each state is left for a later one only.
  enum Phase {
    /// Calls are carried out.
    case open
    /// It is closed when what is queued has been written.
    case ending
    /// It is closed at once.
    case failed
    /// It is closed.
    case closed
  }

  let id: ConnectionID
  let socket: StreamSocket
  let peer: PeerCredentials
  let standing: Standing
  /// Bytes that may be queued.
  let outputLimit: Int
  var phase = Phase.open
  /// What was received and cannot be carried out yet.
  var input: FrameSplitter
  /// The order of calls and replies.
  var calls = CallSequence()
  /// What waits until the client reads it.
  var output = OutputQueue()
  /// How much of its memory is charged to the user.
  var chargedBytes = 0
  /// What the set of descriptors waits for; nothing if the connection is not in it.
  var interest = Epoll.Readiness()
  /// Whether it is among those that wait for their turn.
  var waitsForTurn = false
  /// Whether it is among those to be written to or closed.
  var isDirty = false
  /// Whether the service asked to be notified when the queue is empty.
  var wantsDrainNotice = false

  init(
    id: ConnectionID,
    socket: consuming StreamSocket,
    peer: PeerCredentials,
    standing: Standing,
    limits: ServerLimits
  ) {
    self.id = id
    self.socket = socket
    self.peer = peer
    self.standing = standing
    let isDenied = standing == .denied
    input = FrameSplitter(messageLimit: isDenied ? limits.deniedPeerBytes : FrameSplitter.messageLimit)
    outputLimit = isDenied ? limits.deniedPeerBytes : limits.queuedOutput
  }

  /// Whether its next call may be carried out.
  var takesCalls: Bool { phase == .open && !calls.hasOpenStream }

  /// Whether calls are left that may be carried out.
  var hasKeptCalls: Bool { input.keptMessageCount > 0 && takesCalls }

  /// Whether nothing is left to be done for it.
  var isDone: Bool {
    phase == .failed || output.count == 0 && (phase == .ending || calls.isFinished)
  }

  /// Whether its input is read; also behind an open stream, so that its end is seen.
  var wantsInput: Bool { phase == .open && calls.isInputOpen }

  /// Bytes that the client has not read.
  var queuedBytes: Int { output.count + calls.heldReplyMemory }

  /// Bytes of memory that are charged to its user: all that grows with what it sends and does not read.
  var memory: Int { input.memory + output.memory + calls.heldReplyMemory }

  /// Queues a reply when it is its turn.
  func reply(
    to ticket: CallTicket,
    _ reply: Span<UInt8>,
    continues: Bool,
    _ spares: inout SparePieces
  ) {
    switch calls.reply(to: ticket, reply, continues: continues) {
    case .dropped, .held: break
    case .send: output.append(reply, &spares)
    case .sendFollowed(by: let later):
      output.append(reply, &spares)
      output.append(later.span, &spares)
    }
  }

  /// Writes as much of the queue as there is room for.
  func write(_ spares: inout SparePieces) throws(SocketError) -> OutputQueue.Outcome {
    try output.write(to: socket, &spares)
  }
}
