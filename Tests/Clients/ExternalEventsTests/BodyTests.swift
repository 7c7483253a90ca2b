import SceneClient
import Testing

@testable import ExternalEvents

@Suite struct BodyTests {
  /// A window content whose body begins with a modifier instead of `Views()`.
  private struct Endless: WindowContent {
    var body: some WindowModifiers { handlesExternalEvents(preferring: [], allowing: ["*"]) }
  }

  @Test func bodyThatBeginsWithAModifierEndsWithAnErrorThatNamesViews() async throws {
    let result = try await #require(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      var traits = WindowTraits()
      Endless().apply(to: &traits)
    }
    let error = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(error.contains("The body of Endless contains itself. A body begins with Views()"))
  }
}
