import UnixSocket
import Varlink

/// One client, as the server keeps it.
final class Connection {
  /// Where a connection stands; each state is left for a later one only.
  enum Phase {
    /// Calls are read and carried out.
    case open
    /// The client will send nothing more, and is owed replies.
    case answering
    /// What is queued is still written, then the connection is closed.
    case ending
    /// What there is room for is still written, then the connection is closed: nobody may be reading any more.
    case cut
    /// It is to be closed at once.
    case failed
    /// It is closed.
    case closed
  }

  let id: ConnectionID
  let socket: StreamSocket
  let peer: PeerCredentials
  let admission: Admission
  /// How many connections its user may have, if this is one too many.
  let refusedBeyond: Int?
  var phase = Phase.open
  var exchange = Exchange()
  var splitter = FrameSplitter()
  /// What was received and not looked at yet, as the connection has had its turn.
  var backlog: [UInt8] = []
  /// Whether a call that takes many steps is being carried out, before which no other may be.
  var isSuspended = false
  /// Whether it is among those that wait for their turn.
  var waitsForTurn = false
  /// Whether it is among those with output to be written.
  var isDirty = false
  /// Whether the service waits for the queue to be empty.
  var wantsDrainNotice = false
  /// How much of the queue is charged to the user.
  var chargedBytes = 0
  /// What the set of descriptors waits for; nothing if the connection is not in it.
  var interest = Epoll.Readiness()

  init(
    id: ConnectionID,
    socket: consuming StreamSocket,
    peer: PeerCredentials,
    admission: Admission,
    refusedBeyond: Int?
  ) {
    self.id = id
    self.socket = socket
    self.peer = peer
    self.admission = admission
    self.refusedBeyond = refusedBeyond
  }

  /// Whether its next call may be carried out.
  var isReady: Bool { phase == .open && !isSuspended }

  /// Whether more of its input is waited for: not while some waits for its turn.
  var wantsInput: Bool { isReady && backlog.isEmpty }

  /// What it should be waited on for.
  var wantedInterest: Epoll.Readiness {
    Epoll.Readiness(isReadable: wantsInput, isWritable: !exchange.isWritten)
  }
}
