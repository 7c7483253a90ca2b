import Testing

@testable import SceneRouting

@Suite struct ShowingTests {
  private func decide(
    _ fixture: RouterFixture,
    _ url: String = "https://a.test/x",
    _ constraints: RouteConstraints = RouteConstraints()
  ) -> Decision {
    fixture.router.registry.decide(Event(.url(url)), constraints)
  }

  @Test func sceneThatShowsTheDocumentComesBeforeEveryOther() throws {
    let fixture = RouterFixture()
    #expect(fixture.declare([SceneDeclaration(id: "main")], claims: Claims(schemes: ["https"])) == nil)
    try fixture.open("app", preferring: ["https://a.test/x"])
    let showing = try fixture.open("other", showing: ["HTTPS://A.test:443/y/../x#top"])
    let decision = decide(fixture, "https://a.test/x#1")
    #expect(decision.rule == .showing && decision.destination == .scene(showing))
    #expect(decision.matchedPattern == "HTTPS://A.test:443/y/../x#top")
    #expect(decision.matchedString == "https://a.test/x#1" && decision.matchedField == .url)
    #expect(decision.registrationIDs == ["view"])
    #expect(decision.applicationReason == .showing && decision.applicationID == "other")
    #expect(decide(fixture, "https://a.test/y").rule == .default)
  }

  @Test func activitysPageIsLookedUpEvenBesideItsContent() throws {
    let fixture = RouterFixture()
    let showing = try fixture.open(showing: ["https://a.test/x"])
    try fixture.open(preferring: ["content"])
    let activity = Activity(
      activityType: "t",
      targetContentIdentifier: "content",
      webpageURL: "https://a.test/%78"
    )
    let decision = fixture.router.registry.decide(Event(.activity(activity)))
    #expect(decision.destination == .scene(showing) && decision.matchedField == .webpageURL)
    #expect(decision.matchedString == "https://a.test/%78")
  }

  @Test func firstOfTheScenesThatShowItIsTheOneActiveLast() throws {
    let fixture = RouterFixture()
    let scenes = try (0..<3).map { try fixture.open("app\($0)", showing: ["https://a.test/x"]) }
    #expect(decide(fixture).destination == .scene(scenes[0]))
    _ = try fixture.router.updateScene(scenes[2], title: nil, isActive: true, realTimeUSec: 0).get()
    #expect(decide(fixture).destination == .scene(scenes[2]))
    let fromOrigin = decide(fixture, "https://a.test/x", RouteConstraints(originSceneID: scenes[2]))
    #expect(fromOrigin.destination == .scene(scenes[0]))
    _ = fixture.close(scenes[0])
    #expect(
      decide(fixture, "https://a.test/x", RouteConstraints(originSceneID: scenes[2])).destination
        == .scene(scenes[1])
    )
  }

  @Test func declinedEventGoesOnToTheNextThatShowsIt() throws {
    let fixture = RouterFixture()
    let scenes = try (0..<2).map { try fixture.open("app\($0)", showing: ["https://a.test/x"]) }
    let allowing = try fixture.open("app2", allowing: ["*"])
    try fixture.send("https://a.test/x")
    for scene in scenes {
      let delivery = try #require(fixture.deliveries.first)
      #expect(delivery.sceneID == scene && delivery.registrationIDs == ["view"])
      #expect(fixture.decline(delivery) == nil)
    }
    #expect(fixture.deliveries.first?.sceneID == allowing)
  }

  @Test func namedApplicationsScenesAloneAreLookedAt() throws {
    let fixture = RouterFixture()
    try fixture.open("other", showing: ["https://a.test/x"])
    let own = try fixture.open("app", allowing: ["*"])
    let decision = decide(fixture, "https://a.test/x", RouteConstraints(applicationID: "app"))
    #expect(decision.destination == .scene(own) && decision.applicationReason == .sender)
    let showing = decide(fixture, "https://a.test/x", RouteConstraints(applicationID: "other"))
    #expect(showing.rule == .showing && showing.applicationReason == .sender)
  }

  @Test func onlySceneOfTheOnlyApplicationComesFirst() throws {
    let fixture = RouterFixture()
    let claims = Claims(schemes: ["https"])
    #expect(fixture.declare([], of: "app", claims: claims, isSingleScene: true) == nil)
    let only = try fixture.open("app", showing: ["https://a.test/x"])
    #expect(decide(fixture).rule == .singleScene)
    let other = try fixture.open("other", showing: ["https://a.test/x"])
    #expect(decide(fixture).rule == .showing && decide(fixture).destination == .scene(only))
    _ = try fixture.router.updateScene(other, title: nil, isActive: true, realTimeUSec: 0).get()
    #expect(decide(fixture).destination == .scene(other))
    let again = decide(fixture, "https://a.test/x", RouteConstraints(originSceneID: other))
    #expect(again.rule == .singleScene && again.applicationReason == .only)
  }

  @Test func registrationsThatShowItAreReported() throws {
    let fixture = RouterFixture()
    let context = SceneContext(
      applicationID: "app",
      registrations: [
        Registration(id: "none", showing: ["https://a.test/y"], preferring: ["a.test/x"]),
        Registration(id: "first", showing: ["https://a.test/y", "https://A.test/x"]),
        Registration(id: "second", showing: ["https://a.test/x"]),
      ]
    )
    let scene = try fixture.open(context)
    var decision = decide(fixture)
    #expect(decision.registrationIDs == ["first", "second"] && decision.matchedPattern == "https://A.test/x")
    let described = fixture.router.registry.description(of: scene)?.context
    #expect(described == context)
    // The scene shows a URL as long as at least one registration shows the URL.
    #expect(fixture.set(Registration(id: "first"), of: scene) == nil)
    decision = decide(fixture)
    #expect(decision.registrationIDs == ["second"] && decision.matchedPattern == "https://a.test/x")
    #expect(fixture.set(Registration(id: "second"), of: scene) == nil)
    #expect(decide(fixture).rule == .preferring)
    #expect(decide(fixture, "https://a.test/y").rule == .showing)
    _ = fixture.close(scene)
    let showsNothing = fixture.router.registry.shown.isEmpty
    #expect(showsNothing)
    #expect(fixture.router.registry.account(of: RouterFixture.user).identifiers == 0)
  }

  @Test func hostOfThisMachineIsNone() throws {
    let fixture = RouterFixture(machineName: "Box")
    let scene = try fixture.open(showing: ["file:///a(1)"])
    #expect(decide(fixture, "file://box/a%281%29").destination == .scene(scene))
    #expect(decide(fixture, "file://other/a(1)").destination == .none)
  }

  // MARK: - Bad input

  @Test(arguments: ["", "/a", "a", "//a.test/x", "https://a.test/ x", "x:\u{1}", "x:\u{7F}", "1x:"])
  func entryThatIsNoURLIsRefused(entry: String) throws {
    let fixture = RouterFixture()
    let registrations = [Registration(id: "a"), Registration(id: "b", showing: ["x:a#f", entry])]
    #expect(throws: CallError.invalidParameter(path: "context.registrations[1].showing[1]")) {
      try fixture.open(SceneContext(applicationID: "app", registrations: registrations))
    }
    let scene = try fixture.open(showing: ["x:a"])
    let refused = fixture.set(Registration(id: "view", showing: [entry]), of: scene)
    #expect(refused == .invalidParameter(path: "registration.showing[0]"))
    #expect(decide(fixture, "x:a").rule == .showing, "A refused call changes nothing.")
  }

  @Test func entriesCountAsIdentifiers() throws {
    var limits = Limits()
    limits.identifiersPerScene = 2
    let fixture = RouterFixture(limits: limits)
    let scene = try fixture.open(preferring: ["a"], showing: ["x:a"])
    #expect(fixture.router.registry.account(of: RouterFixture.user).identifiers == 2)
    #expect(
      fixture.set(Registration(id: "more", showing: ["x:b"]), of: scene)
        == .limitExceeded(.identifiersPerScene, maximum: 2)
    )
    let long = "x:" + String(repeating: "a", count: 4095)
    #expect(
      fixture.set(Registration(id: "view", showing: [long]), of: scene)
        == .limitExceeded(.identifierLength, maximum: 4096)
    )
  }
}
