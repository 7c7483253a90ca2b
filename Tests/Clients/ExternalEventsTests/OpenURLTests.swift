import ExternalEvents
import Foundation
import SceneClient
import Testing

/// Links that a window opens with `openURL`.
@MainActor @Suite(.timeLimit(.minutes(20)))
struct OpenURLTests {
  private final class Pages {
    var all: [Page] = []
  }

  private let pages = Pages()

  private var application: TestApplication<SceneDeclarationList> {
    TestApplication {
      WindowGroup(id: "page") {
        pages.all.append(Page())
        return pages.all[pages.all.count - 1]
      }
      .handlesExternalEvents(matching: [])
    }
  }

  /// Waits for a report of the first window, which shows that the window itself knows that it is open.
  private func waitForFirstWindow(_ router: RouterConnection) async throws {
    pages.all[0].name = "first"
    try await router.waitForScene { $0.title == "first" }
  }

  private func url(_ text: String) -> URL { URL(string: text)! }

  /// Both windows allow every link, and the router would otherwise choose the first one for both links.
  @Test(arguments: TestRouter.Kind.allCases)
  func linkGoesToAnotherWindow(_ kind: TestRouter.Kind) async throws {
    try await application.run(kind) { router in
      try await waitForFirstWindow(router)
      pages.all[0].openWindow(id: "page")
      while try await router.scenes().count < 2 {}
      #expect(await pages.all[0].openURL(url("x:1"), activationToken: "t").value)
      #expect(await pages.all[1].openURL(url("x:2")).value)
      #expect(pages.all.map(\.links) == [["x:2"], ["x:1"]])
      #expect(pages.all.map(\.raised) == [[nil], ["t"]])
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func linkThatNothingTakesIsReported(_ kind: TestRouter.Kind) async throws {
    let application = application
    try await application.run(kind) { router in
      try await waitForFirstWindow(router)
      #expect(await !pages.all[0].openURL(url("x:1")).value)
      #expect(await !pages.all[0].openURL(url("page")).value)
      while application.reports.all.count < 2 { await Task.yield() }
      #expect(
        application.reports.all == [
          "The link 'x:1' was not opened. No rule found a target for the event.",
          "The link 'page' was not opened. The service does not accept the parameter 'event.url'.",
        ]
      )
    }
  }

  /// Otherwise `main()` could end the process before the link is sent, and nobody would be told of a link that failed.
  @Test(arguments: TestRouter.Kind.allCases)
  func applicationEndsAfterTheLinksOfItsLastWindow(_ kind: TestRouter.Kind) async throws {
    let router = try await TestRouter(kind)
    let other = try await router.connection.openScene(
      application: "b",
      registrations: [Registration(id: "r", allowing: ["*"])]
    )
    let application = application
    let running = Task { try await application.run(RouterConnection(socketPath: router.socket)) }
    let scene = try await router.connection.waitForScene { $0.applicationID == "org.example.Test" }
    try await waitForFirstWindow(router.connection)
    let opening = pages.all[0].openURL(url("x:1"))
    pages.all[0].dismiss()
    try await router.connection.waitForEnd(of: scene.id)
    for try await delivery in other.deliveries {
      try await delivery.decline(reason: "busy")
      break
    }
    try await running.value
    #expect(application.reports.all == ["The link 'x:1' was not opened. The event was declined: busy."])
    #expect(await !opening.value)
  }
}
