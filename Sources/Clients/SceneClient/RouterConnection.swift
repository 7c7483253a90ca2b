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
/// It may be used from any number of tasks at once. Behind it are as many sockets as it takes for no call to wait for
/// another: one for calls that are answered at once, more for events under way, one for each scene and declaration.
///
/// A connection that is lost, because the router has crashed or was restarted, is made again, as soon as somebody
/// listens at the socket. Scenes are then opened again in the order in which they were, with their current titles,
/// registrations and activities, and get new ids; applications are declared again; monitors begin with a new snapshot. What was
/// delivered and not settled is lost with the connection, and an event under way is ``RouterError/Code/outcomeUnknown``
/// for who sent it; one with an ``SendOptions/eventID`` is sent again, a second later. ``states`` reports this.
public final class RouterConnection: Sendable {
  /// Where the router listens; nil if it is reached through a program.
  public let socketPath: String?
  /// How long the router may take to answer; nil is for ever.
  let timeout: Duration?
  /// Whether a connection that is lost is made again.
  let reconnects: Bool
  /// What becomes of the connection, from the first time on that it is lost; for one task that iterates.
  public let states: AsyncStream<ConnectionState>
  let stateChanges: AsyncStream<ConnectionState>.Continuation
  let link: Mutex<Link>
  let sideConnections: SideConnections

  /// Connects to the router at `socketPath`, or else at ``defaultSocketPath()``.
  ///
  /// - Parameters:
  ///   - socketPath: where the router listens; a path that begins with `@` is a name in the abstract namespace.
  ///   - timeout: how long the router may take to accept a connection and to answer what needs no waiting; nil is for
  ///     ever. The end of an event and later messages of a stream are waited for longer.
  ///   - reconnects: whether a connection that is lost is made again; if not, scenes and declarations end with it.
  /// - Throws: a ``RouterError`` with the code `noSocketPath`, `nobodyListens`, `permissionDenied`, `cannotConnect`
  ///   or `noAnswer`.
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

  /// Connects to the router through a program whose standard input and output lead to it.
  ///
  ///     let router = try await RouterConnection(bridge: ["ssh", "desktop", "scenectl bridge"])
  ///
  /// Each socket that there would be is a run of the program, made only when it is needed. The program gets no terminal
  /// to ask anything on, and ends with this process.
  ///
  /// - Parameters:
  ///   - bridge: the program, which is looked for in `$PATH`, and its arguments.
  ///   - timeout: how long the program may take to reach the router, and the router to answer what needs no waiting; nil
  ///     is for ever. The end of an event and later messages of a stream are waited for longer.
  ///   - reconnects: whether a connection that is lost is made again; if not, scenes and declarations end with it.
  /// - Throws: a ``RouterError`` with the code `cannotConnect`, whose description has what the program has written to
  ///   standard error, or `noAnswer`.
  public convenience init(
    bridge: [String],
    timeout: Duration? = nil,
    reconnects: Bool = true
  ) async throws(RouterError) {
    try await self.init(socketPath: nil, timeout, reconnects) { () async throws(VarlinkClientError) in
      try await VarlinkConnection.connect(through: bridge)
    }
  }

  private init(
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
      use(try await sideConnections.connect())
    } catch {
      throw RouterError(error)
    }
  }

  /// The socket of the router that serves the whole system, `/run/scened/io.scened.Router`.
  public static var systemSocketPath: String { SocketLocation.system }

  /// The socket of the user's router: `$SCENED_SOCKET`, else `$XDG_RUNTIME_DIR/scened/io.scened.Router`.
  ///
  /// - Throws: a ``RouterError`` with the code `noSocketPath` if neither variable is set.
  public static func defaultSocketPath() throws(RouterError) -> String {
    try SocketLocation.default()
  }

  /// Ends the use of the router: further calls throw `connectionLost`.
  ///
  /// Events under way still come to their end; scenes and declarations stay until they are closed themselves. Letting
  /// go of the object does the same.
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
  /// Makes a call that is answered at once.
  func call<Call: MethodCall>(_ call: Call) async throws(RouterError) -> Call.Reply {
    do throws(VarlinkClientError) {
      let ordinary = try await ordinary()
      return try await within(timeout) { () async throws(VarlinkClientError) in
        try await ordinary.call(Call.method, call)
      }
    } catch {
      throw RouterError(error, from: peer)
    }
  }

  /// Who listens at the socket; nil if the kernel does not know.
  var peer: PeerCredentials? { link.withLock(\.ordinary)?.peer }

  /// Notes a new connection, over which there were no calls.
  func use(_ connection: VarlinkConnection) {
    link.withLock { $0.ordinary = isFrugal ? nil : connection }
    if isFrugal { sideConnections.giveBack(connection) }
  }

  /// Whether a connection costs so much that the first serves whatever is asked first.
  private var isFrugal: Bool { socketPath == nil }

  /// The connection for calls that are answered at once.
  private func ordinary() async throws(VarlinkClientError) -> VarlinkConnection {
    if let ordinary = link.withLock(\.ordinary) { return ordinary }
    let connection = try await sideConnections.take()
    let ordinary = link.withLock { link in
      link.ordinary = link.ordinary ?? connection
      return link.ordinary ?? connection
    }
    if ordinary !== connection { sideConnections.giveBack(connection) }
    return ordinary
  }

  /// Makes a call that changes nothing and is answered at once; once more over a new connection if that is lost.
  func ask<Call: MethodCall>(_ call: Call) async throws(RouterError) -> Call.Reply {
    do throws(RouterError) {
      return try await self.call(call)
    } catch {
      guard case .connectionLost = error.code, reconnects else { throw error }
      if link.withLock({ $0.ordinary?.isClosed != false }) { try await reconnect(isolation: nil) }
      return try await self.call(call)
    }
  }

  /// Makes a call that has no answer.
  func callOneway<Call: MethodCall>(_ call: Call) async throws(RouterError) {
    do throws(VarlinkClientError) {
      try await ordinary().callOneway(Call.method, call)
    } catch {
      throw RouterError(error)
    }
  }

  /// Makes a call whose answer may be long in coming, so that it holds up no other.
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

  /// Makes a call with many replies that come at once, and returns all of them.
  func allReplies<Call: MethodCall>(to call: Call) async throws(RouterError) -> [Call.Reply] {
    let replies = try await replies(to: call)
    var all: [Call.Reply] = []
    while let reply = try await replies.nextReply(within: timeout) { all.append(reply) }
    giveBack(replies)
    return all
  }

  /// Lets the connection behind replies, of which the last has come, serve what is asked next.
  func giveBack<Reply>(_ replies: VarlinkReplies<Reply>) {
    if isFrugal { sideConnections.giveBack(replies.connection) }
  }

  /// Makes a call with many replies, on a connection that ends with them.
  func replies<Call: MethodCall>(
    to call: Call
  ) async throws(RouterError) -> VarlinkReplies<Call.Reply> {
    do throws(VarlinkClientError) {
      let connection = try await isFrugal ? sideConnections.take() : sideConnections.connect()
      return try connection.callMore(Call.method, call)
    } catch {
      throw RouterError(error)
    }
  }
}
