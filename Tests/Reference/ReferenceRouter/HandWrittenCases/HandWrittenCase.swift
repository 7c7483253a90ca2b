/// A hand-written scenario with the result that the routing contract demands.
package struct HandWrittenCase: Sendable, CustomStringConvertible {
  typealias Application = Scenario.Application
  typealias Scene = Scenario.Scene

  /// The registered windows and the event.
  package var scenario: Scenario

  /// The expected attempts to deliver the event, each in the form of `ReferenceRouter.Attempt.description`.
  package var attempts: [String]

  /// How the routing of the event has to end.
  package var end: ReferenceRouter.End

  /// The allowed values of `matchedPattern` in the first decision.
  ///
  /// If the set is empty, the decision must report no pattern. If the set is nil, the case does not check the pattern.
  package var matchedPatterns: Set<String>?

  /// The `matchedField` of the first decision; nil if the case does not check the field.
  package var matchedField: ReferenceRouter.MatchedField?

  /// The `registrationIds` of the first decision; nil if the case does not check the ids.
  package var registrationIds: Set<String>?

  /// The `because` of the first decision; nil if the case does not check the reason.
  package var because: ReferenceRouter.Because?

  /// The scenario, and the expected outcome.
  package var description: String {
    "\(scenario)\n  attempts \(attempts)\n  end \(end)"
  }

  /// All cases.
  package static let all =
    comparisonStrings + identifiers + order + originsAndExplicitTargets + namedApplications + namesOfFiles
    + claims
    + severalApplications + userDefaults + orderAcrossApplications + singleScenes + singletons + chains
    + documents + fileTypes + knownTypes + claimsOfTypes + hosts + hostChoices + closestFirst + showing
    + twoNames + fragments + lastStep + sameURLs + otherURLs + senderChoices + reasons

  init(
    _ name: String,
    applications: [Application] = [],
    scenes: [Scene] = [],
    reports: [Scenario.ActivityReport] = [],
    userDefault: String? = nil,
    order: [String] = [],
    types: [String: Scenario.Preference] = [:],
    hostChoices: [String: String] = [:],
    senderChoices: [Scenario.SenderChoice] = [],
    fileTypes: Scenario.FileTypes? = nil,
    machineName: String? = nil,
    event: Scenario.Event,
    constraints: Scenario.Constraints = Scenario.Constraints(),
    attempts: [String],
    end: ReferenceRouter.End,
    patterns: Set<String>? = nil,
    field: ReferenceRouter.MatchedField? = nil,
    registrations: Set<String>? = nil,
    because: ReferenceRouter.Because? = nil
  ) {
    scenario = Scenario(
      name,
      applications: applications,
      scenes: scenes,
      activityReports: reports,
      preferences: Scenario.Preferences(
        types: types,
        others: Scenario.Preference(defaultId: userDefault, order: order)
      ),
      hostChoices: hostChoices,
      senderChoices: senderChoices,
      fileTypes: fileTypes,
      machineName: machineName,
      event: event,
      constraints: constraints
    )
    self.attempts = attempts
    self.end = end
    matchedPatterns = patterns
    matchedField = field
    registrationIds = registrations
    self.because = because
  }
}
