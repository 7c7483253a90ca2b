import RouterInterface
import Synchronization
import Varlink
import VarlinkClient

extension RouterConnection {
  /// Sends an event, and waits until it is taken or has failed.
  ///
  /// Cancelling the task does not stop the event. If the connection is lost or the router stops, the event is sent
  /// again over the next connection; no scene gets the event twice.
  ///
  /// - Parameters:
  ///   - event: the event to route.
  ///   - scope: the scenes and applications that may get the event.
  ///   - options: the id of the event, its activation token and the time for each target.
  /// - Returns: how the event ended.
  /// - Throws: a ``RouterError`` if the router does not accept the event, or cannot be asked.
  public func send(
    _ event: Event,
    to scope: RoutingScope = .everything,
    options: SendOptions = SendOptions()
  ) async throws(RouterError) -> EventOutcome {
    try await outcome(
      of: Wire.SendEventCall(complete(event), to: scope, reconnects ? options.repeatable : options)
    )
  }

  /// Sends an event, and waits only for the first decision about it.
  ///
  /// If `options` has an event id, a later call of ``awaitEvent(_:)`` with this id waits for the end of the event.
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
    let options = reconnects ? options.repeatable : options
    let call = Wire.SendEventCall(complete(event), to: scope, options, waitFor: .decision)
    return try await repeating { (_) throws(RouterError) in
      let reply: Wire.SendEventCall.Reply
      do throws(VarlinkClientError) {
        reply = try await callApart(call, timeout: timeout)
      } catch {
        guard let decision = EventOutcome(error)?.decision else { throw RouterError(error, from: peer) }
        return decision
      }
      guard let decision = reply.decision else { throw .unexpectedReply }
      return decision
    }
  }

  /// Sends an event, and reports each decision and each settlement immediately, and at last the outcome.
  ///
  /// - Parameters:
  ///   - event: the event to route.
  ///   - scope: the scenes and applications that may get the event.
  ///   - options: the id of the event, its activation token and the time for each target.
  /// - Returns: the steps of the event; the last element is ``EventProgress/ended(_:)``. If the library reconnects to a
  ///   restarted router, it sends the event again, and the stream goes on with the new router's steps.
  /// - Throws: a ``RouterError`` if the router cannot be asked. If the router does not accept the event, the stream
  ///   throws.
  public func sendUpdates(
    _ event: Event,
    to scope: RoutingScope = .everything,
    options: SendOptions = SendOptions()
  ) async throws(RouterError) -> RouterStream<EventProgress> {
    let call = Wire.SendEventCall(complete(event), to: scope, reconnects ? options.repeatable : options)
    let follower = EventFollower(call, over: self, targetTime: options.targetTime)
    try await follower.start()
    return RouterStream { (_: isolated (any Actor)?) async throws(RouterError) in try await follower.next() }
  }

  /// Waits for the end of an event that a process of the same user has sent with this id.
  ///
  /// - Throws: a ``RouterError`` with the code `noSuchEvent` if the router does not remember the event.
  public func awaitEvent(_ id: String) async throws(RouterError) -> EventOutcome {
    try await outcome(of: Wire.AwaitEventCall(eventID: id))
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
    try await ask(
      Wire.ExplainEventCall(
        event: complete(event).wire,
        applicationID: scope.applicationID,
        sceneID: scope.sceneID,
        originSceneID: scope.originSceneID,
        allowNewScene: scope.allowsNewScene ? nil : false,
        maxTraceSteps: maxTraceSteps.map(Int64.init)
      )
    ).decision
  }

  /// If the connection is lost or the router stops, the call is made again over the next connection.
  private func outcome<Call: MethodCall>(
    of call: Call
  ) async throws(RouterError) -> EventOutcome where Call.Reply == Wire.SendEventCall.Reply {
    try await repeating { (_) throws(RouterError) in
      let reply: Wire.SendEventCall.Reply
      do throws(VarlinkClientError) {
        reply = try await callApart(call)
      } catch {
        guard let outcome = EventOutcome(error) else { throw RouterError(ofEvent: error, from: peer) }
        if reconnects, outcome.isEndOfRouter { throw .serviceStopping }
        return outcome
      }
      guard let report = EventReport(reply) else { throw .unexpectedReply }
      return .taken(report)
    }
  }
}
