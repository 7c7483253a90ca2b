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
  var splitter = FrameSplitter()
  private var exchange = Exchange()
  /// What was received and not looked at yet, as the connection has had its turn.
  private var backlog: [UInt8] = []
  // What is asked at every turn is kept beside the two: Swift checks each look at them, but not at a plain value.

  /// Whether something was received and not looked at yet.
  private(set) var hasBacklog = false
  /// How many messages wait for a call with `more` to end.
  private var heldCallCount = 0
  /// Whether something is queued.
  private(set) var hasOutput = false
  /// Bytes kept for the client until it reads them.
  private(set) var queuedBytes = 0
  /// Whether a call that takes many steps is being carried out, before which no other may be.
  var isSuspended = false
  /// How soon something comes after it was written to.
  var answerTime = AnswerTime()
  /// Whether it is among those that wait for their turn.
  var waitsForTurn = false
  /// Whether it is among those with output to be written.
  var isDirty = false
  /// Whether it is among those to be closed.
  var waitsForClosing = false
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
  var wantsInput: Bool { isReady && !hasBacklog }

  /// What it should be waited on for.
  var wantedInterest: Epoll.Readiness { Epoll.Readiness(isReadable: wantsInput, isWritable: hasOutput) }
}

// MARK: - Calls

extension Connection {
  /// Keeps what was received for the connection's next turn.
  func keep(_ bytes: Span<UInt8>) {
    backlog.append(contentsOf: bytes)
    hasBacklog = !backlog.isEmpty
  }

  /// Gives away what was kept.
  func takeBacklog() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &backlog)
    hasBacklog = false
    return taken
  }

  /// Decides whether a message is for now or for later.
  func admit(_ message: Span<UInt8>) throws(ProtocolViolation) -> CallSequence.Admission {
    let admission = try exchange.calls.admit(message)
    if admission == .held { heldCallCount += 1 }
    return admission
  }

  /// Gives a call its place; it is about to be carried out.
  func begin(_ mode: CallMode) -> CallTicket { exchange.calls.begin(mode) }

  /// The next message that was held, when nothing keeps it waiting any more.
  func takeHeldCall() -> [UInt8]? {
    guard heldCallCount > 0, let call = exchange.calls.takeHeldCall() else { return nil }
    heldCallCount -= 1
    return call
  }

  /// Notes that the client will send nothing more.
  func endInput() { exchange.calls.endInput() }

  /// Whether nothing more comes, and nobody waits for a reply.
  var isFinished: Bool { exchange.calls.isFinished }

  /// Whether a call has not got its last reply.
  var hasUnansweredCalls: Bool { exchange.calls.unansweredCalls > 0 }
}

// MARK: - Replies

extension Connection {
  /// Queues a reply when it is its turn.
  func reply(to ticket: CallTicket, _ reply: Span<UInt8>, continues: Bool, _ spare: inout SpareBuffers) {
    change { $0.reply(to: ticket, reply, continues: continues, &spare) }
  }

  /// Writes as much as there is room for.
  func write(_ spare: inout SpareBuffers) throws(SocketError) -> Exchange.Outcome {
    try change { (exchange) throws(SocketError) in try exchange.write(to: socket, &spare) }
  }

  /// Forgets what has not been written.
  func clear(_ spare: inout SpareBuffers) { change { $0.clear(&spare) } }

  private func change<Result, Failure: Error>(
    _ change: (inout Exchange) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    func changeAndNote(_ exchange: inout Exchange) throws(Failure) -> Result {
      defer { (hasOutput, queuedBytes) = (exchange.hasOutput, exchange.queuedBytes) }
      return try change(&exchange)
    }
    return try changeAndNote(&exchange)
  }
}
