import Synchronization
import VarlinkClient

/// The sockets for calls whose answers may be long in coming.
///
/// Answers come in the order of the calls, so that on one socket any of them would hold up the others.
final class SideConnections: Sendable {
  /// How many are kept for later; more are needed only while many events are under way.
  private static let idleLimit = 4

  private struct State {
    var idle: [VarlinkConnection] = []
    var isClosed = false
  }

  private let makeConnection: @Sendable () async throws(VarlinkClientError) -> VarlinkConnection
  private let timeout: Duration?
  private let state = Mutex(State())

  /// Connects by `connect`, which may take `timeout`; nil is for ever.
  init(
    timeout: Duration?,
    connect: @escaping @Sendable () async throws(VarlinkClientError) -> VarlinkConnection
  ) {
    self.timeout = timeout
    makeConnection = connect
  }

  /// A new connection.
  func connect() async throws(VarlinkClientError) -> VarlinkConnection {
    guard !state.withLock(\.isClosed) else { throw .closed }
    return try await within(timeout, makeConnection)
  }

  /// A connection for one call.
  func take() async throws(VarlinkClientError) -> VarlinkConnection {
    while let connection = state.withLock({ $0.idle.popLast() }) {
      if !connection.isClosed { return connection }
    }
    return try await connect()
  }

  /// Keeps a connection on which no answer is to come.
  func giveBack(_ connection: VarlinkConnection) {
    state.withLock { state in
      if !state.isClosed, state.idle.count < Self.idleLimit { state.idle.append(connection) }
    }
  }

  /// Closes all that are kept: the router at their other ends is no more.
  func dropIdle() {
    state.withLock { $0.idle = [] }
  }

  /// Closes all that are kept, and makes no more.
  func close() {
    state.withLock { $0 = State(isClosed: true) }
  }
}
