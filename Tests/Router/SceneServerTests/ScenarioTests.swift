import ReferenceRouter
import TestSupport
import Testing

@Suite struct ScenarioTests {
  /// Plays scenarios on one router; fails at the first scenario that has an unexpected outcome.
  private func play<Case: CustomStringConvertible>(
    _ cases: some Sequence<Case>,
    on kind: RouterUnderTest.Kind,
    _ differences: (Case, inout DaemonHost) async throws -> [String]
  ) async throws {
    var host = DaemonHost(try RouterUnderTest(kind))
    for played in cases {
      let differences = try await differences(played, &host)
      #expect(differences == [], "\(played)")
      guard differences.isEmpty else { return }
      try host.reset()
    }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func vectorsAreRoutedAsWritten(_ kind: RouterUnderTest.Kind) async throws {
    let vectors = try RoutingVector.load().filter { !$0.scenario.needsDesktop }
    #expect(vectors.count >= 439)
    try await play(vectors, on: kind) { vector, host in
      let played = try await vector.scenario.play(on: &host)
      return played.differences(from: vector) + played.differences(from: vector.scenario)
    }
  }

  @Test func randomScenariosAreRoutedByTheDaemonAsTheReferenceSays() async throws {
    let scenarios = (0..<UInt64(TestRun.isLong ? 2000 : 200)).lazy.map {
      RandomScenarios.scenario(seed: $0, .none)
    }
    try await play(scenarios, on: .daemon) { scenario, host in
      try await scenario.play(on: &host).differences(from: scenario)
    }
  }
}

extension Scenario {
  fileprivate var needsDesktop: Bool {
    !preferences.isEmpty || !hostChoices.isEmpty || !senderChoices.isEmpty || machineName != nil
      || fileTypes != nil || applications.contains { $0.source != .connection }
  }
}
