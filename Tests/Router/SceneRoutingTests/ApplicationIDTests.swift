import SceneRouting
import Testing

@Suite struct ApplicationIDTests {
  @Test(arguments: [
    ("org.example.Photos", "org.example.Photos"), ("org.example.Photos.desktop", "org.example.Photos"),
    ("a.desktop.desktop", "a"), ("a.desktop.b", "a.desktop.b"), ("a.Desktop", "a.Desktop"),
    ("desktop", "desktop"), ("ü.desktop", "ü"), (".desktop", ""), ("", ""),
  ])
  func everyDesktopAtTheEndIsDropped(text: String, id: String) {
    #expect(text.asApplicationID == id)
    #expect(ApplicationDeclaration(applicationID: text, scenes: []).applicationID == id)
    #expect(RouteConstraints(applicationID: text).applicationID == id)
    let preferences = ClaimPreferences(defaultApplication: text, order: [text], removed: [text])
    #expect(preferences == ClaimPreferences(defaultApplication: id, order: [id], removed: [id]))
  }

  @Test func scenesNameTheirApplicationInEitherForm() throws {
    let fixture = RouterFixture()
    let scene = try fixture.open(SceneContext(applicationID: "a.desktop.desktop"))
    #expect(fixture.router.registry.description(of: scene)?.context.applicationID == "a")
  }

  @Test func usersListsNameApplicationsInEitherForm() throws {
    let applications = ["a", "b", "c"].map {
      ApplicationDeclaration(
        applicationID: $0,
        scenes: [SceneDeclaration(id: "main")],
        claims: Claims(schemes: ["https"]),
        source: .file(path: "/\($0).desktop", desktopID: "\($0).desktop", isTrusted: true)
      )
    }
    var router = Router()
    let files = FileDeclarations(
      applications: applications,
      preferences: [.scheme("https"): ClaimPreferences(defaultApplication: "b.desktop")],
      hostChoices: [try #require(HostClaim("meet.example.org")): UserChoice("c.desktop")]
    )
    _ = router.replaceFiles(with: files, now: 0)
    let decide = { (url: String) in
      try router.explain(Event(.url(url)), RouteConstraints(), maximumSteps: 0).get().0.applicationID
    }
    #expect(try decide("https://example.org/") == "b")
    #expect(try decide("https://meet.example.org/") == "c")
    #expect(router.registry.description(ofApplication: "a")?.desktopID == "a.desktop")
  }
}
