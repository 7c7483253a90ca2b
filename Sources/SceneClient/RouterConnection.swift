import RouterInterface
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
/// A connection that is lost is not made again: its scenes and declarations end with it, so that their owner has to
/// start anew.
public final class RouterConnection: Sendable {
  /// Where the router listens.
  public let socketPath: String
  /// How long the router may take to answer; nil is for ever.
  let timeout: Duration?
  private let ordinary: VarlinkConnection
  private let sideConnections: SideConnections

  /// Connects to the router at `socketPath`, or else at ``defaultSocketPath()``.
  ///
  /// - Parameters:
  ///   - socketPath: where the router listens; a path that begins with `@` is a name in the abstract namespace.
  ///   - timeout: how long the router may take to accept a connection and to answer what needs no waiting; nil is for
  ///     ever. The end of an event and later messages of a stream are waited for longer.
  /// - Throws: a ``RouterError`` with the code `noSocketPath`, `nobodyListens`, `permissionDenied`, `cannotConnect`
  ///   or `noAnswer`.
  public init(socketPath: String? = nil, timeout: Duration? = nil) async throws(RouterError) {
    self.socketPath = if let socketPath { socketPath } else { try Self.defaultSocketPath() }
    self.timeout = timeout
    do throws(SocketError) {
      sideConnections = SideConnections(address: try SocketAddress(self.socketPath), timeout: timeout)
    } catch {
      throw RouterError(.cannotConnect(error))
    }
    do throws(VarlinkClientError) {
      ordinary = try await sideConnections.connect()
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
    ordinary.close()
    sideConnections.close()
  }
}

// MARK: - Calls

extension RouterConnection {
  /// Makes a call that is answered at once.
  func call<Call: MethodCall>(_ call: Call) async throws(RouterError) -> Call.Reply {
    do throws(VarlinkClientError) {
      return try await within(timeout) { [ordinary] () async throws(VarlinkClientError) in
        try await ordinary.call(Call.method, call)
      }
    } catch {
      throw RouterError(error, from: ordinary.peer)
    }
  }

  /// Who listens at the socket; nil if the kernel does not know.
  var peer: PeerCredentials? { ordinary.peer }

  /// Makes a call that has no answer.
  func callOneway<Call: MethodCall>(_ call: Call) throws(RouterError) {
    do throws(VarlinkClientError) {
      try ordinary.callOneway(Call.method, call)
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
