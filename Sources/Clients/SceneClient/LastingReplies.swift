import Synchronization
import Varlink
import VarlinkClient

/// A member of the connection: a scene, a declaration or a monitor, which the library opens over each new connection.
protocol Reopenable: AnyObject, Sendable {
  var isDeclaration: Bool { get }
  func open(over number: Int, isAgain: Bool) async throws(RouterError)
  func receive() async
  /// The connection with this number is lost; replies over a later one stay open.
  func drop(_ number: Int)
  /// The router refuses to open the member again.
  func end(with error: RouterError)
  /// Whether the object may still be open over an earlier connection of this process.
  ///
  /// Another try can then succeed, because the router may notice the end of that connection late.
  func isOwn(_ error: RouterError) -> Bool
}

/// A call that keeps a member open, and the member's state.
protocol LastingCall<Call>: Sendable {
  associatedtype Call: MethodCall where Call.Reply: LastingReply

  /// With `reportsShown`, the call lists the events that this process has already got, so that a restarted router does
  /// not send them again.
  func call(over router: RouterConnection, reportsShown: Bool) -> Call
  /// Whether the stream passes on the reply that first opens the member; that of a later opening it always passes on.
  var passesFirst: Bool { get }
  /// Returns whether the reply opens the member.
  func note(_ first: Call.Reply) -> Bool
  /// Restores the state that the call does not contain, after the member was opened again.
  func restore(over router: RouterConnection) async
  /// A reply in place of a lost router's; the stream passes it on before all replies of the current router but the
  /// first.
  func takeOwnReply() -> Call.Reply?
  /// Notes the reply, and returns whether the stream passes it on.
  func passes(_ reply: Call.Reply, over router: RouterConnection) -> Bool
  /// Acknowledges a delivery that the stream does not pass on, because the scene has already got its event.
  func answer(_ reply: Call.Reply, over router: RouterConnection) async
  /// See ``Reopenable/isOwn(_:)``.
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

protocol LastingReply: Sendable {
  /// `nil` if another reply follows.
  var closingReason: String? { get }
}

/// The replies to a call that is repeated over each new connection.
final class LastingReplies<Lasting: LastingCall>: Reopenable {
  typealias Reply = Lasting.Call.Reply

  private struct State {
    /// Over the connection with the number `number`.
    var replies: VarlinkReplies<Reply>?
    var number = 0
    /// Each was the first reply over its connection, and still has to be passed on; only the earliest and the latest
    /// are kept.
    var firsts: [Reply] = []
    var isClosed = false
    var refusal: RouterError?
  }

  let router: RouterConnection
  private let lasting: Lasting
  private let state = Mutex(State())

  init(_ lasting: Lasting, over router: RouterConnection) async throws(RouterError) {
    self.router = router
    self.lasting = lasting
    // At first, a refusal is final. After a loss, up to 20 more tries follow, because the member may still count as
    // open over the lost connection.
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
      // Version 2 of the router does not know this parameter.
      guard case .invalidParameter("takenEventIds") = error.code else { throw error }
      try await open(over: number, isAgain: isAgain, reportsShown: false)
    }
  }

  private func open(over number: Int, isAgain: Bool, reportsShown: Bool) async throws(RouterError) {
    // From now on, replies over an earlier connection are ignored: they could bring an event that `call` does not
    // report, and that the router then sends again.
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

  func receive() async {
    await state.withLock(\.replies)?.connection.receive()
  }

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

  /// The member is about to close or has closed, and is not opened again.
  func willClose() {
    router.remove(self)
    state.withLock { $0.isClosed = true }
  }

  func close() {
    willClose()
    closeReplies()
  }

  /// Returns a reply and the number of its connection; `nil` after the last reply.
  ///
  /// - Throws: a ``RouterError`` if the router refuses the call over a new connection, the connection is lost and not
  ///   made again, or the task is cancelled, which ends the call.
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
        // The connection may be lost by now; `open` reads the first reply over the next one.
        guard state.isClosed || state.number == number else { return nil }
        defer { (state.firsts, state.refusal) = (Array(state.firsts.dropFirst()), nil) }
        return state
      }
      guard let now = current else { continue }
      if let refusal = now.refusal { throw refusal }
      if let first = now.firsts.first { return (first, now.number) }
      // No connection has the number 0, so the scene's answer to this library's own reply goes to no router.
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

  /// Notes nothing and returns nil if the connection with this number was lost.
  private func pass(_ reply: Reply, over number: Int) -> Bool? {
    state.withLock { $0.number == number ? lasting.passes(reply, over: router) : nil }
  }

  private var isClosed: Bool { state.withLock(\.isClosed) }
}
