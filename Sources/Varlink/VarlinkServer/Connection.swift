import UnixSocket
import Varlink

/// The server's state of one client connection.
final class Connection {
  /// The states of a connection.
  ///
  /// A connection only moves forward in this list, and may skip states.
  enum Phase {
    /// The server carries out calls.
    case open
    /// The server closes the connection after it has written the queued output.
    case ending
    /// The server closes the connection without writing the queued output.
    case failed
    /// The connection is closed.
    case closed
  }

  let id: ConnectionID
  let socket: StreamSocket
  let peer: PeerCredentials
  let admission: Admission
  /// The most bytes of replies that may wait for the client; if more wait, the connection is closed.
  let outputLimit: Int
  var phase = Phase.open
  /// Whether the client has stopped sending; bytes that it sent earlier may still be unread.
  var clientHasEnded = false
  /// The received bytes whose calls have not been carried out yet.
  var input: FrameSplitter
  var calls = CallSequence()
  var output = OutputQueue()
  /// The bytes of memory that the peer's user has been charged for this connection.
  var chargedBytes = 0
  /// The readiness that epoll waits for; empty if the connection is not in the epoll set.
  var interest = Epoll.Readiness()
  /// Whether the connection is in the loop's list of connections that have calls to read or to carry out.
  var waitsForTurn = false
  /// Whether the connection is in ``ReplyPort/dirty``, the list of connections with output or changes to handle.
  var isDirty = false
  /// Whether the service is notified when the output queue becomes empty.
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

  /// Whether the next call may be carried out.
  var takesCalls: Bool { phase == .open && !calls.hasOpenStream }

  /// Whether a complete call has been received and may now be carried out.
  var hasKeptCalls: Bool { input.keptMessageCount > 0 && takesCalls }

  /// Whether the connection can be closed.
  var isDone: Bool {
    phase == .failed || output.count == 0 && (phase == .ending || calls.isFinished)
  }

  /// Whether the server reads from the connection.
  ///
  /// The server reads even while a stream is open, to notice the end of the input.
  var wantsInput: Bool { phase == .open && calls.isInputOpen }

  /// The bytes of replies that the client has not read.
  var queuedBytes: Int { output.count + calls.heldReplyMemory }

  /// The bytes of memory for calls that wait to be carried out, and for output that the client has not read.
  var memory: Int { input.memory + output.memory + calls.heldReplyMemory }

  /// Queues a reply, or holds it until all earlier calls have had their last reply.
  func reply(to ticket: CallTicket, _ reply: Span<UInt8>, continues: Bool) {
    switch calls.reply(to: ticket, reply, continues: continues) {
    case .dropped, .held: break
    case .send: output.append(reply)
    case .sendFollowed(by: let later):
      output.append(reply)
      output.append(later.span)
    }
  }

  /// Writes as much of the queue as the socket takes.
  func write() throws(SocketError) -> OutputQueue.Outcome { try output.write(to: socket) }
}
