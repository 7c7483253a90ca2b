import ReferenceRouter
import Testing

@Suite struct ScenarioTests {
  @Test(arguments: try VectorFile.load())
  func vectorIsRoutedAsWritten(_ vector: VectorFile.Case) async throws {
    var host = InProcessHost()
    let played = try await vector.scenario.play(on: &host)
    #expect(played.route.attempts.first?.rule == vector.rule?.rawValue)
    #expect(played.route.attempts.first?.target == vector.target?.description)
    #expect(played.differences(from: vector.scenario) == [])
  }

  @Test(arguments: HandWrittenCase.all)
  func caseIsRoutedAsWritten(_ written: HandWrittenCase) async throws {
    var host = InProcessHost()
    let played = try await written.scenario.play(on: &host)
    #expect(played.differences(from: written) == [])
  }
}
