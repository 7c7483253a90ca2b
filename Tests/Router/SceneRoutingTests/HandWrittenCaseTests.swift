import ReferenceRouter
import Testing

extension ScenarioTests {
  @Test(arguments: HandWrittenCase.all)
  func caseIsRoutedAsWritten(_ written: HandWrittenCase) async throws {
    let played = try await play(written.scenario)
    #expect(played.differences(from: written) == [])
  }
}
