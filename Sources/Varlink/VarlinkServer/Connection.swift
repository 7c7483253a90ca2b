import UnixSocket
import Varlink

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
