import RouterInterface
import Synchronization
import VarlinkClient

/// A step in the routing of one event.
public enum EventProgress: Sendable, Equatable {
  /// The router has made its first or a later decision about the event.
  case decision(RouteDecision)
  /// An attempt has ended.
  case settlement(Settlement)
  /// The event has ended; no step follows.
  case ended(EventOutcome)
}

final class EventFollower: Sendable {
  private struct State {
    var replies: VarlinkReplies<Wire.SendEventCall.Reply>?
    var decision: RouteDecision?
    var attempts: [Settlement] = []
    /// Whether the last reply was a decision, so that a target has not answered yet.
    var hasTarget = false
    var hasEnded = false
  }

  private enum Reply {
    case reply(Wire.SendEventCall.Reply)
    case end(EventOutcome)
  }

  private let call: Wire.SendEventCall
  private let router: RouterConnection
  private let targetTime: Duration
  private let state = Mutex(State())

  /// Each reply has to come within the time limit of `router`, and the target after a decision gets `targetTime` more.
  init(_ call: Wire.SendEventCall, over router: RouterConnection, targetTime: Duration) {
    self.call = call
    self.router = router
    self.targetTime = targetTime
  }

  /// Sends the event, for the first time or again.
  func start() async throws(RouterError) {
    let replies = try await router.repeating { (_) throws(RouterError) in try await router.replies(to: call) }
    state.withLock { $0 = State(replies: replies) }
  }

  func next() async throws(RouterError) -> EventProgress? {
    guard !state.withLock({ $0.hasEnded }) else { return nil }
    while let reply = try await nextReply() {
      switch reply {
      case .reply(let reply):
        if let progress = note(reply) { return progress }
      case .end(let outcome):
        return end(with: outcome)
      }
    }
    return try endWithLastAttempt()
  }

  /// `nil` after the last reply.
  ///
  /// If the connection is lost or the router stops, a library that reconnects sends the event again.
  private func nextReply() async throws(RouterError) -> Reply? {
    try await router.repeating { (_) throws(RouterError) in
      if state.withLock({ $0.replies == nil }) { try await start() }
      let (now, hasTarget) = state.withLock { ($0.replies, $0.hasTarget) }
      guard let replies = now else { return nil }
      let limit = router.timeout.map { $0 + (hasTarget ? targetTime : .zero) }
      do throws(VarlinkClientError) {
        return try await within(limit) { () async throws(VarlinkClientError) in try await replies.next() }
          .map(Reply.reply)
      } catch {
        let outcome = EventOutcome(error)
        if let outcome, !(router.reconnects && outcome.isEndOfRouter) { return .end(outcome) }
        let error =
          outcome == nil ? RouterError(ofEvent: error, from: replies.connection.peer) : .serviceStopping
        if error.isEndOfRouter { state.withLock { $0.replies = nil } }
        throw error
      }
    }
  }

  private func note(_ reply: Wire.SendEventCall.Reply) -> EventProgress? {
    if let report = EventReport(reply) { return end(with: .taken(report)) }
    return state.withLock { state in
      if let settlement = reply.settlement {
        state.attempts.append(settlement)
        state.hasTarget = false
        return .settlement(settlement)
      }
      guard let decision = reply.decision else { return nil }
      state.decision = decision
      state.hasTarget = true
      return .decision(decision)
    }
  }

  /// Replies that end without an error mean that the last target has taken the event.
  private func endWithLastAttempt() throws(RouterError) -> EventProgress {
    let (decision, attempts) = state.withLock { ($0.decision, $0.attempts) }
    guard let decision, let settlement = attempts.last else { throw .unexpectedReply }
    return end(with: .taken(EventReport(decision, settlement, attempts)))
  }

  private func end(with outcome: EventOutcome) -> EventProgress {
    let replies = state.withLock { state in
      state.hasEnded = true
      return state.replies
    }
    if let replies { router.giveBack(replies) }
    return .ended(outcome)
  }
}
