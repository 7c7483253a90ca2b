import UnixSocket
import Varlink

/// The loop of a server: carries out calls, runs the work of the service, and writes replies.
///
/// One epoll set holds the listening socket and all connections. With it an event takes six system calls; with a
/// dispatch source for each connection it would take nineteen. ``run()`` makes passes for up to
/// ``ServerLimits/stretchUSec``, a *stretch*. In a pass, each readable connection takes one turn, the queues are
/// written, and the service does its work.
final class ServerLoop {
  private static let listenerToken = UInt64.max
  private static let mostEvents = 256
  private static let mostAccepted = 64
  /// The connections above ``ServerLimits/connections``; their calls are answered only with an error.
  private static let mostRefused = ServerLimits.reservedDescriptors / 4
  private static let readSize = 32 << 10
  /// How long to wait after the system had no descriptor left, because nothing tells that another program has closed
  /// some.
  private static let acceptPauseUSec: UInt64 = 1_000_000

  let epoll: Epoll
  let port: ReplyPort
  let service: any VarlinkService
  private let listener: ListeningSocket
  private var limits: ServerLimits { port.limits }
  private var events = Epoll.Events(capacity: ServerLoop.mostEvents)
  private var received = [UInt8](repeating: 0, count: ServerLoop.readSize)
  private var document = JSONDocument()
  private var turns: [Connection] = []
  /// Whether the loop expects that no more connections are about to end.
  ///
  /// The connections of a dying process end one shortly after the other. False if the last pass had no room for all
  /// ready descriptors, or closed a connection whose end makes work for the service.
  private var isQuiet = true
  private var now: UInt64 = 0
  private var stretchEnd: UInt64 = 0
  private var isAccepting = false
  private var isStopping = false
  /// The time at which a stopping server closes all connections; nil until the service has stopped.
  private var stopsAt: UInt64?
  private var acceptsAgainAt: UInt64?

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

  func start() throws(SocketError) { try accept(true) }

  var holdsCalls: Bool { service.holdsCalls }

  var hasStopped: Bool { stopsAt != nil && port.connectionCount == 0 }

  /// 0 means immediately.
  var nextDeadline: UInt64? {
    if service.hasWork || !turns.isEmpty && !holdsCalls { return 0 }
    let own = MonotonicClock.earliest(stopsAt, acceptsAgainAt)
    return MonotonicClock.earliest(service.nextDeadline, own)
  }

  func stop() throws(SocketError) {
    guard !isStopping else { return }
    isStopping = true
    try accept(false)
    service.prepareToStop()
    flush()
    stopIfReady()
  }

  private func stopIfReady() {
    guard isStopping, stopsAt == nil, service.isReadyToStop else { return }
    stopsAt = MonotonicClock.now + limits.drainUSec
    service.stop()
    for connection in port.all { port.end(connection) }
    flush()
  }

  func removeFile() throws(SocketError) { try listener.removeFile() }
}

// MARK: - The loop

extension ServerLoop {
  /// While the service holds calls, this is one pass.
  func run() throws(SocketError) {
    now = MonotonicClock.now
    stretchEnd = now + limits.stretchUSec
    while try pass(), now < stretchEnd, !hasStopped, !holdsCalls {}
  }

  private func pass() throws(SocketError) -> Bool {
    let deadline = nextDeadline
    let count = try epoll.wait(into: &events, milliseconds: millisecondsToWait(until: deadline))
    now = MonotonicClock.now
    isQuiet = count < Self.mostEvents
    for index in 0..<count { try note(events[index]) }
    takeTurns()
    flush()
    let isDue = deadline.map { $0 <= now } ?? false
    if isDue { try meetDeadlines() }
    work()
    flush()
    stopIfReady()
    return count > 0 || isDue
  }

  private func millisecondsToWait(until deadline: UInt64?) -> Int {
    // A dying process needs a moment to close all its connections, so the loop waits a millisecond for their ends
    // before it goes on with the service's work.
    if deadline == 0, turns.isEmpty, !isQuiet { return 1 }
    let end = min(stretchEnd, deadline ?? stretchEnd)
    return end > now ? Int((end - now) / 1000) : 0
  }

  private func note(_ event: Epoll.Event) throws(SocketError) {
    guard event.token != Self.listenerToken else { return try acceptAll() }
    guard let connection = port[ConnectionID(rawValue: event.token)] else { return }
    if event.readiness.isWritable { port.markDirty(connection) }
    guard event.readiness.isReadable else { return }
    // Of a connection from which the loop wants no input, epoll reports only an error or the end of both directions.
    connection.clientHasEnded = event.hasEnded
    if connection.wantsInput { addTurn(connection) } else { port.fail(connection) }
  }

  private func addTurn(_ connection: Connection) {
    guard !connection.waitsForTurn else { return }
    connection.waitsForTurn = true
    turns.append(connection)
  }

  /// Connections that have no turn before ``stretchEnd`` come first in the next call of ``run()``.
  private func takeTurns() {
    guard !turns.isEmpty, service.takesCalls(at: now) else { return }
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

  /// Runs at least one piece of work, and more until ``stretchEnd``.
  ///
  /// If ``isQuiet`` is false, only pieces for ended connections run until then: another piece could send an event from
  /// one scene of a dying process to another scene of the same process.
  private func work() {
    let takesAll = isQuiet || now >= stretchEnd
    while service.hasWork, takesAll || service.hasConnectionEnds {
      service.work()
      if isStretchOver() { return }
    }
  }

  private func isStretchOver() -> Bool {
    now = MonotonicClock.now
    return now >= stretchEnd
  }

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
  private func takeTurn(of connection: Connection) throws(SocketError) {
    guard connection.phase == .open else { return }
    var received: [UInt8] = []
    swap(&received, &self.received)
    defer { swap(&received, &self.received) }
    if connection.hasKeptCalls {
      return dispatchCalls(in: received.span.extracting(first: 0), of: connection)
    }
    // If the client has stopped sending, the turn reads up to the end, so that the loop learns that the client has gone
    // before the service can send an event to one of its scenes.
    repeat {
      var buffer = received.mutableSpan
      switch try connection.socket.read(into: &buffer) {
      case .wouldBlock: return
      case .reset: return port.fail(connection)
      case .end: return endInput(of: connection)
      case .bytes(let count): dispatchCalls(in: received.span.extracting(first: count), of: connection)
      }
    } while connection.clientHasEnded && connection.wantsInput && !connection.hasKeptCalls
  }

  /// Stops at ``stretchEnd``, behind an open call with `more`, or when the connection is to be closed; keeps the rest.
  private func dispatchCalls(in received: Span<UInt8>, of connection: Connection) {
    var document = JSONDocument()
    swap(&document, &self.document)
    defer { swap(&document, &self.document) }
    var input = FrameSplitter()
    swap(&input, &connection.input)
    var offset = 0
    do throws(ProtocolViolation) {
      var isOver = false
      while !isOver, connection.takesCalls, let message = try input.nextMessage(of: received, at: &offset) {
        try dispatch(document.parseCall(message), of: connection)
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

  private func dispatch(_ call: borrowing Call, of connection: Connection) {
    let id = CallID(connection: connection.id, ticket: connection.calls.begin(call.mode))
    switch connection.admission {
    case .denied: port.reply(to: id, error: ServiceError.permissionDenied)
    case .tooMany(let limit):
      service.refuseConnection(id, limit)
      port.end(connection)
    case .admitted:
      if call.mode == .upgrade || !service.dispatch(call, id) {
        port.reply(to: call, id, by: service.serviceInterface)
      }
    }
  }

  private func endInput(of connection: Connection) {
    connection.calls.endInput()
    // A client that sends nothing more also ends its open call with `more`. It may have stopped reading, so the
    // connection does not wait for that.
    if connection.calls.hasOpenStream { cut(connection) } else { port.markDirty(connection) }
  }

  private func cut(_ connection: Connection) {
    _ = try? connection.write()
    port.fail(connection)
  }
}

// MARK: - Output

extension ServerLoop {
  private func flush() {
    guard !port.dirty.isEmpty else { return }
    var index = 0
    while index < port.dirty.count {
      let connection = port.dirty[index]
      index += 1
      connection.isDirty = false
      attempt(on: connection) { () throws(SocketError) in try flush(connection) }
    }
    port.dirty.removeAll(keepingCapacity: true)
  }

  private func flush(_ connection: Connection) throws(SocketError) {
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

  /// A connection with nothing to wait for leaves the epoll set, which would report its end again in every pass.
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
