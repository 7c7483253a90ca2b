/// A slow but simple router; tests compare its decisions with the decisions of the real router.
///
/// The reference router is written from the routing contract alone. It reads no MIME database, because each scenario
/// has its own types of files.
package enum ReferenceRouter {
  /// The largest number of targets that are tried for one event.
  package static let maximumAttempts = 8

  /// The decision that `ExplainEvent` would report for the event.
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

  /// The rules, in the order in which they are tried for one application.
  ///
  /// The rules `matching` and `document` share one place in this order. There, the router tries one declaration after
  /// the other: a window group with `matching`, and a document group with `document`.
  package enum Rule: String, Sendable, CaseIterable {
    /// The event names the scene.
    case explicit

    /// The application is single-scene and has an open scene.
    case singleScene

    /// An open scene shows the URL of the event.
    case showing

    /// An open scene prefers the event.
    case preferring

    /// An open scene allows the event.
    case allowing

    /// A window group matches the event.
    case matching

    /// A document group supports the type of the event's URL.
    case document

    /// A window group without identifiers takes the event.
    case `default`
  }

  /// The fields of an event that can match a pattern.
  package enum MatchedField: String, Sendable, Codable {
    /// The URL of a URL event.
    case url

    /// The resolved URL of a URL event.
    case resolvedURL = "resolvedUrl"

    /// The target content identifier of an activity.
    case targetContentIdentifier

    /// The webpage URL of an activity.
    case webpageURL
  }

  /// A target, and why it was chosen.
  package struct Decision: Sendable, Equatable {
    /// The rule that chose the target.
    package var rule: Rule

    /// Where the event goes.
    package var target: Target

    /// The texts of the target that match the event: identifiers, `showing` entries or supported types.
    ///
    /// The real router has to report one of them as `matchedPattern`. For the rules `preferring` and `allowing`, the
    /// set has only the longest identifiers that match; if some of these occur byte for byte, only those. For the rule
    /// `showing`, it has only the entries with the fragment of the event, if there are any. For the rules `explicit`,
    /// `singleScene` and `default`, the set is empty.
    package var matchedPatterns: Set<String> = []

    /// Those of `matchedPatterns` that match only the resolved URL.
    package var resolvedPatterns: Set<String> = []

    /// The event's field that the patterns match which are not in `resolvedPatterns`.
    ///
    /// The field is nil in two cases:
    /// - The rule has no patterns.
    /// - The event has no comparison string, and only `*` matches.
    package var matchedField: MatchedField?

    /// The ids of the scene's registrations that match the event under `rule`.
    ///
    /// A registration counts even if its matching pattern is not the longest.
    package var registrationIds: Set<String> = []

    /// Why the event goes to the application of the target.
    package var because: Because = .order

    /// The host claim for which the application gets the event, in all spellings in which the application claims it.
    ///
    /// The set is empty if `because` is not `hostClaim`.
    package var hostClaims: Set<String> = []
  }

  /// The reasons for which an application gets an event.
  package enum Because: String, Sendable, CaseIterable, Codable {
    /// The sender's call names the application or the scene.
    case sender

    /// A scene of the application shows the URL of the event.
    case showing

    /// No other application competes for the event.
    case only

    /// A scene of the application prefers the event through an identifier other than `*`.
    case preferring

    /// The user chose the application for events that come from the sender's application.
    case userSender

    /// The user chose the application for the host of the URL.
    case userHost

    /// The application claims the host of the URL.
    case hostClaim

    /// The application is the user's default.
    case userDefault

    /// No other reason applies, so the rules and the order of the applications decide.
    case order
  }

  /// The result of the rules for one event.
  package enum Outcome: Sendable, Equatable {
    /// A rule found a target.
    case routed(Decision)

    /// No rule found a target.
    case notRouted

    /// The scene that the event names does not exist.
    case noSuchScene

    /// The application that the event names is not declared and has no open scene.
    case noSuchApplication
  }
}
