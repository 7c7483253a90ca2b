import ReferenceRouter
import Testing

@Suite struct ScenarioTests {
  @Test(arguments: try RoutingVector.load())
  func vectorIsRoutedAsWritten(_ vector: RoutingVector) async throws {
    var host = InProcessHost()
    let played = try await vector.scenario.play(on: &host)
    #expect(played.differences(from: vector) == [])
    #expect(played.differences(from: vector.scenario) == [])
  }
}
