import RouterInterface
import Synchronization
import UnixSocket
import Varlink
import VarlinkClient

/// A connection to the router.
///
///     let router = try await RouterConnection()
///     let scene = try await router.openScene(
///       application: "org.example.Photos",
///       registrations: [Registration(id: "album", preferring: ["album=4711"], allowing: ["*"])]
///     )
///     for try await delivery in scene.deliveries {
///       show(delivery.event)
///       try await delivery.acknowledge()
///     }
///
/// Any number of tasks may use a connection at the same time. A connection consists of several sockets, so that no
/// call waits for another. One socket is for calls that the router answers immediately. Each event under way, scene,
/// declaration and monitor has a socket of its own.
///
/// The connection is lost if the router crashes or is restarted, or if a socket of the connection is lost. The
/// library then makes the connection again as soon as a process listens at the socket. Scenes are opened again in
/// their order, with their current titles, registrations and activities, and get new ids. Applications are then
/// declared again, and monitors begin with a new snapshot.
///
/// Deliveries that were not settled stay with their scenes, and count as taken. Events under way are sent again, and
/// no scene gets an event twice. ``states`` reports each loss and each renewal of the connection.
public final class RouterConnection: Sendable {
  /// The path of the router's socket; nil if the router is reached through a program.
  public let socketPath: String?
  /// For the router's answer; `nil` means no limit.
  let timeout: Duration?
  let reconnects: Bool
  /// The changes of the connection, beginning with its first loss; only one task may iterate over them.
  public let states: AsyncStream<ConnectionState>
  let stateChanges: AsyncStream<ConnectionState>.Continuation
  let link: Mutex<Link>
  let sideConnections: SideConnections

  /// Connects to the router at `socketPath`; if this path is nil, at ``defaultSocketPath()``.
  ///
  /// - Parameters:
  ///   - socketPath: the path of the router's socket; a path that begins with `@` is a name in the abstract
  ///     namespace.
  ///   - timeout: the time that the router may take to accept a connection, and to answer a call. Nil means no
  ///     limit. ``send(_:to:options:)`` and ``awaitEvent(_:)`` wait for the end of an event without a limit. Scenes,
  ///     applications and monitors wait for messages without a limit.
  ///   - reconnects: whether a lost connection is made again. If not, scenes and declarations end with the
  ///     connection.
  /// - Throws: a ``RouterError`` with the code `noSocketPath`, `nobodyListens`, `permissionDenied`,
  ///   `cannotConnect` or `noAnswer`.
  public convenience init(
    socketPath: String? = nil,
    timeout: Duration? = nil,
    reconnects: Bool = true
  ) async throws(RouterError) {
    let path = if let socketPath { socketPath } else { try Self.defaultSocketPath() }
    let address: SocketAddress
    do throws(SocketError) {
      address = try SocketAddress(path)
    } catch {
      throw RouterError(.cannotConnect(error))
    }
    try await self.init(socketPath: path, timeout, reconnects) { () async throws(VarlinkClientError) in
      try await VarlinkConnection.connect(to: address)
    }
  }

  /// Connects to the router through a program whose standard input and output lead to the router.
  ///
  ///     let router = try await RouterConnection(bridge: ["ssh", "desktop", "scenectl bridge"])
  ///
  /// The library runs the program once for each socket of the connection. The program gets no terminal, and therefore
  /// cannot ask for a password. The program ends with this process.
  ///
  /// - Parameters:
  ///   - bridge: the program, which is looked up in `$PATH`, and its arguments.
  ///   - timeout: the time that the program may take to reach the router, and the time that the router may take to
  ///     answer a call. Nil means no limit. ``send(_:to:options:)`` and ``awaitEvent(_:)`` wait for the end of an event
  ///     without a limit. Scenes, applications and monitors wait for messages without a limit.
  ///   - reconnects: whether a lost connection is made again. If not, scenes and declarations end with the connection.
  /// - Throws: a ``RouterError`` with the code `cannotConnect` or `noAnswer`. The description of `cannotConnect` has
  ///   the program's output to standard error.
  public convenience init(
    bridge: [String],
    timeout: Duration? = nil,
    reconnects: Bool = true
  ) async throws(RouterError) {
    try await self.init(socketPath: nil, timeout, reconnects) { () async throws(VarlinkClientError) in
      try await VarlinkConnection.connect(through: bridge)
    }
  }

  init(
    socketPath: String?,
    _ timeout: Duration?,
    _ reconnects: Bool,
    connect: @escaping @Sendable () async throws(VarlinkClientError) -> VarlinkConnection
  ) async throws(RouterError) {
    self.reconnects = reconnects
    (states, stateChanges) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    self.socketPath = socketPath
    self.timeout = timeout
    sideConnections = SideConnections(timeout: timeout, connect: connect)
    link = Mutex(Link())
    do throws(VarlinkClientError) {
      use(try await sideConnections.connect(), over: 1)
    } catch {
      throw RouterError(error)
    }
  }

  /// The socket of the router that serves the whole system, `/run/scened/io.scened.Router`.
  public static var systemSocketPath: String { SocketLocation.system }

  /// Returns the socket of the user's router: `$SCENED_SOCKET`, else `$XDG_RUNTIME_DIR/scened/io.scened.Router`.
  ///
  /// - Throws: a ``RouterError`` with the code `noSocketPath` if both variables are missing.
  public static func defaultSocketPath() throws(RouterError) -> String {
    try SocketLocation.default()
  }

  /// Ends the use of the router: further calls throw `connectionLost`.
  ///
  /// Events under way are still completed, and open scenes and declarations stay open. The object also calls this
  /// method when it is deallocated.
  public func close() {
    sideConnections.close()
    let (ordinary, waiting) = link.withLock { link in
      defer { (link.isClosed, link.waiting) = (true, []) }
      return (link.ordinary, link.waiting)
    }
    ordinary?.close()
    for waiter in waiting { waiter.finish() }
    stateChanges.finish()
  }

  deinit { close() }
}

// MARK: - Calls

extension RouterConnection {
  /// Only for calls that the router answers immediately.
  func call<Call: MethodCall>(_ call: Call) async throws(RouterError) -> Call.Reply {
    do throws(VarlinkClientError) {
      let ordinary = try await ordinary()
      return try await within(timeout) { () async throws(VarlinkClientError) in
        try await ordinary.call(Call.method, call)
      }
    } catch {
      let error = RouterError(error, from: peer)
      // A member that the router does not know may have lost its socket, and the loss has to be noticed first.
      if AnswerOutcome(refusal: error) != nil { await receive() }
      throw error
    }
  }

  /// The process that listens at the socket; `nil` if the kernel does not know it.
  var peer: PeerCredentials? { link.withLock(\.ordinary)?.peer }

  /// `socket` is the first one of the connection with this number.
  func use(_ socket: VarlinkConnection, over number: Int) {
    if isBridged { sideConnections.giveBack(socket) } else { setOrdinary(socket, over: number) }
  }

  /// `socket` is for calls that the router answers immediately; not used if the connection is lost or already has one.
  private func setOrdinary(_ socket: VarlinkConnection, over number: Int) {
    link.withLock { link in
      if link.isCurrent(number) { link.ordinary = link.ordinary ?? socket }
    }
    if reconnects { socket.whenLost { [weak self] in self?.lose(number) } }
  }

  /// Each socket to a router behind a program costs one process, so an idle one is used again for calls of any kind.
  private var isBridged: Bool { socketPath == nil }

  private func ordinary() async throws(VarlinkClientError) -> VarlinkConnection {
    let (ordinary, number, isLost) = link.withLock { ($0.ordinary, $0.number, $0.state == .lost) }
    if let ordinary { return ordinary }
    guard isBridged, !isLost else { throw .closedByService(insideMessage: false) }
    let socket = try await sideConnections.take()
    setOrdinary(socket, over: number)
    return link.withLock(\.ordinary) ?? socket
  }

  /// For a call that changes nothing, so that it can be made again after a loss; the router has to answer it
  /// immediately.
  func ask<Call: MethodCall>(_ call: Call) async throws(RouterError) -> Call.Reply {
    try await repeating { (_) throws(RouterError) in try await self.call(call) }
  }

  func callOneway<Call: MethodCall>(_ call: Call) async throws(RouterError) {
    do throws(VarlinkClientError) {
      try await ordinary().callOneway(Call.method, call)
    } catch {
      throw RouterError(error)
    }
  }

  func callApart<Call: MethodCall>(
    _ call: Call,
    timeout: Duration? = nil
  ) async throws(VarlinkClientError) -> Call.Reply {
    let connection = try await sideConnections.take()
    do throws(VarlinkClientError) {
      let reply = try await within(timeout) { () async throws(VarlinkClientError) -> Call.Reply in
        try await connection.call(Call.method, call)
      }
      sideConnections.giveBack(connection)
      return reply
    } catch {
      if case .errorReply = error { sideConnections.giveBack(connection) }
      throw error
    }
  }

  /// The router has to answer the call immediately; after a loss, the call is made again over the next connection.
  func allReplies<Call: MethodCall>(to call: Call) async throws(RouterError) -> [Call.Reply] {
    try await repeating { (_) throws(RouterError) in
      let replies = try await replies(to: call)
      var all: [Call.Reply] = []
      while let reply = try await replies.nextReply(within: timeout) { all.append(reply) }
      giveBack(replies)
      return all
    }
  }

  /// To be called after the last reply.
  func giveBack<Reply>(_ replies: VarlinkReplies<Reply>) {
    if isBridged { sideConnections.giveBack(replies.connection) }
  }

  /// On a connection of its own.
  func replies<Call: MethodCall>(
    to call: Call
  ) async throws(RouterError) -> VarlinkReplies<Call.Reply> {
    do throws(VarlinkClientError) {
      let connection = try await isBridged ? sideConnections.take() : sideConnections.connect()
      return try connection.callMore(Call.method, call)
    } catch {
      throw RouterError(error)
    }
  }
}
