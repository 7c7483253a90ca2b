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
  /// Whether `error` may mean that this object is still open over an earlier connection of this process.
  ///
  /// The router may notice the end of that connection late. Another try to open the object can then succeed.
  func isOwn(_ error: RouterError) -> Bool
}

/// A call that keeps a member open, and the member's state.
///
/// A member is a scene, a declaration or a monitor.
protocol LastingCall<Call>: Sendable {
  associatedtype Call: MethodCall where Call.Reply: LastingReply

  /// Returns the call with the current state of the member.
  ///
  /// If `reportsShown` is true, the call lists the events that this process has already got.
  func call(over router: RouterConnection, reportsShown: Bool) -> Call
  /// Whether the stream passes on the reply that opens the member for the first time.
  ///
  /// When the member is opened again, the stream passes on the first reply, whatever this property says.
  var passesFirst: Bool { get }
  /// Notes the first reply, and returns whether this reply opens the member.
  func note(_ first: Call.Reply) -> Bool
  /// Restores the state that the call does not contain, after the member was opened again.
  func restore(over router: RouterConnection) async
  /// Takes out the reply that this library made in place of a lost router; `nil` if there is none.
  ///
  /// The stream passes on this reply before all replies of the current router except the first one.
  func takeOwnReply() -> Call.Reply?
  /// Notes a reply, and returns whether the stream passes on the reply.
  func passes(_ reply: Call.Reply, over router: RouterConnection) -> Bool
  /// Acknowledges a delivery that the stream does not pass on.
  ///
  /// The scene has already got the event of such a delivery.
  func answer(_ reply: Call.Reply, over router: RouterConnection) async
  /// Whether `error` may mean that the object is still open over an earlier connection of this process.
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

/// A reply of a stream; the last reply says why the stream ends.
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
    /// Replies that the stream still has to pass on; each of them was the first reply over its connection.
    ///
    /// If there are more than two of these replies, only the earliest and the latest are kept.
    var firsts: [Reply] = []
    /// Whether the member is closed and will not be opened again.
    var isClosed = false
    var refusal: RouterError?
  }

  let router: RouterConnection
  private let lasting: Lasting
  private let state = Mutex(State())

  /// Opens the scene, the declaration or the monitor for the first time.
  init(_ lasting: Lasting, over router: RouterConnection) async throws(RouterError) {
    self.router = router
    self.lasting = lasting
    // At first, a refusal is final. After a loss of the connection, the router may refuse the member because the member
    // still counts as open over the lost connection. Up to 20 more tries then follow.
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
    // `call` tells the router which events this process has already got. From now on, replies over an earlier
    // connection are ignored, because they could bring an event that `call` does not report. The router could then send
    // this event again.
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
    if router.reconnects { replies.connection.whenLost { [weak router] in router?.lose(number) } }
    do throws(RouterError) {
      // If the connection was lost before `state` had these replies, `drop` did not find them.
      guard router.isCurrent(number) else { throw .closed }
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

  /// Closes the scene, declaration or monitor, which is not opened again over later connections.
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
        // The connection may be lost by now. The loop then waits for the next connection, on which `open` reads the
        // first reply.
        guard state.isClosed || state.number == number else { return nil }
        defer { (state.firsts, state.refusal) = (Array(state.firsts.dropFirst()), nil) }
        return state
      }
      guard let now = current else { continue }
      if let refusal = now.refusal { throw refusal }
      if let first = now.firsts.first { return (first, now.number) }
      // The library made this reply itself. No connection has the number 0, so the scene's answer goes to no router.
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
