import Synchronization
import VarlinkClient

/// The sockets for calls whose answers may come late.
///
/// Answers come in the order of the calls. On a shared socket, a late answer would delay all later answers.
final class SideConnections: Sendable {
  /// The largest number of idle connections that are kept for later calls.
  private static let idleLimit = 4

  private struct State {
    var idle: [VarlinkConnection] = []
    var isClosed = false
  }

  private let makeConnection: @Sendable () async throws(VarlinkClientError) -> VarlinkConnection
  private let timeout: Duration?
  private let state = Mutex(State())

  /// Makes an empty set of connections; later connections are made by `connect`.
  ///
  /// `connect` may take at most `timeout`; `nil` means no limit.
  init(
    timeout: Duration?,
    connect: @escaping @Sendable () async throws(VarlinkClientError) -> VarlinkConnection
  ) {
    self.timeout = timeout
    makeConnection = connect
  }

  /// Makes a new connection.
  func connect() async throws(VarlinkClientError) -> VarlinkConnection {
    guard !state.withLock(\.isClosed) else { throw .closed }
    return try await within(timeout, makeConnection)
  }

  /// Returns a connection for one call.
  func take() async throws(VarlinkClientError) -> VarlinkConnection {
    while let connection = state.withLock({ $0.idle.popLast() }) {
      if !connection.isClosed { return connection }
    }
    return try await connect()
  }

  /// Keeps a connection for later calls.
  ///
  /// The router must have answered all calls on the connection.
  func giveBack(_ connection: VarlinkConnection) {
    state.withLock { state in
      if !state.isClosed, state.idle.count < Self.idleLimit { state.idle.append(connection) }
    }
  }

  /// Closes the idle connections, because the router at their other ends is gone.
  func dropIdle() {
    state.withLock { $0.idle = [] }
  }

  /// Closes the idle connections; no new connections are made.
  func close() {
    state.withLock { $0 = State(isClosed: true) }
  }
}
