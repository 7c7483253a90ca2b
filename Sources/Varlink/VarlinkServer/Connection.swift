import UnixSocket
import Varlink

/// One client, as the server keeps it.
final class Connection {
  /// The states of a connection, in their order.
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
  let admission: Admission
  /// Bytes that may be queued.
  let outputLimit: Int
  var phase = Phase.open
  /// What was received and not carried out yet.
  var input: FrameSplitter
  var calls = CallSequence()
  var output = OutputQueue()
  /// How much of ``memory`` is charged to the user.
  var chargedBytes = 0
  /// What epoll waits for; nothing if the connection is not in its set.
  var interest = Epoll.Readiness()
  /// Whether it is in the loop's list of turns.
  var waitsForTurn = false
  /// Whether it is in the port's list of connections to be settled.
  var isDirty = false
  /// Whether the service is notified when the queue is empty.
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

  /// Whether its next call may be carried out.
  var takesCalls: Bool { phase == .open && !calls.hasOpenStream }

  /// Whether it keeps a call that may be carried out.
  var hasKeptCalls: Bool { input.keptMessageCount > 0 && takesCalls }

  /// Whether it can be closed.
  var isDone: Bool {
    phase == .failed || output.count == 0 && (phase == .ending || calls.isFinished)
  }

  /// Whether its input is read: also while a stream is open, so that the end of the input is noticed.
  var wantsInput: Bool { phase == .open && calls.isInputOpen }

  /// Bytes that the client has not read.
  var queuedBytes: Int { output.count + calls.heldReplyMemory }

  /// Bytes of memory that it takes for what its client has sent and not read.
  var memory: Int { input.memory + output.memory + calls.heldReplyMemory }

  /// Queues a reply when it is its turn.
  func reply(to ticket: CallTicket, _ reply: Span<UInt8>, continues: Bool) {
    switch calls.reply(to: ticket, reply, continues: continues) {
    case .dropped, .held: break
    case .send: output.append(reply)
    case .sendFollowed(by: let later):
      output.append(reply)
      output.append(later.span)
    }
  }

  /// Writes as much of the queue as there is room for.
  func write() throws(SocketError) -> OutputQueue.Outcome { try output.write(to: socket) }
}
