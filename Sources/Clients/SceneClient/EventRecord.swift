import RouterInterface

/// What the router remembers about an event: each target that it tried, and how each attempt ended.
public struct EventRecord: Sendable, Equatable, WireRepresentable {
  let wire: Wire.Record

  init(_ wire: Wire.Record) {
    self.wire = wire
  }

  /// Identifies the event.
  public var decisionID: String { wire.decisionID }
  /// The id that the sender has given to the event.
  public var eventID: String? { wire.eventID }
  /// The event's text that the router searched for identifiers, possibly shortened.
  ///
  /// From a URL, the router removes the user name, the password, the query and the fragment, unless an option tells
  /// the router to keep them.
  public var comparisonString: String? { wire.comparisonString }
  /// The time at which the router accepted the event, since 1970 (`CLOCK_REALTIME`).
  public var routed: Duration { .microseconds(wire.routedUSec) }
  /// The time at which the event ended, since 1970; `nil` if it has not ended.
  public var settled: Duration? { wire.settledUSec.map { .microseconds($0) } }
  /// The process that sent the event, if the router knows this process.
  public var senderProcessID: Int32? { wire.senderProcessID.flatMap { Int32(exactly: $0) } }
  /// The name of the program that sent the event, if the router knows this name.
  public var senderName: String? { wire.senderName }
  /// The application that sent the event, according to the name of the sender's systemd unit.
  public var senderApplicationID: String? { wire.senderApplicationID }
  /// The attempts to hand the event to a target, in order.
  ///
  /// If no rule found a target for the event, the list has one attempt without a target.
  public var attempts: [Attempt] { wire.attempts.map(Attempt.init) }

  /// An attempt to hand the event to a target.
  public struct Attempt: Sendable, Equatable {
    let wire: Wire.Attempt

    init(_ wire: Wire.Attempt) {
      self.wire = wire
    }

    /// The generation that the registry had at the time of the decision.
    public var generation: Int64 { wire.generation }
    /// The rule that chose the target; `nil` if no rule found a target.
    public var rule: RouteDecision.Rule? { wire.rule.map(RouteDecision.Rule.init(rawValue:)) }
    /// The application of the target.
    public var applicationID: String? { wire.applicationID }
    /// The reason why the router chose ``applicationID``; see ``RouteDecision/applicationBecause``.
    public var applicationBecause: RouteDecision.ApplicationReason? {
      wire.applicationBecause.map(RouteDecision.ApplicationReason.init(rawValue:))
    }
    /// The claim or the user's choice behind ``applicationBecause``; see ``RouteDecision/applicationSource``.
    public var applicationSource: String? { wire.applicationSource }
    /// The target scene; for an open request, the new scene.
    public var sceneID: String? { wire.sceneID }
    /// The declaration of the target scene; for an open request, the declaration of the new scene.
    public var declarationID: String? { wire.declarationID }
    /// The target's identifier that matched the event.
    public var matchedPattern: String? { wire.matchedPattern }
    /// How the attempt ended; `nil` if the attempt has not ended, or if no rule found a target.
    public var result: Settlement.Result? {
      rule == nil ? nil : wire.result.map(Settlement.Result.init(rawValue:))
    }
    /// The reason of the result, in the words of the program that has declined or failed.
    public var reason: String? { wire.reason }
  }
}

extension RouterConnection {
  /// Returns the records of the last events.
  ///
  /// - Parameters:
  ///   - decision: only the event with this ``EventRecord/decisionID``; nil for all.
  ///   - event: only events with this ``EventRecord/eventID``; nil for all.
  ///   - limit: the largest number of records.
  /// - Returns: the records, with the newest event first. A change of the system's clock does not affect this order.
  /// - Throws: a ``RouterError`` if the router cannot be asked, or if the list would be longer than 1 MiB.
  public func records(
    decision: String? = nil,
    event: String? = nil,
    limit: Int = 20
  ) async throws(RouterError) -> [EventRecord] {
    let call = Wire.ListRecordsCall(decisionID: decision, eventID: event, limit: Int64(limit))
    return try await self.call(call).records.map(EventRecord.init)
  }

  /// Tells the router to forget the records of events that have ended.
  public func clearRecords() async throws(RouterError) {
    _ = try await call(Wire.ClearRecordsCall())
  }
}
