import RouterInterface
import Synchronization
import VarlinkClient

/// A step of an event on its way.
public enum EventProgress: Sendable, Equatable {
  /// The event was routed, for the first time or again.
  case decision(RouteDecision)
  /// An attempt has ended.
  case settlement(Settlement)
  /// The event has ended; no step follows.
  case ended(EventOutcome)
}

/// Follows the replies about one event, and finds the outcome if no reply contains it.
final class EventFollower: Sendable {
  private struct State {
    var decision: Wire.RouteDecision?
    var attempts: [Wire.Settlement] = []
    /// Whether the last reply was a decision.
    var hasTarget = false
    var hasEnded = false
  }

  private enum Reply {
    case reply(Wire.SendEvent.Reply)
    case end(EventOutcome)
  }

  private let replies: VarlinkReplies<Wire.SendEvent.Reply>
  private let timeout: Duration?
  private let targetTime: Duration
  private let state = Mutex(State())

  /// Follows `replies`, each of which has to come within `timeout`; `nil` means without a limit.
  ///
  /// The reply after a decision may be later by `targetTime`, the time that the target has.
  init(_ replies: VarlinkReplies<Wire.SendEvent.Reply>, within timeout: Duration?, targetTime: Duration) {
    self.replies = replies
    self.timeout = timeout
    self.targetTime = targetTime
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

  /// Returns the next reply, or the outcome in the router's error.
  private func nextReply() async throws(RouterError) -> Reply? {
    let limit = timeout.map { $0 + (state.withLock(\.hasTarget) ? targetTime : .zero) }
    do throws(VarlinkClientError) {
      return try await within(limit) { [replies] () async throws(VarlinkClientError) in
        try await replies.next()
      }
      .map(Reply.reply)
    } catch {
      guard let outcome = EventOutcome(error) else {
        throw RouterError(ofEvent: error, from: replies.connection.peer)
      }
      return .end(outcome)
    }
  }

  private func note(_ reply: Wire.SendEvent.Reply) -> EventProgress? {
    if let report = EventReport(reply) { return end(with: .taken(report)) }
    return state.withLock { state in
      if let settlement = reply.settlement {
        state.attempts.append(settlement)
        state.hasTarget = false
        return .settlement(Settlement(settlement))
      }
      guard let decision = reply.decision else { return nil }
      state.decision = decision
      state.hasTarget = true
      return .decision(RouteDecision(decision))
    }
  }

  /// Ends the event as taken by the last attempt, because the replies have ended without an error.
  private func endWithLastAttempt() throws(RouterError) -> EventProgress {
    let (decision, attempts) = state.withLock { ($0.decision, $0.attempts) }
    guard let decision, let settlement = attempts.last else { throw .unexpectedReply }
    return end(with: .taken(EventReport(decision, settlement, attempts)))
  }

  private func end(with outcome: EventOutcome) -> EventProgress {
    state.withLock { $0.hasEnded = true }
    return .ended(outcome)
  }
}
