import Testing

@testable import SceneRouting

@Suite struct SharedPageTests {
  @Test func pageThatTenThousandScenesShowHasOneFirst() throws {
    let fixture = RouterFixture()
    func destination() -> Destination {
      fixture.router.registry.decide(Event(.url("https://a.test/x")), RouteConstraints()).destination
    }
    let scenes = try (0..<10_000).map { try fixture.open("app\($0 % 7)", showing: ["https://a.test/x"]) }
    _ = try fixture.router.updateScene(scenes[5000], title: nil, isActive: true, realTimeUSec: 0).get()
    #expect(destination() == .scene(scenes[5000]))
    for scene in scenes where scene != scenes[17] { _ = fixture.close(scene) }
    #expect(destination() == .scene(scenes[17]))
  }

  @Test func eachOfAHundredThousandPagesIsFound() throws {
    let fixture = RouterFixture()
    func destination(of url: String) -> Destination {
      fixture.router.registry.decide(Event(.url(url)), RouteConstraints()).destination
    }
    let scenes = try (0..<100).map { scene in
      try fixture.open(showing: (0..<1000).map { "https://a.test/\(scene)/\($0)" })
    }
    for (index, scene) in scenes.enumerated() {
      #expect(destination(of: "https://A.test/\(index)/999") == .scene(scene))
      #expect(destination(of: "https://a.test/\(index)/1000") == .none)
    }
  }
}
