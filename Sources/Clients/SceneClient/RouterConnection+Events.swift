import RouterInterface
import Synchronization
import Varlink
import VarlinkClient

extension RouterConnection {
  /// Sends an event, and waits until it is taken or has failed.
  ///
  /// The event comes to its end even if the task is cancelled.
  ///
  /// - Parameters:
  ///   - event: the event to route.
  ///   - scope: the scenes and applications that may get the event.
  ///   - options: the id of the event, its activation token and the time for each target.
  /// - Returns: the end of the event.
  /// - Throws: a ``RouterError`` if the router does not accept the event, or cannot be asked.
  public func send(
    _ event: Event,
    to scope: RoutingScope = .everything,
    options: SendOptions = SendOptions()
  ) async throws(RouterError) -> EventOutcome {
    try await outcome(of: Wire.SendEvent(event, to: scope, options), isRepeatable: options.eventID != nil)
  }

  /// Sends an event, and waits only for the first decision about it.
  ///
  /// If `options` has an event id, ``awaitEvent(_:)`` returns the end of the event.
  ///
  /// - Parameters:
  ///   - event: the event to route.
  ///   - scope: the scenes and applications that may get the event.
  ///   - options: the id of the event, its activation token and the time for each target.
  /// - Returns: the decision; its target is ``RouteDecision/Target/nothing`` if no rule found a target.
  /// - Throws: a ``RouterError`` if the router does not accept the event, or cannot be asked.
  public func route(
    _ event: Event,
    to scope: RoutingScope = .everything,
    options: SendOptions = SendOptions()
  ) async throws(RouterError) -> RouteDecision {
    let reply: Wire.SendEvent.Reply
    do throws(VarlinkClientError) {
      reply = try await callApart(
        Wire.SendEvent(event, to: scope, options, waitFor: .decision),
        timeout: timeout
      )
    } catch {
      guard let decision = EventOutcome(error)?.decision else { throw RouterError(error, from: peer) }
      return decision
    }
    guard let decision = reply.decision else { throw .unexpectedReply }
    return RouteDecision(decision)
  }

  /// Sends an event, and reports each decision and each settlement as it comes, and then the outcome.
  ///
  /// - Parameters:
  ///   - event: the event to route.
  ///   - scope: the scenes and applications that may get the event.
  ///   - options: the id of the event, its activation token and the time for each target.
  /// - Returns: the steps of the event; the last element is ``EventProgress/ended(_:)``.
  /// - Throws: a ``RouterError`` if the router cannot be asked. If the router does not accept the event, the
  ///   stream throws.
  public func sendUpdates(
    _ event: Event,
    to scope: RoutingScope = .everything,
    options: SendOptions = SendOptions()
  ) async throws(RouterError) -> RouterStream<EventProgress> {
    let replies = try await replies(to: Wire.SendEvent(event, to: scope, options))
    let follower = EventFollower(replies, within: timeout, targetTime: options.targetTime)
    return RouterStream { (_: isolated (any Actor)?) async throws(RouterError) in
      let progress = try await follower.next()
      if case .ended = progress { self.giveBack(replies) }
      return progress
    }
  }

  /// Waits for the end of an event that a process of the same user has sent with this id.
  ///
  /// - Throws: a ``RouterError`` with the code `noSuchEvent` if the router remembers no such event.
  public func awaitEvent(_ id: String) async throws(RouterError) -> EventOutcome {
    try await outcome(of: Wire.AwaitEvent(eventID: id), isRepeatable: true)
  }

  /// Returns the decision that the router would make about an event, without sending the event.
  ///
  /// - Parameters:
  ///   - event: the event to route.
  ///   - scope: the scenes and applications that may get the event.
  ///   - maxTraceSteps: the largest number of candidates to return; nil means 100.
  /// - Returns: the decision, with the candidates in ``RouteDecision/trace``.
  /// - Throws: a ``RouterError`` if the router does not accept the event, or cannot be asked.
  public func explain(
    _ event: Event,
    to scope: RoutingScope = .everything,
    maxTraceSteps: Int? = nil
  ) async throws(RouterError) -> RouteDecision {
    let reply = try await ask(
      Wire.ExplainEvent(
        event: event.wire,
        applicationID: scope.applicationID,
        sceneID: scope.sceneID,
        originSceneID: scope.originSceneID,
        allowNewScene: scope.allowsNewScene ? nil : false,
        maxTraceSteps: maxTraceSteps.map(Int64.init)
      )
    )
    return RouteDecision(reply.decision)
  }

  /// The time that a connection has to last before an event is sent again over it.
  ///
  /// The windows of other programs come back in less time.
  private static var settlingTime: Duration { .seconds(1) }

  /// Waits for the end of an event.
  ///
  /// If the connection is lost and the call is repeatable, the call is made again over the next connection.
  private func outcome<Call: MethodCall>(
    of call: Call,
    isRepeatable: Bool
  ) async throws(RouterError) -> EventOutcome where Call.Reply == Wire.SendEvent.Reply {
    while true {
      let reply: Wire.SendEvent.Reply
      do throws(VarlinkClientError) {
        reply = try await callApart(call)
      } catch {
        if let outcome = EventOutcome(error) { return outcome }
        let error = RouterError(ofEvent: error, from: peer)
        guard case .outcomeUnknown = error.code, isRepeatable, reconnects else { throw error }
        // The windows of other programs have to come back first, because without them the event would have no
        // target, or would open new windows.
        var number = 0
        repeat {
          number = try await connected()
          try? await Task.sleep(for: Self.settlingTime)
        } while !isCurrent(number)
        continue
      }
      guard let report = EventReport(reply) else { throw .unexpectedReply }
      return .taken(report)
    }
  }
}
