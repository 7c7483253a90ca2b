import RouterInterface

/// One candidate, a scene or a declaration, that a rule was tried on.
public struct TraceStep: Sendable, Equatable, WireRepresentable {
  let wire: Wire.TraceStep

  init(_ wire: Wire.TraceStep) {
    self.wire = wire
  }

  /// The rule that was tried.
  public var rule: RouteDecision.Rule { RouteDecision.Rule(rawValue: wire.rule) }
  /// The scene, if it is one.
  public var sceneID: String? { wire.sceneID }
  /// The application of the candidate.
  public var applicationID: String? { wire.applicationID }
  /// The declaration, if it is one.
  public var declarationID: String? { wire.declarationID }
  /// The registration whose identifier was compared.
  public var registrationID: String? { wire.registrationID }
  /// The identifier out of the candidate's set that was compared.
  public var pattern: String? { wire.pattern }
  /// Whether the candidate matched.
  public var matched: Bool { wire.matched }
  /// Why a candidate that matched was passed over all the same.
  public var rejectedBecause: String? { wire.rejectedBecause }
}
