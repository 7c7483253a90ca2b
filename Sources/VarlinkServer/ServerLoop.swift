import UnixSocket
import Varlink

/// What the server does whenever a descriptor is ready or a deadline has come.
///
/// One epoll set holds the listening socket and all connections. As long as there is work the loop stays in
/// it, up to ``ServerLimits/stretchUSec`` at a stretch: sleeping there costs six system calls for an event that goes
/// through, one dispatch source for each connection nineteen.
final class ServerLoop {
  private static let listenerToken = UInt64.max
  /// A second: what another program uses up may come back without our notice.
  private static let acceptPauseUSec: UInt64 = 1_000_000

  let epoll: Epoll
  let port: ReplyPort
  private let listener: ListeningSocket
  let service: any VarlinkService
  private let connectionLimit: Int
  private var limits: ServerLimits { port.limits }
  private var events = Epoll.Events(capacity: 256)
  private var received = [UInt8](repeating: 0, count: 64 << 10)
  private var document = JSONDocument()
  /// The connection that was written to last, until its answer has been waited for.
  private var answerer: Connection?
  /// The connections with calls to be carried out: received, or said to be there to receive.
  private var turns = TurnQueue()
  /// The connections to be closed.
  private var ended: [Connection] = []
  /// The time after the last wait or turn.
  private var now: UInt64 = 0
  /// When the loop has to return.
  private var stretchEnd: UInt64 = 0
  private var isAccepting = false
  private(set) var isStopping = false
  private var stopsAt: UInt64?
  /// When to try again after the system had no descriptor to spare, if nothing is closed before.
  private var acceptsAgainAt: UInt64?

  /// Makes the loop of a service; nothing is accepted yet.
  init(
    listener: consuming ListeningSocket,
    limits: ServerLimits,
    connectionLimit: Int,
    makeService: (ReplyPort) -> any VarlinkService
  ) throws(SocketError) {
    epoll = try Epoll()
    self.listener = listener
    self.connectionLimit = connectionLimit
    port = ReplyPort(limits: limits)
    service = makeService(port)
  }

  /// Accepts from now on.
  func start() throws(SocketError) { try accept(true) }

  /// Whether everything has been written and closed after ``stop()``.
  var hasStopped: Bool { isStopping && port.connectionCount == 0 }

  /// When ``run()`` should be called even if no descriptor is ready.
  var nextDeadline: UInt64? {
    isWaitedFor ? 0 : earliest(service.nextDeadline, earliest(stopsAt, acceptsAgainAt))
  }

  /// Whether there is something to do at once.
  private var isWaitedFor: Bool { !turns.isEmpty || !ended.isEmpty || service.hasWork }

  /// Ends in order: every open call gets its last reply, and every client a while to read it.
  func stop() throws(SocketError) {
    guard !isStopping else { return }
    isStopping = true
    stopsAt = MonotonicClock.now + limits.drainUSec
    try accept(false)
    service.stop()
    for connection in port.all { port.end(connection.id) }
    try flush()
  }

  /// Removes the socket file, if the server made it.
  func removeFile() throws(SocketError) { try listener.removeFile() }
}

// MARK: - The loop

extension ServerLoop {
  /// Carries out what has come in, and lingers for more, for one stretch.
  func run() throws(SocketError) {
    now = MonotonicClock.now
    // Something has come already.
    answerer = nil
    stretchEnd = now + limits.stretchUSec
    while try step(), now < stretchEnd, !hasStopped {}
  }

  /// Looks at the clock, and tells whether the stretch is over.
  private func isStretchOver() -> Bool {
    now = MonotonicClock.now
    return now >= stretchEnd
  }

  /// Looks once what there is to do, and does it until it is done or the stretch is over.
  ///
  /// - Returns: whether there was anything.
  private func step() throws(SocketError) -> Bool {
    let deadline = nextDeadline
    let count = try wait(until: deadline)
    let isDue = deadline.map { $0 <= now } ?? false
    if isDue { try takeDue() }
    for index in 0..<count { try note(events[index]) }
    while let connection = turns.takeFirst() {
      attempt(on: connection) { () throws(SocketError) in try giveTurn(to: connection) }
      if isStretchOver() { break }
    }
    takeResumed()
    try flush()
    return count > 0 || isDue
  }

  /// Waits for something to do: awake for as long as an answer is likely to come, then asleep.
  private func wait(until deadline: UInt64?) throws(SocketError) -> Int {
    guard millisecondsToLinger(before: deadline) > 0, let answerer else { return try look(until: deadline) }
    // Waited for once only: what comes later has nothing to do with it.
    self.answerer = nil
    now = MonotonicClock.now
    let start = now
    let firstLook = answerer.answerTime.nextFirstLookUSec()
    if let firstLook {
      for number in 0..<AnswerTime.looks {
        let time = start + firstLook + UInt64(number) * AnswerTime.pauseUSec
        while MonotonicClock.now < time {}
        let count = try look(until: start)
        guard count == 0 else {
          answerer.answerTime.noteAnswer(atLook: number, after: now - start)
          return count
        }
      }
    }
    let count = try look(until: deadline)
    answerer.answerTime.noteSleep(afterLooking: firstLook != nil, until: count > 0 ? now - start : nil)
    return count
  }

  /// Looks what there is to do, and sleeps until there is something, the stretch is over or something is due.
  private func look(until deadline: UInt64?) throws(SocketError) -> Int {
    defer { now = MonotonicClock.now }
    return try epoll.wait(into: &events, milliseconds: millisecondsToLinger(before: deadline))
  }

  /// How long to wait for more at most: until the stretch is over or something is due.
  private func millisecondsToLinger(before deadline: UInt64?) -> Int {
    let end = min(stretchEnd, deadline ?? stretchEnd)
    return end > now ? Int((end - now) / 1000) : 0
  }

  /// Does what is due, and the next step of what is done in steps.
  private func takeDue() throws(SocketError) {
    if let deadline = service.nextDeadline, deadline <= now { service.advance(to: now) }
    if service.hasWork { service.work() }
    if let acceptsAgainAt, acceptsAgainAt <= now { try accept(true) }
    if let stopsAt, stopsAt <= now { for connection in port.all { port.fail(connection) } }
  }

  private func note(_ event: Epoll.Event) throws(SocketError) {
    guard event.token != Self.listenerToken else { return try acceptAll() }
    guard let connection = port[ConnectionID(rawValue: event.token)] else { return }
    if event.readiness.isWritable { port.markDirty(connection) }
    guard event.readiness.isReadable else { return }
    // One that is only waited on for writing cannot be written to any more.
    if connection.phase == .open { turns.append(connection) } else { port.fail(connection) }
  }

  private func takeResumed() {
    guard !port.resumed.isEmpty else { return }
    for connection in port.resumed { turns.append(connection) }
    port.resumed.removeAll()
  }

  private func giveTurn(to connection: Connection) throws(SocketError) {
    carryOutHeldCalls(of: connection)
    guard connection.isReady else { return }
    if connection.hasBacklog {
      carryOut(connection.takeBacklog().span, of: connection)
    } else {
      try receive(from: connection)
    }
    try updateReadingInterest(of: connection)
  }

  /// Does something on one connection, which alone suffers if the system has no room for it.
  private func attempt(on connection: Connection, _ action: () throws(SocketError) -> Void) {
    do throws(SocketError) { try action() } catch { port.fail(connection) }
  }

  private func accept(_ accepts: Bool) throws(SocketError) {
    if accepts { acceptsAgainAt = nil }
    guard accepts != isAccepting else { return }
    isAccepting = accepts
    let descriptor = listener.descriptor.rawValue
    if accepts {
      try epoll.add(
        descriptor,
        token: Self.listenerToken,
        interest: Epoll.Readiness(isReadable: true)
      )
    } else {
      try epoll.remove(descriptor)
    }
  }

  /// Accepts who waits, a bounded number at a time so that nobody else does.
  private func acceptAll() throws(SocketError) {
    for _ in 0..<limits.callsPerTurn {
      switch try listener.accept() {
      case .connection(let socket):
        guard port.connectionCount < connectionLimit, let peer = try? socket.peerCredentials() else {
          continue
        }
        let connection = port.add(socket, peer, service.admission(of: peer))
        attempt(on: connection) { () throws(SocketError) in try updateInterest(of: connection) }
      case .wouldBlock: return
      case .exhausted:
        acceptsAgainAt = MonotonicClock.now + Self.acceptPauseUSec
        return try accept(false)
      }
    }
  }
}

// MARK: - Input

extension ServerLoop {
  private func receive(from connection: Connection) throws(SocketError) {
    var received: [UInt8] = []
    swap(&received, &self.received)
    defer { swap(&received, &self.received) }
    var buffer = received.mutableSpan
    switch try connection.socket.read(into: &buffer) {
    case .wouldBlock: break
    case .reset: port.fail(connection)
    case .end: endInput(of: connection)
    case .bytes(let count): carryOut(received.span.extracting(first: count), of: connection)
    }
  }

  /// Waits for more of a connection's input or no longer, if that has changed.
  ///
  /// What has just been queued for it is written before it need be waited on for that.
  private func updateReadingInterest(of connection: Connection) throws(SocketError) {
    if connection.interest.isReadable != connection.wantsInput { try updateInterest(of: connection) }
  }

  /// Carries out the calls in the bytes received, as many as are one connection's turn.
  private func carryOut(_ bytes: Span<UInt8>, of connection: Connection) {
    var document = JSONDocument()
    swap(&document, &self.document)
    defer { swap(&document, &self.document) }
    var splitter = FrameSplitter()
    swap(&splitter, &connection.splitter)
    defer { swap(&splitter, &connection.splitter) }
    var offset = 0
    var count = 0
    do throws(ProtocolViolation) {
      while connection.isReady, let message = try splitter.nextMessage(of: bytes, at: &offset) {
        if case .carryOut = try connection.admit(message) {
          try carryOutCall(message, of: connection, &document)
        }
        count += 1
        if offset < bytes.count, count == limits.callsPerTurn || isStretchOver() { break }
      }
    } catch {
      service.connectionViolated(error, connection.peer)
      return port.cut(connection)
    }
    if offset < bytes.count, connection.phase == .open {
      connection.keep(bytes.extracting(offset...))
      if connection.isReady { turns.append(connection) }
    }
  }

  private func carryOutCall(
    _ message: Span<UInt8>,
    of connection: Connection,
    _ document: inout JSONDocument
  ) throws(ProtocolViolation) {
    let call = try document.parseCall(message)
    let id = CallID(connection: connection.id, ticket: connection.begin(call.mode))
    if case .denied = connection.admission {
      port.reply(to: id, error: ServiceError.permissionDenied)
    } else if let maximum = connection.refusedBeyond {
      service.refuseConnection(id, maximum: maximum)
      port.end(connection.id)
    } else if call.mode == .upgrade || !service.carryOut(call, id) {
      port.reply(to: call, id, by: service.serviceInterface)
    }
  }

  private func endInput(of connection: Connection) {
    connection.endInput()
    guard connection.isFinished else { return connection.phase = .answering }
    if connection.hasUnansweredCalls { port.cut(connection) } else { port.end(connection.id) }
  }
}

// MARK: - Output

extension ServerLoop {
  /// Writes all queues and closes what has ended, until nothing more follows from it or the stretch is over.
  ///
  /// What is written is not kept waiting by what is closed, which takes long if a client held much.
  private func flush() throws(SocketError) {
    repeat {
      settleDirty()
      guard !ended.isEmpty else { return }
      let connection = ended.removeFirst()
      attempt(on: connection) { () throws(SocketError) in try close(connection) }
    } while !isStretchOver()
    settleDirty()
  }

  private func settleDirty() {
    var index = 0
    while index < port.dirty.count {
      let connection = port.dirty[index]
      index += 1
      connection.isDirty = false
      attempt(on: connection) { () throws(SocketError) in try settle(connection) }
    }
    port.dirty.removeAll(keepingCapacity: true)
  }

  private func settle(_ connection: Connection) throws(SocketError) {
    if connection.phase == .closed || connection.waitsForClosing { return }
    if connection.phase != .failed { try write(to: connection) }
    charge(connection)
    carryOutHeldCalls(of: connection)
    if connection.phase == .answering, connection.isFinished { connection.phase = .ending }
    let hasEnded = connection.phase == .ending && !connection.hasOutput
    if hasEnded || connection.phase == .cut || connection.phase == .failed { return leave(connection) }
    try updateInterest(of: connection)
  }

  /// Carries out what was sent behind a stream that has since ended.
  private func carryOutHeldCalls(of connection: Connection) {
    while connection.isReady, let held = connection.takeHeldCall() {
      do throws(ProtocolViolation) {
        try carryOutCall(held.span, of: connection, &document)
      } catch {
        service.connectionViolated(error, connection.peer)
        port.cut(connection)
      }
    }
  }

  private func write(to connection: Connection) throws(SocketError) {
    if connection.hasOutput { answerer = connection }
    switch try port.write(to: connection) {
    case .blocked: break
    case .closed: port.fail(connection)
    case .written:
      guard connection.wantsDrainNotice else { return }
      connection.wantsDrainNotice = false
      service.outputDrained(connection.id)
    }
  }

  /// Charges what is left in the queue to the user, and gives back what has gone.
  private func charge(_ connection: Connection) {
    let held = connection.phase == .failed ? 0 : connection.queuedBytes
    guard held != connection.chargedBytes else { return }
    if !service.charge(held - connection.chargedBytes, toUser: connection.peer.userID) {
      port.fail(connection)
    }
    connection.chargedBytes = held
  }

  /// Lets a connection wait to be closed; nothing of it is reported any more, as it would be over and over.
  private func leave(_ connection: Connection) {
    connection.waitsForClosing = true
    ended.append(connection)
    guard !connection.interest.isEmpty else { return }
    try? epoll.remove(connection.socket.descriptor.rawValue)
    connection.interest = Epoll.Readiness()
  }

  private func close(_ connection: Connection) throws(SocketError) {
    if answerer === connection { answerer = nil }
    _ = service.charge(-connection.chargedBytes, toUser: connection.peer.userID)
    let isKnown = connection.admission == .admitted && connection.refusedBeyond == nil
    port.remove(connection)
    if isKnown { service.connectionEnded(connection.id) }
    if !isStopping { try accept(true) }
  }

  /// Waits for what the connection needs next.
  ///
  /// One that is waited on for nothing leaves the set: it would be reported over and over once its peer is gone.
  private func updateInterest(of connection: Connection) throws(SocketError) {
    let wanted = connection.wantedInterest
    guard connection.phase != .closed, connection.interest != wanted else { return }
    let descriptor = connection.socket.descriptor.rawValue
    if wanted.isEmpty {
      try epoll.remove(descriptor)
    } else if connection.interest.isEmpty {
      try epoll.add(descriptor, token: connection.id.rawValue, interest: wanted)
    } else {
      try epoll.modify(descriptor, token: connection.id.rawValue, interest: wanted)
    }
    connection.interest = wanted
  }
}

/// The earlier of two times, either of which may not come.
private func earliest(_ one: UInt64?, _ other: UInt64?) -> UInt64? {
  guard let one, let other else { return one ?? other }
  return min(one, other)
}
