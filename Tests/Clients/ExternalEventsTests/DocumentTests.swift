import ExternalEvents
import Observation
import SceneClient
import Testing

/// A window of an editor, which notes the place of each link.
@Observable private final class LineEditor: WindowContent {
  var places: [String] = []
  @ObservationIgnored var isWaiting = false

  var body: some WindowModifiers {
    if isWaiting {
      Views().onOpenURL { url, event async throws in self.note(url, event) }
    } else {
      Views().onOpenURL { url, event in self.note(url, event) }
    }
    Views().handlesExternalEvents(preferring: [], allowing: ["*"])
  }

  private func note(_ url: URL, _ event: ExternalEvent) {
    let numbers = [event.line, event.column].map { $0.map(String.init) ?? "none" }
    places.append(([url.path()] + numbers + [event.contentType ?? "none"]).joined(separator: " "))
  }
}

@MainActor @Suite(.timeLimit(.minutes(20)))
struct DocumentTests {
  @Test(arguments: TestRouter.Kind.allCases, [false, true])
  func actionGetsThePlaceInTheDocument(_ kind: TestRouter.Kind, isWaiting: Bool) async throws {
    let editor = LineEditor()
    editor.isWaiting = isWaiting
    let application = TestApplication { WindowGroup { editor }.handlesExternalEvents(matching: []) }
    try await application.run(kind) { router in
      for event in [
        Event(url: "file:///a", contentType: "text/plain", line: 10, column: 3),
        Event(url: "file:///a", line: 10), Event(url: "file:///b"),
      ] {
        let outcome = try await router.send(event)
        #expect(outcome.isTaken)
      }
      #expect(editor.places == ["/a 10 3 text/plain", "/a 10 none none", "/b none none none"])
    }
  }
}
