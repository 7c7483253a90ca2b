import ReferenceRouter
import Testing

@Suite struct RandomScenarioTests {
  /// 100,000 scenarios in parts, which run in parallel.
  @Test(arguments: 0..<UInt64(20))
  func randomScenariosAreRoutedAsTheReferenceSays(part: UInt64) async throws {
    for seed in part * 5000..<(part + 1) * 5000 {
      let scenario = RandomScenarios.scenario(seed: seed)
      let differences: [String]
      do {
        var host = InProcessHost()
        differences = try await scenario.play(on: &host).differences(from: scenario)
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
