import ReferenceRouter
import Testing

struct RandomScenariosTests {
  /// The scenarios that the tests below count.
  ///
  /// The number of scenarios is so large that every counted case occurs. Making and routing the scenarios takes a few
  /// seconds.
  private static let scenarios = RandomScenarios.scenarios(seeds: 0..<6000)
  private static let routes = scenarios.map(ReferenceRouter.route)

  private static func attempts(
    where predicate: (ReferenceRouter.Decision) -> Bool
  ) -> Int {
    routes.flatMap(\.attempts).count { predicate($0.decision) }
  }

  @Test func seedGivesTheSameScenarioAgain() {
    #expect(RandomScenarios.scenario(seed: 7).description == RandomScenarios.scenario(seed: 7).description)
    #expect(RandomScenarios.scenario(seed: 7).description != RandomScenarios.scenario(seed: 8).description)
  }

  @Test(arguments: ReferenceRouter.Rule.allCases)
  func everyRuleWinsOften(_ rule: ReferenceRouter.Rule) {
    #expect(Self.attempts { $0.rule == rule } >= 80)
  }

  @Test(arguments: ReferenceRouter.Because.allCases)
  func everyReasonIsGivenOften(_ because: ReferenceRouter.Because) {
    #expect(Self.attempts { $0.because == because } >= 80)
  }

  @Test func urlsThatAreEqualOnlyWhenNormalizedAreShownOften() {
    let shown = zip(Self.scenarios, Self.routes).count { scenario, route in
      guard let decision = route.attempts.first?.decision, decision.rule == .showing else { return false }
      switch scenario.event.content {
      case .url(let url): return !decision.matchedPatterns.contains(url)
      case .activity(let activity): return !decision.matchedPatterns.contains(activity.webpageURL ?? "")
      }
    }
    #expect(shown >= 80)
  }

  @Test(arguments: ReferenceRouter.End.allCases)
  func everyEndIsReachedOften(_ end: ReferenceRouter.End) {
    #expect(Self.routes.count { $0.end == end } >= 80)
  }

  @Test(arguments: [ReferenceRouter.Rule.matching, .document, .default])
  func everyDeclarationRuleHasBothTargets(_ rule: ReferenceRouter.Rule) {
    let decisions = Self.routes.flatMap(\.attempts).map(\.decision).filter { $0.rule == rule }
    let newScenes = decisions.count { decision in
      if case .newScene = decision.target { true } else { false }
    }
    #expect(newScenes >= 40)
    #expect(decisions.count - newScenes >= 10)
  }

  @Test(arguments: 0...8)
  func everyNumberOfAttemptsOccurs(_ count: Int) {
    #expect(Self.routes.count { $0.attempts.count == count } >= 20)
  }

  @Test func singleScenesAmongSeveralOccur() {
    #expect(Self.attempts { $0.rule == .allowing && $0.registrationIds.isEmpty } >= 40)
  }

  @Test(arguments: [ReferenceRouter.MatchedField.url, .targetContentIdentifier, .webpageURL])
  func everyFieldMatchesOften(_ field: ReferenceRouter.MatchedField) {
    #expect(Self.attempts { $0.matchedField == field } >= 80)
  }

  /// Returns the number of scenarios that are routed in another way after a change.
  private static func differences(
    where isMeant: (Scenario) -> Bool = { _ in true },
    _ change: (inout Scenario) -> Void
  ) -> Int {
    zip(scenarios, routes).count { scenario, route in
      guard isMeant(scenario) else { return false }
      var scenario = scenario
      change(&scenario)
      return ReferenceRouter.route(scenario) != route
    }
  }

  @Test func hostsDecideOften() {
    #expect(Self.differences { $0.hostChoices = [:] } >= 40)
    #expect(
      Self.differences { scenario in
        for index in scenario.applications.indices { scenario.applications[index].claims?.hosts = [] }
      } >= 80
    )
    #expect(
      Self.differences { scenario in
        for index in scenario.applications.indices {
          guard scenario.applications[index].source == .file(isTrusted: false) else { continue }
          scenario.applications[index].source = .file()
        }
      } >= 20
    )
  }

  @Test func showingDecidesOften() {
    #expect(
      Self.differences { scenario in
        for scene in scenario.scenes.indices {
          for view in scenario.scenes[scene].registrations.indices {
            scenario.scenes[scene].registrations[view].showing = []
          }
        }
      } >= 80
    )
    #expect(Self.differences { $0.machineName = $0.machineName == nil ? "box" : nil } >= 10)
  }

  /// The number of scenarios whose event goes to another target after a change.
  private static func otherTargets(_ change: (inout Scenario) -> Void) -> Int {
    zip(scenarios, routes).count { scenario, route in
      var changed = scenario
      change(&changed)
      guard let left = route.attempts.first?.decision,
        case .routed(let right) = ReferenceRouter.decide(changed)
      else { return false }
      return left.rule == right.rule && left.target != right.target
    }
  }

  @Test func resolvedURLsAndFragmentsAndSpellingsDecideOften() {
    #expect(Self.differences { $0.event.resolvedURL = nil } >= 80)
    #expect(Self.attempts { !$0.resolvedPatterns.isEmpty && $0.rule == .showing } >= 20)
    #expect(Self.attempts { !$0.resolvedPatterns.isEmpty && $0.rule != .showing } >= 80)
    #expect(
      Self.otherTargets { scenario in
        scenario.mapTexts(showing: { String($0.prefix { $0 != "#" }) })
      } >= 5
    )
    #expect(
      Self.otherTargets { scenario in scenario.mapTexts(identifiers: { ReferenceFolding.fold($0) }) } >= 20
    )
  }

  @Test func sendersDecideOften() {
    #expect(Self.differences { $0.senderChoices = [] } >= 80)
    #expect(Self.differences { $0.event.sender = nil } >= 80)
  }

  @Test func lengthDecidesOften() {
    func firstMatches(_ scenario: Scenario) -> Bool {
      guard case .routed(let decision) = ReferenceRouter.decide(scenario) else { return false }
      guard [.preferring, .allowing].contains(decision.rule) else { return false }
      // Removes the identifiers that made the winner win. Without them, another scene may win by the same rule.
      var shorter = scenario
      for scene in shorter.scenes.indices where decision.target == .scene(id: shorter.scenes[scene].id) {
        for view in shorter.scenes[scene].registrations.indices {
          shorter.scenes[scene].registrations[view].preferring.removeAll(
            where: decision.matchedPatterns.contains
          )
          shorter.scenes[scene].registrations[view].allowing.removeAll(
            where: decision.matchedPatterns.contains
          )
        }
      }
      guard case .routed(let other) = ReferenceRouter.decide(shorter) else { return false }
      return other.rule == decision.rule && other.target != decision.target
    }
    #expect(Self.scenarios.count(where: firstMatches) >= 200)
  }

  @Test func typesDecideOften() {
    func differences(_ change: (inout Scenario) -> Void) -> Int {
      Self.differences(where: { $0.fileTypes != nil }, change)
    }
    #expect(differences { $0.fileTypes?.ends = [:] } >= 80)
    #expect(differences { $0.fileTypes?.aliases = [:] } >= 40)
    #expect(differences { $0.fileTypes?.bases = [:] } >= 80)
  }

  @Test func listsDecideOften() {
    func differences(_ change: (inout Scenario.Preference) -> Void) -> Int {
      func changed(_ preferences: Scenario.Preferences) -> Scenario.Preferences {
        var changed = preferences
        change(&changed.others)
        for type in preferences.types.keys { change(&changed.types[type, default: Scenario.Preference()]) }
        return changed
      }
      return Self.differences(where: { changed($0.preferences) != $0.preferences }) { scenario in
        scenario.preferences = changed(scenario.preferences)
      }
    }
    #expect(differences { $0.defaultId = nil } >= 80)
    #expect(differences { $0.order = [] } >= 20)
    #expect(differences { $0.removed = [] } >= 20)
  }

  @Test func optionsLeaveOutWhatTheyName() {
    let plain = RandomScenarios.scenarios(seeds: 0..<200, .none)
    #expect(plain.allSatisfy { $0.preferences.isEmpty && $0.hostChoices.isEmpty })
    #expect(plain.allSatisfy { $0.fileTypes == nil && $0.senderChoices.isEmpty && $0.machineName == nil })
    #expect(plain.flatMap(\.applications).allSatisfy { $0.source == .connection })
  }
}

extension Scenario {
  /// Changes what scenes show, prefer and allow.
  fileprivate mutating func mapTexts(
    showing: (String) -> String = { $0 },
    identifiers: (String) -> String = { $0 }
  ) {
    for scene in scenes.indices {
      for view in scenes[scene].registrations.indices {
        scenes[scene].registrations[view].showing = scenes[scene].registrations[view].showing.map(showing)
        scenes[scene].registrations[view].preferring = scenes[scene].registrations[view].preferring.map(
          identifiers
        )
        scenes[scene].registrations[view].allowing = scenes[scene].registrations[view].allowing.map(
          identifiers
        )
      }
    }
  }
}
