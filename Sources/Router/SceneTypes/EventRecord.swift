/// What the router remembers about an event: each target that it tried, and how each attempt ended.
public struct EventRecord: Sendable, Equatable {
  /// Identifies the event.
  public let decisionID: String
  /// The id that the sender has given to the event.
  public let eventID: String?
  /// The event's text that the router searched for identifiers, possibly shortened.
  ///
  /// From a URL, the router removes the user name, the password, the query and the fragment, unless an option tells
  /// the router to keep them.
  public let comparisonString: String?
  /// By `CLOCK_REALTIME`.
  package let routedUSec: Int64
  package let settledUSec: Int64?
  /// The process that sent the event, if the router knows this process.
  public let senderProcessID: Int64?
  /// The name of the program that sent the event, if the router knows this name.
  public let senderName: String?
  /// The application that sent the event, according to the name of the sender's systemd unit.
  public let senderApplicationID: String?
  /// The attempts to hand the event to a target, in order.
  ///
  /// If no rule found a target for the event, the list has one attempt without a target.
  public let attempts: [Attempt]

  package init(
    decisionID: String,
    eventID: String? = nil,
    comparisonString: String? = nil,
    routedUSec: Int64,
    settledUSec: Int64? = nil,
    senderProcessID: Int64? = nil,
    senderName: String? = nil,
    senderApplicationID: String? = nil,
    attempts: [Attempt]
  ) {
    self.decisionID = decisionID
    self.eventID = eventID
    self.comparisonString = comparisonString
    self.routedUSec = routedUSec
    self.settledUSec = settledUSec
    self.senderProcessID = senderProcessID
    self.senderName = senderName
    self.senderApplicationID = senderApplicationID
    self.attempts = attempts
  }

  /// The time at which the router accepted the event, since 1970 (`CLOCK_REALTIME`).
  public var routed: Duration { .microseconds(routedUSec) }
  /// The time at which the event ended, since 1970; `nil` if it has not ended.
  public var settled: Duration? { settledUSec.map { .microseconds($0) } }
}

extension EventRecord {
  /// An attempt to hand the event to a target.
  public struct Attempt: Sendable, Equatable {
    /// The generation that the registry had at the time of the decision.
    public let generation: Int64
    /// The rule that chose the target; `nil` if no rule found a target.
    public let rule: RouteDecision.Rule?
    /// The application of the target.
    public let applicationID: String?
    /// The reason why the router chose ``applicationID``; see ``RouteDecision/applicationBecause``.
    public let applicationBecause: RouteDecision.ApplicationReason?
    /// The claim or the user's choice behind ``applicationBecause``; see ``RouteDecision/applicationSource``.
    public let applicationSource: String?
    /// The target scene; for an open request, the new scene.
    public let sceneID: String?
    /// The declaration of the target scene; for an open request, the declaration of the new scene.
    public let declarationID: String?
    /// The target's identifier that matched the event.
    public let matchedPattern: String?
    /// The result as it is on the wire, where `notRouted` stands for an attempt without a target.
    package let statedResult: Settlement.Result?
    /// The reason of the result, in the words of the program that has declined or failed.
    public let reason: String?

    package init(
      generation: Int64,
      rule: RouteDecision.Rule? = nil,
      applicationID: String? = nil,
      applicationBecause: RouteDecision.ApplicationReason? = nil,
      applicationSource: String? = nil,
      sceneID: String? = nil,
      declarationID: String? = nil,
      matchedPattern: String? = nil,
      statedResult: Settlement.Result? = nil,
      reason: String? = nil
    ) {
      self.generation = generation
      self.rule = rule
      self.applicationID = applicationID
      self.applicationBecause = applicationBecause
      self.applicationSource = applicationSource
      self.sceneID = sceneID
      self.declarationID = declarationID
      self.matchedPattern = matchedPattern
      self.statedResult = statedResult
      self.reason = reason
    }

    /// How the attempt ended; `nil` if the attempt has not ended, or if no rule found a target.
    public var result: Settlement.Result? { rule == nil ? nil : statedResult }
  }
}
