import Synchronization
import Varlink
import VarlinkClient

/// A scene, declaration or monitor that is open over a connection, and is opened again over the next one.
protocol Reopenable: AnyObject, Sendable {
  /// Opens it again over the current connection of the router.
  func reopen() async throws(RouterError)
  /// Ends it because the router refuses to open it again.
  func end(with error: RouterError)
}

/// The replies to a call that is repeated over each new connection.
final class LastingReplies<Call: MethodCall>: Reopenable {
  private struct State {
    var replies: VarlinkReplies<Call.Reply>
    /// The first reply; the stream passes it on if the call was repeated.
    var reopening: Call.Reply?
    var refusal: RouterError?
  }

  let router: RouterConnection
  private let call: @Sendable () -> Call
  /// Notes the reply that opens something, and returns whether the reply does; `nil` for calls that open
  /// nothing.
  private let open: (@Sendable (Call.Reply) -> Bool)?
  /// Restores the state that is not in the call.
  private let reopened: (@Sendable (RouterConnection) async -> Void)?
  private let isShutdown: @Sendable (Call.Reply) -> Bool
  private let state: Mutex<State>

  /// Makes the call for the first time.
  init(
    _ router: RouterConnection,
    isShutdown: @escaping @Sendable (Call.Reply) -> Bool,
    open: (@Sendable (Call.Reply) -> Bool)? = nil,
    reopened: (@Sendable (RouterConnection) async -> Void)? = nil,
    call: @escaping @Sendable () -> Call
  ) async throws(RouterError) {
    self.router = router
    self.call = call
    self.open = open
    self.reopened = reopened
    self.isShutdown = isShutdown
    state = Mutex(State(replies: try await Self.make(call(), on: router, open: open).replies))
    router.add(self)
  }

  private static func make(
    _ call: Call,
    on router: RouterConnection,
    open: (@Sendable (Call.Reply) -> Bool)?
  ) async throws(RouterError) -> (replies: VarlinkReplies<Call.Reply>, first: Call.Reply?) {
    let replies = try await router.replies(to: call)
    guard let open else { return (replies, nil) }
    guard let first = try await replies.nextReply(within: router.timeout), open(first) else {
      throw .unexpectedReply
    }
    return (replies, first)
  }

  func reopen() async throws(RouterError) {
    let (replies, first) = try await Self.make(call(), on: router, open: open)
    let former = state.withLock { state in
      defer { (state.replies, state.reopening) = (replies, first) }
      return state.replies
    }
    former.close()
    await reopened?(router)
  }

  func end(with error: RouterError) {
    let replies = state.withLock { state in
      state.refusal = error
      return state.replies
    }
    replies.close()
  }

  /// Ends the call, which is then not repeated.
  func close() {
    router.remove(self)
    state.withLock(\.replies).close()
  }

  /// Returns the next reply over any connection; `nil` after the last one.
  ///
  /// The reply that opens something is returned only when it was opened again.
  ///
  /// - Throws: a ``RouterError`` if the router refuses the call over a new connection, if the connection is
  ///   lost and not made again, or if the task is cancelled, which ends the call.
  func next(
    within limit: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(RouterError) -> Call.Reply? {
    while true {
      let (replies, reopening) = state.withLock { state in
        defer { state.reopening = nil }
        return (state.replies, state.reopening)
      }
      if let reopening { return reopening }
      do throws(RouterError) {
        let reply = try await replies.nextReply(within: limit, isolation: isolation)
        if let reply, !(router.reconnects && isShutdown(reply)) { return reply }
        if reply == nil, try isCurrent(replies) { return nil }
      } catch {
        if case .cancelled = error.code { router.remove(self) }
        guard case .connectionLost = error.code, router.reconnects else { throw error }
      }
      if try isCurrent(replies) { try await router.reconnect(isolation: isolation) }
    }
  }

  /// Returns whether `replies` are still the current replies, and were not replaced by a repeated call.
  private func isCurrent(_ replies: VarlinkReplies<Call.Reply>) throws(RouterError) -> Bool {
    let (current, refusal) = state.withLock { ($0.replies, $0.refusal) }
    if let refusal { throw refusal }
    return current === replies
  }
}
