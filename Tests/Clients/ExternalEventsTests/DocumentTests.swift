import ExternalEvents
import Observation
import SceneClient
import Testing

/// A window of a text editor, which notes the path, line, column and type of each link that it gets.
@Observable private final class LineEditor: WindowContent {
  var places: [String] = []
  var document: URL?
  @ObservationIgnored var isWaiting = false

  var body: some WindowModifiers {
    if isWaiting {
      Views().onOpenURL { url, event async throws in self.note(url, event) }
    } else {
      Views().onOpenURL { url, event in self.note(url, event) }
    }
    Views().handlesExternalEvents(preferring: [], allowing: ["*"])
      .showing(document)
  }

  private func note(_ url: URL, _ event: ExternalEvent) {
    let numbers = [event.line, event.column].map { $0.map(String.init) ?? "none" }
    places.append(([url.path()] + numbers + [event.contentType ?? "none"]).joined(separator: " "))
  }
}

/// A window with the pages of its tabs.
@Observable private final class Browser: WindowContent {
  var pages: [URL] = []

  var body: some WindowModifiers {
    Views().showing(pages).onOpenURL { url in self.pages.append(url) }
    Views().handlesExternalEvents(preferring: [], allowing: ["page"])
  }
}

@MainActor @Suite(.timeLimit(.minutes(20)))
struct DocumentTests {
  /// The window that has the document open gets the link, although a scene of another application prefers the link.
  @Test(arguments: TestRouter.Kind.allCases)
  func linkComesToTheWindowThatShowsTheDocument(_ kind: TestRouter.Kind) async throws {
    let editor = LineEditor()
    editor.document = URL(filePath: "/tmp/a b.txt")
    let application = TestApplication { WindowGroup { editor }.handlesExternalEvents(matching: []) }
    try await application.run(kind) { router in
      let other = try await router.openScene(
        application: "b",
        registrations: [Registration(id: "r", preferring: ["/tmp/"])]
      )
      let taking = Task { for try await delivery in other.deliveries { try await delivery.acknowledge() } }
      let shown = try await router.send(Event(url: "file://localhost/tmp/a%20b.txt#top"))
      #expect(shown.decision?.rule == .showing)
      #expect(shown.decision?.applicationBecause == .showing)
      #expect(shown.decision?.applicationID == "org.example.Test")
      editor.document = nil
      try await router.waitForScene {
        $0.applicationID == "org.example.Test" && $0.registrations[0].showing == []
      }
      #expect(try await router.open("file:///tmp/a%20b.txt") == other.id)
      taking.cancel()
    }
  }

  /// The window adds each link that it takes to its pages.
  ///
  /// The router knows the new page before the link counts as taken, so a second link to the page finds the window.
  @Test(arguments: TestRouter.Kind.allCases)
  func pagesOfAllTabsAreShown(_ kind: TestRouter.Kind) async throws {
    let browser = Browser()
    let application = TestApplication { WindowGroup { browser }.handlesExternalEvents(matching: []) }
    try await application.run(kind) { router in
      for rule in [RouteDecision.Rule.allowing, .showing] {
        for number in 0..<3 {
          let outcome = try await router.send(Event(url: "https://example.org/page/\(number)"))
          #expect(outcome.isTaken && outcome.decision?.rule == rule)
        }
      }
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func relativeURLIsReported(_ kind: TestRouter.Kind) async throws {
    let editor = LineEditor()
    let application = TestApplication { WindowGroup { editor }.handlesExternalEvents(matching: []) }
    try await application.run(kind) { router in
      editor.document = URL(string: "page")
      try await router.open("x:1")
      #expect(application.reports.all.map { $0.contains("Give showing absolute URLs.") } == [true])
    }
  }

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
