import Synchronization
import VarlinkClient

/// The sockets for calls whose answers may come late.
///
/// Answers come in the order of the calls, so a late one on a shared socket would delay all later ones.
final class SideConnections: Sendable {
  private static let idleLimit = 4

  private struct State {
    var idle: [VarlinkConnection] = []
    var isClosed = false
  }

  private let makeConnection: @Sendable () async throws(VarlinkClientError) -> VarlinkConnection
  private let timeout: Duration?
  private let state = Mutex(State())

  /// `connect` may take at most `timeout`; `nil` means no limit.
  init(
    timeout: Duration?,
    connect: @escaping @Sendable () async throws(VarlinkClientError) -> VarlinkConnection
  ) {
    self.timeout = timeout
    makeConnection = connect
  }

  func connect() async throws(VarlinkClientError) -> VarlinkConnection {
    guard !state.withLock(\.isClosed) else { throw .closed }
    return try await within(timeout, makeConnection)
  }

  func take() async throws(VarlinkClientError) -> VarlinkConnection {
    while let connection = state.withLock({ $0.idle.popLast() }) {
      if !connection.isClosed { return connection }
    }
    return try await connect()
  }

  /// The router must have answered all calls on the connection.
  func giveBack(_ connection: VarlinkConnection) {
    state.withLock { state in
      if !state.isClosed, state.idle.count < Self.idleLimit { state.idle.append(connection) }
    }
  }

  /// The router at their other ends is gone.
  func dropIdle() {
    state.withLock { $0.idle = [] }
  }

  func close() {
    state.withLock { $0 = State(isClosed: true) }
  }
}
