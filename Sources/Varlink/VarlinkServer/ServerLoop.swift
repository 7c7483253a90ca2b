import UnixSocket
import Varlink

/// The loop of a server: carries out calls, runs the work of the service, and writes replies.
///
/// One epoll set holds the listening socket and all connections. ``run()`` makes passes for up to
/// ``ServerLimits/stretchUSec``, a *stretch*. Each pass has these steps:
/// 1. wait until a descriptor is ready or a deadline has come
/// 2. let each readable connection take one turn
/// 3. write the queues
/// 4. run the work of the service
///
/// With this loop, an event takes six system calls. With one dispatch source for each connection, an event would take
/// nineteen.
final class ServerLoop {
  private static let listenerToken = UInt64.max
  /// The maximum number of ready descriptors that one pass takes from epoll.
  private static let mostEvents = 256
  /// The most connections that one pass accepts.
  private static let mostAccepted = 64
  /// How many connections above ``ServerLimits/connections`` may be open at the same time.
  ///
  /// The server answers a call on such a connection only with an error.
  private static let mostRefused = ServerLimits.reservedDescriptors / 4
  /// The most bytes that are read from a connection at once: 32 KiB, about a hundred calls of ordinary length.
  private static let readSize = 32 << 10
  /// How long at most the loop accepts no connection after the system had no descriptor left: a second.
  ///
  /// The loop then tries again, because nothing tells it that another program has closed descriptors.
  private static let acceptPauseUSec: UInt64 = 1_000_000

  let epoll: Epoll
  let port: ReplyPort
  let service: any VarlinkService
  private let listener: ListeningSocket
  private var limits: ServerLimits { port.limits }
  private var events = Epoll.Events(capacity: ServerLoop.mostEvents)
  private var received = [UInt8](repeating: 0, count: ServerLoop.readSize)
  private var document = JSONDocument()
  /// The connections that wait for their turn: they have bytes to read, or calls kept from an earlier turn.
  private var turns: [Connection] = []
  /// Whether the loop expects that no more connections are about to end.
  ///
  /// The connections of a dying process end one shortly after the other. The value is false in two cases:
  /// - The last pass had no room for all ready descriptors.
  /// - The last pass closed a connection whose end makes work for the service.
  private var isQuiet = true
  /// The current time, read after each wait, call and piece of work.
  private var now: UInt64 = 0
  /// The time after which the current call of ``run()`` makes no more passes.
  private var stretchEnd: UInt64 = 0
  private var isAccepting = false
  private var isStopping = false
  /// The time at which a stopping server closes all connections; nil until the service has stopped.
  ///
  /// At this time, a connection is closed even if the client has not read the last replies.
  private var stopsAt: UInt64?
  /// The time of the next attempt to accept a connection, after the system had no descriptor left.
  ///
  /// If a connection is closed before this time, the loop accepts immediately.
  private var acceptsAgainAt: UInt64?

  /// Makes the loop of a service.
  ///
  /// The loop accepts connections from ``start()`` on.
  init(
    listener: consuming ListeningSocket,
    limits: ServerLimits,
    makeService: (ReplyPort) -> any VarlinkService
  ) throws(SocketError) {
    epoll = try Epoll()
    self.listener = listener
    port = ReplyPort(limits: limits)
    service = makeService(port)
  }

  /// Starts accepting connections.
  func start() throws(SocketError) { try accept(true) }

  /// Whether the service has stopped and every connection is closed.
  var hasStopped: Bool { stopsAt != nil && port.connectionCount == 0 }

  /// The time at which ``run()`` has to be called even if no descriptor is ready; 0 means immediately.
  var nextDeadline: UInt64? {
    if service.hasWork || !turns.isEmpty { return 0 }
    let own = MonotonicClock.earliest(stopsAt, acceptsAgainAt)
    return MonotonicClock.earliest(service.nextDeadline, own)
  }

  /// Begins to shut down.
  ///
  /// When the service is ready to stop, every open call gets its last reply. Clients then have a second to read the
  /// last replies.
  func stop() throws(SocketError) {
    guard !isStopping else { return }
    isStopping = true
    try accept(false)
    service.prepareToStop()
    settle()
    stopIfReady()
  }

  private func stopIfReady() {
    guard isStopping, stopsAt == nil, service.isReadyToStop else { return }
    stopsAt = MonotonicClock.now + limits.drainUSec
    service.stop()
    for connection in port.all { port.end(connection) }
    settle()
  }

  /// Removes the socket file, if the server made the file.
  func removeFile() throws(SocketError) { try listener.removeFile() }
}

// MARK: - The loop

extension ServerLoop {
  /// Makes passes until a pass finds nothing to do, ``ServerLimits/stretchUSec`` is over, or the server has stopped.
  func run() throws(SocketError) {
    now = MonotonicClock.now
    stretchEnd = now + limits.stretchUSec
    while try pass(), now < stretchEnd, !hasStopped {}
  }

  /// Makes one pass; returns false if no descriptor was ready and no deadline had come.
  private func pass() throws(SocketError) -> Bool {
    let deadline = nextDeadline
    let count = try epoll.wait(into: &events, milliseconds: millisecondsToWait(until: deadline))
    now = MonotonicClock.now
    isQuiet = count < Self.mostEvents
    for index in 0..<count { try note(events[index]) }
    takeTurns()
    settle()
    let isDue = deadline.map { $0 <= now } ?? false
    if isDue { try meetDeadlines() }
    work()
    settle()
    stopIfReady()
    return count > 0 || isDue
  }

  /// Returns the milliseconds that a pass waits: until the deadline or the end of the stretch, whichever comes first.
  private func millisecondsToWait(until deadline: UInt64?) -> Int {
    // More connections may be about to end, because a dying process needs a moment to close all of them. So the loop
    // waits a millisecond for their ends before it continues with the service's work.
    if deadline == 0, turns.isEmpty, !isQuiet { return 1 }
    let end = min(stretchEnd, deadline ?? stretchEnd)
    return end > now ? Int((end - now) / 1000) : 0
  }

  private func note(_ event: Epoll.Event) throws(SocketError) {
    guard event.token != Self.listenerToken else { return try acceptAll() }
    guard let connection = port[ConnectionID(rawValue: event.token)] else { return }
    if event.readiness.isWritable { port.markDirty(connection) }
    guard event.readiness.isReadable else { return }
    // If the loop wants no input from the connection, epoll reports the connection as readable only after an error or
    // after the end of both directions. The connection is then closed.
    connection.clientHasEnded = event.hasEnded
    if connection.wantsInput { addTurn(connection) } else { port.fail(connection) }
  }

  private func addTurn(_ connection: Connection) {
    guard !connection.waitsForTurn else { return }
    connection.waitsForTurn = true
    turns.append(connection)
  }

  /// Lets each waiting connection take one turn.
  ///
  /// If ``stretchEnd`` comes before all connections have had a turn, the remaining connections come first in the next
  /// call of ``run()``.
  private func takeTurns() {
    let count = turns.count
    var taken = 0
    while taken < count, taken == 0 || now < stretchEnd {
      let connection = turns[taken]
      taken += 1
      connection.waitsForTurn = false
      attempt(on: connection) { () throws(SocketError) in try takeTurn(of: connection) }
    }
    turns.removeFirst(taken)
  }

  private func meetDeadlines() throws(SocketError) {
    if let deadline = service.nextDeadline, deadline <= now { service.advance(to: now) }
    if let acceptsAgainAt, acceptsAgainAt <= now { try accept(true) }
    if let stopsAt, stopsAt <= now { for connection in port.all { port.fail(connection) } }
  }

  /// Runs pieces of the service's work until ``stretchEnd``; runs one piece if this time has already come.
  ///
  /// If ``isQuiet`` is false, more connections of a dying process may be about to end. Until ``stretchEnd``, the method
  /// then runs only pieces for connections that have ended, because another piece could send an event from one scene of
  /// the dying process to another scene of the same process.
  private func work() {
    let takesAll = isQuiet || now >= stretchEnd
    while service.hasWork, takesAll || service.hasConnectionEnds {
      service.work()
      if isStretchOver() { return }
    }
  }

  /// Reads the clock; returns true if ``stretchEnd`` has come.
  private func isStretchOver() -> Bool {
    now = MonotonicClock.now
    return now >= stretchEnd
  }

  /// Runs an action for one connection, and closes the connection if a system call fails.
  private func attempt(on connection: Connection, _ action: () throws(SocketError) -> Void) {
    do throws(SocketError) { try action() } catch { port.fail(connection) }
  }
}

// MARK: - Accepting

extension ServerLoop {
  private func accept(_ accepts: Bool) throws(SocketError) {
    acceptsAgainAt = nil
    guard accepts != isAccepting else { return }
    isAccepting = accepts
    let descriptor = listener.descriptor.rawValue
    if accepts {
      let interest = Epoll.Readiness(isReadable: true)
      try epoll.add(descriptor, token: Self.listenerToken, interest: interest)
    } else {
      try epoll.remove(descriptor)
    }
  }

  private func acceptAll() throws(SocketError) {
    for _ in 0..<Self.mostAccepted {
      switch try listener.accept() {
      case .connection(let socket):
        guard port.connectionCount < limits.connections + Self.mostRefused,
          let peer = try? socket.peerCredentials()
        else { continue }
        let connection = port.add(socket, peer, admission(of: peer))
        attempt(on: connection) { () throws(SocketError) in try updateInterest(of: connection) }
      case .wouldBlock: return
      case .exhausted:
        try accept(false)
        acceptsAgainAt = now + Self.acceptPauseUSec
        return
      }
    }
  }

  private func admission(of peer: PeerCredentials) -> Admission {
    let admission = service.admission(of: peer)
    guard admission == .admitted else { return admission }
    if port.connectionCount(ofUser: peer.userID) >= limits.connectionsPerUser {
      return .tooMany(.connectionsPerUser(limits.connectionsPerUser))
    }
    return port.connectionCount < limits.connections ? .admitted : .tooMany(.descriptors(limits.descriptors))
  }
}

// MARK: - Input

extension ServerLoop {
  /// Carries out the calls that were kept in an earlier turn; if none may be carried out now, reads new calls.
  ///
  /// New calls are carried out as far as ``carryOut(_:of:)`` allows.
  private func takeTurn(of connection: Connection) throws(SocketError) {
    guard connection.phase == .open else { return }
    var received: [UInt8] = []
    swap(&received, &self.received)
    defer { swap(&received, &self.received) }
    if connection.hasKeptCalls {
      return carryOut(received.span.extracting(first: 0), of: connection)
    }
    // A turn normally reads once. If the client has stopped sending, the turn reads up to the end of the input, unless
    // calls are left for the next turn. The loop thus learns that the client has gone before the service can send an
    // event to a scene of this client.
    repeat {
      var buffer = received.mutableSpan
      switch try connection.socket.read(into: &buffer) {
      case .wouldBlock: return
      case .reset: return port.fail(connection)
      case .end: return endInput(of: connection)
      case .bytes(let count): carryOut(received.span.extracting(first: count), of: connection)
      }
    } while connection.clientHasEnded && connection.wantsInput && !connection.hasKeptCalls
  }

  /// Carries out the calls that were kept in an earlier turn, and then the calls in `received`.
  ///
  /// The method stops at ``stretchEnd``, when a call with `more` is open, or when the connection is about to be closed.
  /// It keeps the remaining bytes for a later turn.
  private func carryOut(_ received: Span<UInt8>, of connection: Connection) {
    var document = JSONDocument()
    swap(&document, &self.document)
    defer { swap(&document, &self.document) }
    var input = FrameSplitter()
    swap(&input, &connection.input)
    var offset = 0
    do throws(ProtocolViolation) {
      var isOver = false
      while !isOver, connection.takesCalls, let message = try input.nextMessage(of: received, at: &offset) {
        try carryOut(document.parseCall(message), of: connection)
        isOver = isStretchOver()
      }
      input.keep(received.extracting(offset...))
      if connection.calls.hasOpenStream { try CallSequence.checkWaitingCalls(in: input) }
    } catch {
      service.connectionViolated(error, connection.peer)
      cut(connection)
    }
    swap(&input, &connection.input)
    if connection.hasKeptCalls { addTurn(connection) }
    if connection.memory != connection.chargedBytes { port.markDirty(connection) }
  }

  private func carryOut(_ call: borrowing Call, of connection: Connection) {
    let id = CallID(connection: connection.id, ticket: connection.calls.begin(call.mode))
    switch connection.admission {
    case .denied: port.reply(to: id, error: ServiceError.permissionDenied)
    case .tooMany(let limit):
      service.refuseConnection(id, limit)
      port.end(connection)
    case .admitted:
      if call.mode == .upgrade || !service.carryOut(call, id) {
        port.reply(to: call, id, by: service.serviceInterface)
      }
    }
  }

  /// Notes that a client will send nothing more.
  private func endInput(of connection: Connection) {
    connection.calls.endInput()
    // A client that sends nothing more also ends its open call with `more`. The connection is then closed even if the
    // client has not read all replies, because the client may have stopped reading.
    if connection.calls.hasOpenStream { cut(connection) } else { port.markDirty(connection) }
  }

  /// Writes as much of the queue as the socket takes, and closes the connection.
  private func cut(_ connection: Connection) {
    _ = try? connection.write()
    port.fail(connection)
  }
}

// MARK: - Output

extension ServerLoop {
  /// Writes the queues and closes the finished connections, until no connection is left to be settled.
  private func settle() {
    guard !port.dirty.isEmpty else { return }
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
    if connection.phase == .closed { return }
    if connection.phase != .failed { try write(to: connection) }
    charge(connection)
    if connection.isDone { return try close(connection) }
    if connection.hasKeptCalls { addTurn(connection) }
    try updateInterest(of: connection)
  }

  private func write(to connection: Connection) throws(SocketError) {
    switch try connection.write() {
    case .blocked: break
    case .closed: port.fail(connection)
    case .written:
      guard connection.wantsDrainNotice else { return }
      connection.wantsDrainNotice = false
      service.outputDrained(connection.id)
    }
  }

  /// Charges the user for the memory that the connection has gained since the last charge.
  ///
  /// If the connection now takes less memory, the difference is given back to the user.
  private func charge(_ connection: Connection) {
    let growth = connection.memory - connection.chargedBytes
    guard growth != 0 else { return }
    connection.chargedBytes += growth
    if !service.charge(growth, toUser: connection.peer.userID), growth > 0 { port.fail(connection) }
  }

  private func close(_ connection: Connection) throws(SocketError) {
    if connection.chargedBytes > 0 {
      _ = service.charge(-connection.chargedBytes, toUser: connection.peer.userID)
    }
    port.remove(connection)
    if connection.admission == .admitted {
      service.connectionEnded(connection.id)
      if service.hasConnectionEnds { isQuiet = false }
    }
    if acceptsAgainAt != nil { try accept(true) }
  }

  /// Tells epoll what to wait for on a connection.
  ///
  /// A connection with nothing to wait for is removed from the epoll set. If such a connection stayed in the set, epoll
  /// would report the end of the connection again in every pass.
  private func updateInterest(of connection: Connection) throws(SocketError) {
    let wanted = Epoll.Readiness(isReadable: connection.wantsInput, isWritable: connection.output.count > 0)
    guard connection.interest != wanted else { return }
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
