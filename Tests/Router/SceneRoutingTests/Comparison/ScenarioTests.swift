import ReferenceRouter
import Testing

@Suite struct ScenarioTests {
  func play(_ scenario: Scenario) async throws -> PlayedScenario {
    var host = InProcessHost()
    return try await scenario.play(on: &host)
  }

  @Test(arguments: try VectorFile.load())
  func vectorIsRoutedAsWritten(_ vector: VectorFile.Case) async throws {
    let played = try await play(vector.scenario)
    #expect(played.route.attempts.first?.rule == vector.rule?.rawValue)
    #expect(played.route.attempts.first?.target == vector.target?.description)
    #expect(played.differences(from: vector.scenario) == [])
  }

  /// 10,000 scenarios in all, or 100,000 if `SCENED_LONG_CHECKS` is set.
  ///
  /// They are divided into parts, which run in parallel.
  @Test(arguments: 0..<UInt64(20))
  func randomScenariosAreRoutedAsTheReferenceSays(part: UInt64) async throws {
    let count: UInt64 = CommandEnvironment.isLong ? 5000 : 500
    for seed in part * count..<(part + 1) * count {
      let scenario = RandomScenarios.scenario(seed: seed)
      let differences: [String]
      do {
        differences = try await play(scenario).differences(from: scenario)
      } catch {
        differences = ["\(error)"]
      }
      guard differences.isEmpty else {
        Issue.record("seed \(seed): \(differences)\n\(scenario)")
        return
      }
    }
  }
}
