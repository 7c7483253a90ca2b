import ReferenceRouter
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
    try await play(VectorFile.load(), on: kind) { vector, host in
      let played = try await vector.scenario.play(on: &host)
      let first = played.route.attempts.first
      #expect(first?.rule == vector.rule?.rawValue, "\(vector)")
      #expect(first?.target == vector.target?.description, "\(vector)")
      return played.differences(from: vector.scenario)
    }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func casesAreRoutedAsWritten(_ kind: RouterUnderTest.Kind) async throws {
    let cases = HandWrittenCase.all.filter { written in
      written.scenario.preferences.isEmpty && written.scenario.hostChoices.isEmpty
        && written.scenario.senderChoices.isEmpty && written.scenario.machineName == nil
        && written.scenario.fileTypes == nil
        && written.scenario.applications.allSatisfy { $0.source == .connection }
    }
    #expect(cases.count >= 60)
    try await play(cases, on: kind) { written, host in
      try await written.scenario.play(on: &host).differences(from: written)
    }
  }

  @Test func randomScenariosAreRoutedByTheDaemonAsTheReferenceSays() async throws {
    let options = RandomScenarios.Options(
      hasFiles: false,
      hasPreferences: false,
      hasHostChoices: false,
      hasSenderChoices: false,
      hasFileTypes: false,
      hasMachineName: false
    )
    let scenarios = (0..<UInt64(2000)).lazy.map { RandomScenarios.scenario(seed: $0, options) }
    try await play(scenarios, on: .daemon) { scenario, host in
      try await scenario.play(on: &host).differences(from: scenario)
    }
  }
}
