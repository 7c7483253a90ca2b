import RouterInterface

/// One candidate on which a rule was tried: a scene or a declaration.
public struct TraceStep: Sendable, Equatable, WireRepresentable {
  let wire: Wire.TraceStep

  init(_ wire: Wire.TraceStep) {
    self.wire = wire
  }

  /// The rule that was tried.
  public var rule: RouteDecision.Rule { RouteDecision.Rule(rawValue: wire.rule) }
  /// The id of the scene that was tried; usually nil if the candidate is a declaration.
  ///
  /// For a singleton declaration that matched, this is the id of its open scene, if that scene can get the event.
  public var sceneID: String? { wire.sceneID }
  /// The application of the candidate.
  public var applicationID: String? { wire.applicationID }
  /// The id of the declaration that was tried; for a scene, the id of the scene's own declaration, if any.
  public var declarationID: String? { wire.declarationID }
  /// The id of the scene's registration that contains ``pattern``, if any.
  public var registrationID: String? { wire.registrationID }
  /// The candidate's identifier that was compared with the event.
  public var pattern: String? { wire.pattern }
  /// Whether the candidate matched.
  public var matched: Bool { wire.matched }
  /// The reason why a candidate that matched was not chosen.
  ///
  /// `claimedByOthers` means that other applications claim the event, and the candidate's application does
  /// not.
  public var rejectedBecause: String? { wire.rejectedBecause }
}
