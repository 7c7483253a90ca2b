import RouterInterface

/// Where an event goes, and why.
public struct RouteDecision: Sendable, Equatable, WireRepresentable {
  let wire: Wire.RouteDecision

  init(_ wire: Wire.RouteDecision) {
    self.wire = wire
  }

  /// Identifies the event: all decisions about one have the same.
  public var decisionID: String { wire.decisionID }
  /// The state of the registry that the decision was made on; see ``OpenScene/setRegistration(_:preferring:allowing:)``.
  public var generation: Int64 { wire.generation }
  /// What the event goes to.
  public var target: Target { Target(rawValue: wire.target) }
  /// The rule that won; nil if there is no target.
  public var rule: Rule? { wire.rule.map(Rule.init(rawValue:)) }
  /// The identifier out of the winner's set that won.
  public var matchedPattern: String? { wire.matchedPattern }
  /// The string of the event that it was found in.
  public var matchedString: String? { wire.matchedString }
  /// Where in the event that string is.
  public var matchedField: MatchedField? { wire.matchedField.map(MatchedField.init(rawValue:)) }
  /// The scene that won.
  public var sceneID: String? { wire.sceneID }
  /// The application of the scene or declaration that won.
  public var applicationID: String? { wire.applicationID }
  /// The declaration that won, or that the scene is an instance of.
  public var declarationID: String? { wire.declarationID }
  /// The registrations of the scene that made it match.
  public var registrationIDs: [String] { wire.registrationIDs }
  /// The candidates in the order of the rules, up to the one that won; only of an event that was explained.
  public var trace: [TraceStep] { wire.trace.map(TraceStep.init) }
  /// How many candidates were left out of the trace; nil if they were not counted.
  public var traceOmitted: Int64? { wire.traceOmitted }
}

extension RouteDecision {
  /// What an event goes to; values may be added.
  public struct Target: RawRepresentable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String

    /// A target by its name on the wire.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// An open scene.
    public static let scene = Target(rawValue: "scene")
    /// A scene that an application is asked to open.
    public static let newScene = Target(rawValue: "newScene")
    /// Nothing.
    public static let nothing = Target(rawValue: "none")
  }

  /// A rule that chooses a target; values may be added.
  public struct Rule: RawRepresentable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String

    /// A rule by its name on the wire.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The event named the scene.
    public static let explicit = Rule(rawValue: "explicit")
    /// The application has one scene only.
    public static let singleScene = Rule(rawValue: "singleScene")
    /// An open scene prefers the event.
    public static let preferring = Rule(rawValue: "preferring")
    /// An open scene allows the event.
    public static let allowing = Rule(rawValue: "allowing")
    /// A window group matches the event.
    public static let matching = Rule(rawValue: "matching")
    /// A document group supports the type of the file.
    public static let document = Rule(rawValue: "document")
    /// A window group without a condition takes what nothing else does.
    public static let `default` = Rule(rawValue: "default")
  }

  /// The part of an event that an identifier was found in; values may be added.
  public struct MatchedField: RawRepresentable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String

    /// A field by its name on the wire.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The URL.
    public static let url = MatchedField(rawValue: "url")
    /// ``Activity/targetContentIdentifier``.
    public static let targetContentIdentifier = MatchedField(rawValue: "targetContentIdentifier")
    /// ``Activity/webpageURL``.
    public static let webpageURL = MatchedField(rawValue: "webpageURL")
  }
}
