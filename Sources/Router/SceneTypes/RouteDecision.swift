/// The router's decision about the target of an event, with the reason.
public struct RouteDecision: Sendable, Equatable {
  /// Identifies the event; all decisions about the event have the same id.
  public let decisionID: String
  /// The generation that the registry had at the time of the decision; see
  /// ``OpenScene/setRegistration(_:showing:preferring:allowing:)``.
  public let generation: Int64
  /// The kind of the target.
  public let target: Target
  /// The rule that chose the target; nil if there is no target.
  public let rule: Rule?
  /// The target's identifier that matched the event.
  public let matchedPattern: String?
  /// The event's text in which the router found ``matchedPattern``.
  public let matchedString: String?
  /// The field of the event whose value is ``matchedString``.
  public let matchedField: MatchedField?
  /// The target scene.
  public let sceneID: String?
  /// The application of the target scene or declaration.
  public let applicationID: String?
  /// The reason why the router chose the target's application and no other; nil if there is no target.
  public let applicationBecause: ApplicationReason?
  /// The claim or the user's choice behind ``applicationBecause``; nil for all other reasons.
  ///
  /// - For ``RouteDecision/ApplicationReason/hostClaim``: the host that the application claims.
  /// - For a choice of the user: the place in the user's list, as `PATH:LINE`.
  public let applicationSource: String?
  /// The declaration of the target scene; for an open request, the declaration of the new scene.
  public let declarationID: String?
  /// The registrations of the scene that matched the event.
  public let registrationIDs: [String]
  /// ``trace`` as it is on the wire, where nil says that no trace was asked for.
  package let statedTrace: [TraceStep]?
  /// The number of candidates that are missing in the trace; nil if they were not counted.
  public let traceOmitted: Int64?

  package init(
    decisionID: String,
    generation: Int64,
    target: Target,
    rule: Rule? = nil,
    matchedPattern: String? = nil,
    matchedString: String? = nil,
    matchedField: MatchedField? = nil,
    sceneID: String? = nil,
    applicationID: String? = nil,
    applicationBecause: ApplicationReason? = nil,
    applicationSource: String? = nil,
    declarationID: String? = nil,
    registrationIDs: [String] = [],
    statedTrace: [TraceStep]? = nil,
    traceOmitted: Int64? = nil
  ) {
    self.decisionID = decisionID
    self.generation = generation
    self.target = target
    self.rule = rule
    self.matchedPattern = matchedPattern
    self.matchedString = matchedString
    self.matchedField = matchedField
    self.sceneID = sceneID
    self.applicationID = applicationID
    self.applicationBecause = applicationBecause
    self.applicationSource = applicationSource
    self.declarationID = declarationID
    self.registrationIDs = registrationIDs
    self.statedTrace = statedTrace
    self.traceOmitted = traceOmitted
  }

  /// The scenes and declarations that the router considered, in the order of the rules, up to and including the target.
  ///
  /// The trace is empty unless the decision comes from ``RouterConnection/explain(_:to:maxTraceSteps:)``.
  public var trace: [TraceStep] { statedTrace ?? [] }
}

extension RouteDecision {
  /// The kind of a target.
  ///
  /// Later versions may add values.
  public struct Target: RawRepresentable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String

    /// Makes a kind from its name on the wire.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// An open scene.
    public static let scene = Target(rawValue: "scene")
    /// A new scene, for which an application gets an open request.
    public static let newScene = Target(rawValue: "newScene")
    /// No target.
    public static let nothing = Target(rawValue: "none")
  }

  /// A rule that chooses a target.
  ///
  /// Later versions may add values.
  public struct Rule: RawRepresentable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String

    /// Makes a rule from its name on the wire.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The sender named the scene.
    public static let explicit = Rule(rawValue: "explicit")
    /// The application has at most one scene, which gets every event of the application.
    public static let singleScene = Rule(rawValue: "singleScene")
    /// An open scene shows the document of the event.
    public static let showing = Rule(rawValue: "showing")
    /// An open scene prefers the event.
    public static let preferring = Rule(rawValue: "preferring")
    /// An open scene allows the event.
    public static let allowing = Rule(rawValue: "allowing")
    /// An application declares a window group with an identifier that matches the event.
    public static let matching = Rule(rawValue: "matching")
    /// An application declares a document group that supports the type of the file.
    public static let document = Rule(rawValue: "document")
    /// An application declares a window group without a condition, which takes events that nothing else takes.
    public static let `default` = Rule(rawValue: "default")
  }

  /// A reason why one application is chosen among several.
  ///
  /// Later versions may add values.
  public struct ApplicationReason: RawRepresentable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String

    /// Makes a reason from its name on the wire.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The sender named the application or the scene.
    public static let sender = ApplicationReason(rawValue: "sender")
    /// No other application takes part in the routing of the event.
    public static let only = ApplicationReason(rawValue: "only")
    /// A scene of the application shows the document of the event.
    public static let showing = ApplicationReason(rawValue: "showing")
    /// A scene of the application prefers the event through an identifier other than `*`.
    ///
    /// The router looks for this reason before it looks for the reasons below.
    public static let preferring = ApplicationReason(rawValue: "preferring")
    /// The user chose the application for the URL's scheme or the file's type, in events of the sender's application.
    public static let userSender = ApplicationReason(rawValue: "userSender")
    /// The user chose the application for the host of the URL.
    public static let userHost = ApplicationReason(rawValue: "userHost")
    /// The application claims the host of the URL.
    public static let hostClaim = ApplicationReason(rawValue: "hostClaim")
    /// The application is the user's default for the URL's scheme or the file's type.
    public static let userDefault = ApplicationReason(rawValue: "userDefault")
    /// The application comes first in the router's order of applications.
    public static let order = ApplicationReason(rawValue: "order")
  }

  /// The field of an event in which an identifier was found.
  ///
  /// Later versions may add values.
  public struct MatchedField: RawRepresentable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String

    /// Makes a field from its name on the wire.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The URL.
    public static let url = MatchedField(rawValue: "url")
    /// The field ``Activity/targetContentIdentifier``.
    public static let targetContentIdentifier = MatchedField(rawValue: "targetContentIdentifier")
    /// The field ``Activity/webpageURL``.
    public static let webpageURL = MatchedField(rawValue: "webpageURL")
  }
}
