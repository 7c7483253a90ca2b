import ExternalEvents
import SceneClient
import Testing

@MainActor @Suite(.timeLimit(.minutes(20)))
struct DeclarationTests {
  @Test(arguments: TestRouter.Kind.allCases)
  func bodyIsDeclaredInItsOrder(_ kind: TestRouter.Kind) async throws {
    let claims = Claims(schemes: ["test"], hosts: ["example.org"])
    let application = TestApplication(claims: claims, isSingleScene: true) {
      WindowGroup { Page() }
      WindowGroup("Photo", id: "detail") { Page() }
        .handlesExternalEvents(matching: ["b", "a"])
      WindowGroup(id: "never") { Page() }
        .handlesExternalEvents(matching: [])
      WindowGroup("Message", for: Int.self) { $number in Page() }
      Window("Settings", id: "settings") { Page() }
      DocumentGroup("Album", supportedTypes: ["application/x-album"]) { Page() }
        .handlesExternalEvents(matching: ["*"])
    }
    try await application.run(kind) { router in
      let declared = try await #require(router.applications(id: "org.example.Test").first)
      #expect(
        declared.scenes == [
          .windowGroup("window1"),
          .windowGroup("detail", title: "Photo", matching: ["a", "b"]),
          .windowGroup("never", matching: []),
          .windowGroup("window4", title: "Message"),
          .windowGroup("settings", title: "Settings", isSingleton: true),
          .documentGroup("window6", title: "Album", supportedTypes: ["application/x-album"]),
        ]
      )
      #expect(declared.claims == claims)
      #expect(declared.isSingleScene)
    }
  }

  @Test func twoWindowsOfOneIdAreRefused() async throws {
    let router = try await TestRouter(.inProcess)
    let application = TestApplication {
      WindowGroup(id: "a") { Page() }
      Window(id: "a") { Page() }
    }
    let error = await #expect(throws: SceneApplicationError.self) {
      try await application.run(router.connection)
    }
    #expect(
      error?.description == "Two windows of the application have the id 'a'. Give one of them another."
    )
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func applicationRunsOnce(_ kind: TestRouter.Kind) async throws {
    let application = TestApplication { WindowGroup { Page() } }
    try await application.run(kind) { router in
      let error = await #expect(throws: SceneApplicationError.self) { try await application.run(router) }
      #expect(error?.description.hasSuffix("with a link, or end it first.") == true)
    }
  }

  @Test func withoutARouterTheErrorSaysHowToStartIt() async throws {
    let error = await #expect(throws: RouterError.self) {
      try await RouterConnection(socketPath: "/nonexistent/socket")
    }
    let text = try SceneApplicationError(#require(error)).description
    #expect(text.hasSuffix("Start the router: systemctl --user start scened.socket"))
  }
}
