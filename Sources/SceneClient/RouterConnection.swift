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
  /// Where the router listens.
  public let socketPath: String
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
  public init(
    socketPath: String? = nil,
    timeout: Duration? = nil,
    reconnects: Bool = true
  ) async throws(RouterError) {
    self.reconnects = reconnects
    (states, stateChanges) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    self.socketPath = if let socketPath { socketPath } else { try Self.defaultSocketPath() }
    self.timeout = timeout
    do throws(SocketError) {
      sideConnections = SideConnections(address: try SocketAddress(self.socketPath), timeout: timeout)
    } catch {
      throw RouterError(.cannotConnect(error))
    }
    do throws(VarlinkClientError) {
      link = Mutex(Link(ordinary: try await sideConnections.connect()))
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
    ordinary.close()
    for waiter in waiting { waiter.finish() }
    stateChanges.finish()
  }

  deinit { close() }
}

// MARK: - Calls

extension RouterConnection {
  /// Makes a call that is answered at once.
  func call<Call: MethodCall>(_ call: Call) async throws(RouterError) -> Call.Reply {
    let ordinary = link.withLock(\.ordinary)
    do throws(VarlinkClientError) {
      return try await within(timeout) { () async throws(VarlinkClientError) in
        try await ordinary.call(Call.method, call)
      }
    } catch {
      throw RouterError(error, from: ordinary.peer)
    }
  }

  /// Who listens at the socket; nil if the kernel does not know.
  var peer: PeerCredentials? { link.withLock(\.ordinary).peer }

  /// Makes a call that changes nothing and is answered at once; once more over a new connection if that is lost.
  func ask<Call: MethodCall>(_ call: Call) async throws(RouterError) -> Call.Reply {
    let ordinary = link.withLock(\.ordinary)
    do throws(RouterError) {
      return try await self.call(call)
    } catch {
      guard case .connectionLost = error.code, reconnects else { throw error }
      if link.withLock({ $0.ordinary === ordinary }) { try await reconnect(isolation: nil) }
      return try await self.call(call)
    }
  }

  /// Makes a call that has no answer.
  func callOneway<Call: MethodCall>(_ call: Call) throws(RouterError) {
    do throws(VarlinkClientError) {
      try link.withLock(\.ordinary).callOneway(Call.method, call)
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

  /// Makes a call with many replies, on a connection that ends with them.
  func replies<Call: MethodCall>(
    to call: Call
  ) async throws(RouterError) -> VarlinkReplies<Call.Reply> {
    do throws(VarlinkClientError) {
      return try await sideConnections.connect().callMore(Call.method, call)
    } catch {
      throw RouterError(error)
    }
  }
}
