import SceneRouting
import Testing

@Suite struct GenerationTests {
  let fixture = RouterFixture()

  @Test func everyChangeCounts() throws {
    var seen = [fixture.router.registry.generation]
    func note() { seen.append(fixture.router.registry.generation) }
    let scene = try fixture.open(preferring: ["a"])
    note()
    _ = fixture.set(Registration(id: "v"), of: scene)
    note()
    _ = fixture.remove("v", of: scene)
    note()
    _ = fixture.update(scene, title: "t", isActive: false)
    note()
    _ = fixture.update(scene, title: nil, isActive: true)
    note()
    _ = fixture.declare([])
    note()
    _ = fixture.close(scene)
    note()
    #expect(seen == [0, 1, 2, 3, 4, 5, 6, 7])
  }

  @Test func reportOfInactivityChangesNothing() throws {
    let scene = try fixture.open()
    let before = fixture.router.registry.generation
    fixture.effects = []
    let error = fixture.update(scene, title: nil, isActive: false)
    #expect(error == nil)
    #expect(fixture.router.registry.generation == before)
    #expect(fixture.effects.isEmpty)
  }

  @Test func refusedCallsChangeNothing() throws {
    let scene = try fixture.open()
    let before = fixture.router.registry.generation
    fixture.effects = []
    let unknown = fixture.remove("none", of: scene)
    #expect(unknown == .noSuchRegistration("none"))
    let gone = SceneID(rawValue: 99)
    let closed = fixture.close(gone)
    #expect(closed == .noSuchScene)
    #expect(fixture.router.registry.generation == before)
    #expect(fixture.effects.isEmpty)
  }

  @Test func decisionCarriesTheGenerationItWasMadeOn() throws {
    let scene = try fixture.open(preferring: ["a"])
    try fixture.send("x:a")
    guard case .decided(_, _, let decision) = fixture.effects.first else {
      Issue.record("no decision")
      return
    }
    #expect(decision.generation == fixture.router.registry.generation)
    #expect(decision.destination == .scene(scene))
    #expect(decision.matchedPattern == "a")
    #expect(decision.matchedString == "x:a")
    #expect(decision.matchedField == .url)
  }
}
