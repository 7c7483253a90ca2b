import RouterInterface

/// What the router remembers of an event: what it was about, each target tried, and how that ended.
public struct EventRecord: Sendable, Equatable, WireRepresentable {
  let wire: Wire.Record

  init(_ wire: Wire.Record) {
    self.wire = wire
  }

  /// Identifies the event.
  public var decisionID: String { wire.decisionID }
  /// What its sender identified it by.
  public var eventID: String? { wire.eventID }
  /// The string that identifiers were looked for in, as far as the router remembers it.
  ///
  /// URLs are without user, query and fragment, unless the service was told otherwise.
  public var comparisonString: String? { wire.comparisonString }
  /// When it was accepted, in time since 1970 (`CLOCK_REALTIME`).
  public var routed: Duration { .microseconds(wire.routedUSec) }
  /// When it ended; `nil` if it is under way.
  public var settled: Duration? { wire.settledUSec.map { .microseconds($0) } }
  /// The process that sent it, if the router knows it.
  public var senderProcessID: Int32? { wire.senderProcessID.flatMap { Int32(exactly: $0) } }
  /// The targets that were tried, in order; of an event that was not routed the decision that said so.
  public var attempts: [Attempt] { wire.attempts.map(Attempt.init) }

  /// A target that was tried.
  public struct Attempt: Sendable, Equatable {
    let wire: Wire.Attempt

    init(_ wire: Wire.Attempt) {
      self.wire = wire
    }

    /// The state of the registry that was decided on.
    public var generation: Int64 { wire.generation }
    /// The rule that chose it; `nil` if none found a target.
    public var rule: RouteDecision.Rule? { wire.rule.map(RouteDecision.Rule.init(rawValue:)) }
    /// The application that it belongs to.
    public var applicationID: String? { wire.applicationID }
    /// The scene, which is the new one if one was opened.
    public var sceneID: String? { wire.sceneID }
    /// The declaration that it is, or is an instance of.
    public var declarationID: String? { wire.declarationID }
    /// The identifier that won.
    public var matchedPattern: String? { wire.matchedPattern }
    /// How it ended; `nil` if it is under way, or if no rule found a target.
    public var result: Settlement.Result? {
      rule == nil ? nil : wire.result.map(Settlement.Result.init(rawValue:))
    }
    /// Why, in words of who declined or failed.
    public var reason: String? { wire.reason }
  }
}

extension RouterConnection {
  /// Lists the last events.
  ///
  /// - Parameters:
  ///   - decision: only the event of this id.
  ///   - event: only events that their senders gave this id.
  ///   - limit: how many at most.
  /// - Returns: the newest first: those under way, then those that have ended, as far as the router remembers.
  /// - Throws: a ``RouterError`` if the router cannot be asked, or if the list would be longer than 1 MiB.
  public func records(
    decision: String? = nil,
    event: String? = nil,
    limit: Int = 20
  ) async throws(RouterError) -> [EventRecord] {
    let call = Wire.ListRecords(decisionID: decision, eventID: event, limit: Int64(limit))
    return try await self.call(call).records.map(EventRecord.init)
  }

  /// Has the router forget the events that have ended.
  public func clearRecords() async throws(RouterError) {
    _ = try await call(Wire.ClearRecords())
  }
}
