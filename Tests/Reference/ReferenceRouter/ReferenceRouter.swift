/// A router written from the contract alone: slow and obvious, to compare the real one with.
///
/// Of types of files it knows what the scenario says.
package enum ReferenceRouter {
  /// How many targets are tried for one event.
  package static let maximumAttempts = 8

  /// The decision on an event, as `ExplainEvent` would tell it.
  package static func decide(_ scenario: Scenario) -> Outcome {
    Situation(scenario: scenario, tried: []).decide()
  }

  /// Where a rule sends an event.
  package enum Target: Hashable, Sendable {
    /// An open scene.
    case scene(id: String)

    /// A new scene of a declaration.
    case newScene(applicationId: String, declarationId: String)
  }

  /// The rules, in order.
  package enum Rule: String, Sendable, CaseIterable {
    /// The event names the scene.
    case explicit

    /// The application is single-scene and has an open scene.
    case singleScene

    /// An open scene prefers the event.
    case preferring

    /// An open scene allows the event.
    case allowing

    /// A window group matches the event.
    case matching

    /// A document group supports the type of the event's URL.
    case document

    /// A window group has no condition.
    case `default`
  }

  /// The strings of an event that identifiers are looked for in.
  package enum MatchedField: String, Sendable {
    /// The URL of a URL event.
    case url

    /// The target of an activity.
    case targetContentIdentifier

    /// The URL of an activity.
    case webpageURL
  }

  /// A target, and why it was chosen.
  package struct Decision: Sendable, Equatable {
    /// The rule that won.
    package var rule: Rule

    /// Where the event goes.
    package var target: Target

    /// The identifiers, or supported types, of the winner that match: a `matchedPattern` is one of them.
    ///
    /// Empty for the rules that look at none: `explicit`, `singleScene` and `default`.
    package var matchedPatterns: Set<String> = []

    /// Where the string is that they match.
    ///
    /// Nil for the rules that look at none, and for an event without such a string, which `*` matches.
    package var matchedField: MatchedField?

    /// The registrations of the scene that hold one of `matchedPatterns` in the set that won.
    package var registrationIds: Set<String> = []
  }

  /// What is decided on an event.
  package enum Outcome: Sendable, Equatable {
    /// A rule found a target.
    case routed(Decision)

    /// No rule found a target.
    case notRouted

    /// The scene that the event names does not exist.
    case noSuchScene

    /// The application that the event names is neither declared nor has it an open scene.
    case noSuchApplication
  }
}
