/// One candidate on which a rule was tried: a scene or a declaration.
public struct TraceStep: Sendable, Equatable {
  /// The rule that was tried.
  public let rule: RouteDecision.Rule
  /// The id of the scene that was tried; usually nil if the candidate is a declaration.
  ///
  /// For a singleton declaration that matched, this is the id of its open scene, if that scene can get the event.
  public let sceneID: String?
  /// The application of the candidate.
  public let applicationID: String?
  /// The id of the declaration that was tried; for a scene, the id of the scene's own declaration, if any.
  public let declarationID: String?
  /// The id of the scene's registration that contains ``pattern``, if any.
  public let registrationID: String?
  /// The candidate's identifier that was compared with the event.
  public let pattern: String?
  /// Whether the candidate matched.
  public let matched: Bool
  /// The reason why a candidate that matched was not chosen.
  ///
  /// `claimedByOthers` means that other applications claim the event, and the candidate's application does
  /// not.
  public let rejectedBecause: String?

  package init(
    rule: RouteDecision.Rule,
    sceneID: String? = nil,
    applicationID: String? = nil,
    declarationID: String? = nil,
    registrationID: String? = nil,
    pattern: String? = nil,
    matched: Bool,
    rejectedBecause: String? = nil
  ) {
    self.rule = rule
    self.sceneID = sceneID
    self.applicationID = applicationID
    self.declarationID = declarationID
    self.registrationID = registrationID
    self.pattern = pattern
    self.matched = matched
    self.rejectedBecause = rejectedBecause
  }
}
