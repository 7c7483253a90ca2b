/// A router under test that can play scenarios: a router in this process, or a daemon behind a socket.
package protocol ScenarioHost {
  /// Opens a scene that will answer as the scenario says.
  mutating func open(_ scene: Scenario.Scene) async throws

  /// Declares an application that will answer requests for new scenes as the scenario says.
  mutating func declare(_ application: Scenario.Application) async throws

  /// Gives the content of the user's lists to the router.
  mutating func prefer(_ preferences: Scenario.Preferences, for event: Scenario.Event) async throws

  /// Gives the types of files to the router.
  mutating func install(_ types: Scenario.FileTypes) async throws

  /// Tells the router which application the user chose for each host.
  mutating func choose(forHosts choices: [String: String]) async throws

  /// Tells the router which applications the user chose for the events of each sender.
  mutating func choose(forSenders choices: [Scenario.SenderChoice]) async throws

  /// Gives the name of this machine to the router.
  ///
  /// A scenario calls this method before all other methods.
  mutating func name(machine: String) async throws

  /// Reports a scene's activity.
  mutating func report(_ report: Scenario.ActivityReport) async throws

  /// Asks where the event would go.
  mutating func explain(_ event: Scenario.Event, _ constraints: Scenario.Constraints) async throws
    -> PlayedAttempt?

  /// Sends the event, and lets scenes and applications answer until the event ends.
  mutating func send(_ event: Scenario.Event, _ constraints: Scenario.Constraints) async throws -> PlayedRoute
}

/// An attempt of the router under test, written with the names that ``ReferenceRouter`` uses.
package struct PlayedAttempt: Sendable {
  /// The rule that won.
  package var rule: String
  /// The target: `s1` for an open scene, or `new application/declaration` for a new scene.
  package var target: String
  /// The pattern that the router reports for the decision.
  package var matchedPattern: String?
  /// The field of the event that the pattern matches.
  package var matchedField: String?
  /// The ids of the registrations that the router reports to the scene.
  package var registrationIds: Set<String>
  /// Why the event went to the application of the target.
  package var applicationBecause: String?
  /// Where `applicationBecause` comes from: the claim of a host, or the path and line of an entry in the user's lists.
  package var applicationSource: String?
  /// How the attempt ended; nil if the router only explained where the event would go.
  package var result: String?

  /// Creates an attempt.
  package init(
    rule: String,
    target: String,
    matchedPattern: String?,
    matchedField: String?,
    registrationIds: Set<String>,
    applicationBecause: String? = nil,
    applicationSource: String? = nil,
    result: String?
  ) {
    self.rule = rule
    self.target = target
    self.matchedPattern = matchedPattern
    self.matchedField = matchedField
    self.registrationIds = registrationIds
    self.applicationBecause = applicationBecause
    self.applicationSource = applicationSource
    self.result = result
  }

  /// The attempt in the form of a vector, such as `preferring s1 declined`.
  package var summary: String { [rule, target, result].compactMap { $0 }.joined(separator: " ") }
}

/// All attempts that the router under test made for one event.
package struct PlayedRoute: Sendable {
  /// The attempts, in order.
  package var attempts: [PlayedAttempt]
  /// How the event ended: the raw value of a ``ReferenceRouter/End``.
  package var end: String

  /// Makes a route.
  package init(attempts: [PlayedAttempt], end: String) {
    self.attempts = attempts
    self.end = end
  }
}

/// What happened when a host played a scenario.
package struct PlayedScenario: Sendable {
  /// The first attempt as the router explained it before the event was sent; nil if the router found no target.
  package var explanation: PlayedAttempt?
  /// The route of the event.
  package var route: PlayedRoute
}

extension Scenario {
  /// Plays the scenario on a router that has nothing registered.
  package func play(on host: inout some ScenarioHost) async throws -> PlayedScenario {
    if let machineName { try await host.name(machine: machineName) }
    for scene in scenes { try await host.open(scene) }
    for application in applications { try await host.declare(application) }
    if !preferences.isEmpty { try await host.prefer(preferences, for: event) }
    if let fileTypes { try await host.install(fileTypes) }
    if !hostChoices.isEmpty { try await host.choose(forHosts: hostChoices) }
    if !senderChoices.isEmpty { try await host.choose(forSenders: senderChoices) }
    for report in activityReports { try await host.report(report) }
    return PlayedScenario(
      explanation: try await host.explain(event, constraints),
      route: try await host.send(event, constraints)
    )
  }
}
