/// A scenario with the outcome that the routing contract demands.
package struct RoutingVector: Sendable, CustomStringConvertible {
  /// The registered windows and the event.
  package var scenario: Scenario

  /// The expected attempts to deliver the event, each in the form of `ReferenceRouter.Attempt.description`.
  package var attempts: [String]

  /// How the routing of the event has to end.
  package var end: ReferenceRouter.End

  /// The allowed values of `matchedPattern` in the first decision.
  ///
  /// If the set is empty, the decision must report no pattern. If the set is nil, the vector does not check the
  /// pattern.
  package var matchedPatterns: Set<String>?

  /// The `matchedField` of the first decision; nil if the vector does not check the field.
  package var matchedField: ReferenceRouter.MatchedField?

  /// The `registrationIds` of the first decision; nil if the vector does not check the ids.
  package var registrationIds: Set<String>?

  /// The `because` of the first decision; nil if the vector does not check the reason.
  package var because: ReferenceRouter.Because?

  /// The scenario, and the expected outcome.
  package var description: String {
    "\(scenario)\n  attempts \(attempts)\n  end \(end)"
  }
}
