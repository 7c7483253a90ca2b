import Synchronization
import Varlink
import VarlinkClient

/// What is open over a connection, and is opened again over the next.
protocol Reopenable: AnyObject, Sendable {
  /// Opens it over the connection that the router has now.
  func reopen() async throws(RouterError)
  /// Ends it, as the router refuses to have it open again.
  func end(with error: RouterError)
}

/// The replies to a call that is made again over each new connection.
final class LastingReplies<Call: MethodCall>: Reopenable {
  private struct State {
    var replies: VarlinkReplies<Call.Reply>
    /// The first of them, which is passed on if it is not the first time.
    var reopening: Call.Reply?
    var refusal: RouterError?
  }

  let router: RouterConnection
  private let call: @Sendable () -> Call
  /// Takes the reply to a call that opens something, and says whether it is one; nil for calls that open nothing.
  private let open: (@Sendable (Call.Reply) -> Bool)?
  /// Restores what the call does not say.
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

  /// Ends the call, and does not make it again.
  func close() {
    router.remove(self)
    state.withLock(\.replies).close()
  }

  /// The next reply, over whichever connection it comes; nil after the last one.
  ///
  /// The reply that opens something is passed on when it was opened again.
  ///
  /// - Throws: a ``RouterError`` if the router refuses the call over a new connection, if the connection was lost and is
  ///   not made again, or if the task is cancelled, which ends the call.
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

  /// Whether no others have taken the place of these.
  private func isCurrent(_ replies: VarlinkReplies<Call.Reply>) throws(RouterError) -> Bool {
    let (current, refusal) = state.withLock { ($0.replies, $0.refusal) }
    if let refusal { throw refusal }
    return current === replies
  }
}
