import Synchronization
import Varlink
import VarlinkClient

/// A member of the connection to the router: a scene, a declaration or a monitor.
///
/// The library opens each member over each new connection.
protocol Reopenable: AnyObject, Sendable {
  var isDeclaration: Bool { get }
  /// Opens the member over the connection with this number.
  func open(over number: Int, isAgain: Bool) async throws(RouterError)
  /// Closes the member's replies over the connection with this number, because that connection is lost.
  func drop(_ number: Int)
  /// Ends the member because the router refuses to open the member again.
  func end(with error: RouterError)
  /// Whether `error` may mean that the member is still open over an earlier connection of this process.
  ///
  /// Another try can then succeed, because the router may be late to notice the end of the earlier connection.
  func isOwn(_ error: RouterError) -> Bool
}

/// A call that keeps a member open, and the state of this member.
protocol LastingCall<Call>: Sendable {
  associatedtype Call: MethodCall where Call.Reply: LastingReply

  /// Returns the call in its current form.
  ///
  /// With `reportsShown`, the call lists the events that have been shown.
  func call(over router: RouterConnection, reportsShown: Bool) -> Call
  /// Whether the stream passes on the first reply over the first connection.
  ///
  /// The stream always passes on the first reply over a later connection.
  var passesFirst: Bool { get }
  /// Notes the first reply, and returns whether this reply opens the member.
  func note(_ first: Call.Reply) -> Bool
  /// Restores the state that the call does not contain, after the member was opened again.
  func restore(over router: RouterConnection) async
  /// Returns and forgets a reply that this library has made.
  ///
  /// The stream passes on this reply before the replies of the router.
  func takeOwnReply() -> Call.Reply?
  /// Notes a reply, and returns whether the stream passes on the reply.
  func passes(_ reply: Call.Reply, over router: RouterConnection) -> Bool
  /// Answers a delivery that the stream has not passed on.
  func answer(_ reply: Call.Reply, over router: RouterConnection) async
  /// Whether the router refuses the member because this process has opened the member already.
  func isOwn(_ error: RouterError) -> Bool
}

extension LastingCall {
  var passesFirst: Bool { false }
  func restore(over router: RouterConnection) async {}
  func takeOwnReply() -> Call.Reply? { nil }
  func passes(_ reply: Call.Reply, over router: RouterConnection) -> Bool { true }
  func answer(_ reply: Call.Reply, over router: RouterConnection) async {}
  func isOwn(_ error: RouterError) -> Bool { false }
}

/// A reply of a stream; the last reply of a stream has a reason.
protocol LastingReply: Sendable {
  /// The reason for the end of the stream; `nil` if another reply follows.
  var closingReason: String? { get }
}

/// The replies to a call that is repeated over each new connection.
final class LastingReplies<Lasting: LastingCall>: Reopenable {
  typealias Reply = Lasting.Call.Reply

  private struct State {
    /// The replies over the connection with the number `number`.
    var replies: VarlinkReplies<Reply>?
    var number = 0
    /// First replies that the stream still has to pass on.
    ///
    /// Each connection has one first reply. Of several first replies, only the earliest and the latest are kept.
    var firsts: [Reply] = []
    /// Whether the member is closed and will not be opened again.
    var isClosed = false
    var refusal: RouterError?
  }

  let router: RouterConnection
  private let lasting: Lasting
  private let state = Mutex(State())

  /// Opens the member for the first time.
  init(_ lasting: Lasting, over router: RouterConnection) async throws(RouterError) {
    self.router = router
    self.lasting = lasting
    // If the first connection is lost, the router may still have the member open over the lost connection. The router
    // then refuses to open the member a second time. If no connection was lost, a refusal is final. After a loss, up
    // to 20 more tries follow a refusal.
    var triesLeft = 0
    try await router.repeating { (number) throws(RouterError) in
      while true {
        do throws(RouterError) {
          try await open(over: number, isAgain: false)
          break
        } catch {
          guard isOwn(error), triesLeft > 0 else {
            triesLeft = 20
            throw error
          }
          triesLeft -= 1
          try? await Task.sleep(for: .milliseconds(50))
        }
      }
      guard router.add(self, to: number) else {
        closeReplies()
        throw .closed
      }
    }
  }

  var isDeclaration: Bool { Lasting.self == DeclaredApplication.State.self }

  func open(over number: Int, isAgain: Bool) async throws(RouterError) {
    do throws(RouterError) {
      try await open(over: number, isAgain: isAgain, reportsShown: true)
    } catch {
      // Version 2 of the router does not know `takenEventIds`, so the call is made again without this parameter.
      guard case .invalidParameter("takenEventIds") = error.code else { throw error }
      try await open(over: number, isAgain: isAgain, reportsShown: false)
    }
  }

  private func open(over number: Int, isAgain: Bool, reportsShown: Bool) async throws(RouterError) {
    // From here on, no reply over an earlier connection is passed on. `call` lists the events that were shown until
    // now, so an event that such a reply showed afterwards would be missing from the list.
    let call = state.withLock { state in
      (state.replies, state.number) = (nil, number)
      return lasting.call(over: router, reportsShown: reportsShown)
    }
    let replies = try await router.replies(to: call)
    let isWanted = state.withLock { state in
      if !state.isClosed { state.replies = replies }
      return !state.isClosed
    }
    guard isWanted else { return replies.close() }
    // If the connection was lost while the socket was being connected, `drop` has not found the socket.
    guard router.isCurrent(number) else {
      replies.close()
      throw .closed
    }
    if router.reconnects { replies.connection.whenLost { [weak router] in router?.lose(number) } }
    do throws(RouterError) {
      guard let first = try await replies.nextReply(within: router.timeout) else {
        if isClosed { return }
        throw .closed
      }
      guard lasting.note(first) else { throw .unexpectedReply }
      if isAgain || lasting.passesFirst { state.withLock { $0.firsts = $0.firsts.prefix(1) + [first] } }
    } catch {
      replies.close()
      throw error
    }
    if isAgain { await lasting.restore(over: router) }
  }

  /// Closes the replies over the connection with this number.
  ///
  /// Replies over a later connection stay open.
  func drop(_ number: Int) {
    state.withLock { $0.number == number ? $0.replies : nil }?.close()
  }

  private func closeReplies() {
    state.withLock(\.replies)?.close()
  }

  func end(with error: RouterError) {
    state.withLock { ($0.isClosed, $0.refusal) = (true, error) }
    closeReplies()
  }

  func isOwn(_ error: RouterError) -> Bool { lasting.isOwn(error) }

  /// Notes that the member is about to close or has closed, so that it is not opened again.
  func willClose() {
    router.remove(self)
    state.withLock { $0.isClosed = true }
  }

  /// Ends the call, which is then not repeated.
  func close() {
    willClose()
    closeReplies()
  }

  /// Returns the next reply and the number of its connection; `nil` after the last reply.
  ///
  /// The first reply over a connection is returned only if the member was opened again, or if `passesFirst` is set.
  ///
  /// - Throws: a ``RouterError`` in three cases: the router refuses the call over a new connection, the connection is
  ///   lost and not made again, or the task is cancelled. Cancelling the task ends the call.
  func next(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(RouterError) -> (reply: Reply, number: Int)? {
    while true {
      var number = 0
      do throws(RouterError) {
        if !isClosed { number = try await router.connected(isolation: isolation) }
      } catch {
        close()
        throw error
      }
      let current = state.withLock { state -> State? in
        // The connection may be lost by now. This method then waits again, because `open` has to read the first reply
        // over the next connection.
        guard state.isClosed || state.number == number else { return nil }
        defer { (state.firsts, state.refusal) = (Array(state.firsts.dropFirst()), nil) }
        return state
      }
      guard let now = current else { continue }
      if let refusal = now.refusal { throw refusal }
      if let first = now.firsts.first { return (first, now.number) }
      // This library made the reply. The answer goes to no router, because no connection has the number 0.
      if let reply = lasting.takeOwnReply() { return (reply, 0) }
      guard let replies = now.replies else {
        if now.isClosed { return nil }
        continue
      }
      do throws(RouterError) {
        if let reply = try await replies.nextReply(isolation: isolation) {
          guard let reason = reply.closingReason else {
            switch pass(reply, over: now.number) {
            case true?: return (reply, now.number)
            case false?: await lasting.answer(reply, over: router)
            case nil: break
            }
            continue
          }
          if isClosed || !router.reconnects || reason != ClosingReason.shutdown.rawValue {
            willClose()
            return (reply, now.number)
          }
        } else if isClosed || !router.reconnects {
          return nil
        }
      } catch {
        let isLost = error.code == .connectionLost
        if isLost, isClosed { return nil }
        guard isLost, router.reconnects else {
          close()
          throw error
        }
      }
      router.lose(now.number)
    }
  }

  /// Notes a reply, and returns whether the stream passes on the reply.
  ///
  /// If the connection with this number was lost, the method notes nothing and returns nil.
  private func pass(_ reply: Reply, over number: Int) -> Bool? {
    state.withLock { $0.number == number ? lasting.passes(reply, over: router) : nil }
  }

  private var isClosed: Bool { state.withLock(\.isClosed) }
}
