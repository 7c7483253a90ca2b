import Testing

@testable import SceneRouting

/// Of the open scenes that prefer an event, or that allow it, the scene with the longest matching text comes first.
@Suite struct ClosestTests {
  private func decide(_ fixture: RouterFixture, _ url: String) -> Decision {
    fixture.router.registry.decide(Event(.url(url)))
  }

  private func activate(_ scene: SceneID, _ fixture: RouterFixture) throws {
    _ = try fixture.router.updateScene(scene, title: nil, isActive: true, realTimeUSec: 0).get()
  }

  @Test func identifierStaysWhenOneOfTwoThatBeginWithItGoes() throws {
    let fixture = RouterFixture()
    let short = try fixture.open(preferring: ["album/47"])
    let scenes = try ["album/471", "album/479"].map { try fixture.open(preferring: [$0]) }
    #expect(fixture.close(scenes[1]) == nil)
    #expect(decide(fixture, "x:album/479").destination == .scene(short))
    #expect(decide(fixture, "x:album/471").destination == .scene(scenes[0]))
  }

  @Test(arguments: [IdentifierSetKind.preferring, .allowing])
  func longestIdentifierComesBeforeTheSceneThatWasActiveLast(kind: IdentifierSetKind) throws {
    let fixture = RouterFixture()
    func open(_ identifiers: String...) throws -> SceneID {
      kind == .preferring
        ? try fixture.open(preferring: identifiers) : try fixture.open(allowing: identifiers)
    }
    let photo = try open("album/4711")
    let album = try open("zither", "album/4")
    let any = try open("*")
    for scene in [photo, album, any] { try activate(scene, fixture) }
    #expect(decide(fixture, "x:album/4711").destination == .scene(photo))
    #expect(decide(fixture, "x:album/4711").matchedPattern == "album/4711")
    #expect(decide(fixture, "x:album/42").destination == .scene(album))
    #expect(decide(fixture, "x:album/5").destination == .scene(any))
    // If the matching texts are equally long, the scene that was active last comes first.
    let other = try open("album/4")
    #expect(decide(fixture, "x:album/42").destination == .scene(album))
    try activate(other, fixture)
    #expect(decide(fixture, "x:album/42").destination == .scene(other))
  }

  /// The length of an identifier is its number of bytes after folding.
  ///
  /// If two identifiers are equally long, their alphabetical order does not count.
  @Test func lengthCountsInFoldedBytes() throws {
    let fixture = RouterFixture()
    let first = try fixture.open(preferring: ["A\u{301}\u{301}b"])
    let second = try fixture.open(preferring: ["abc"])
    // Without case and accents, the identifier of the first scene is "ab", which is shorter than "abc".
    #expect(decide(fixture, "x:\u{E1}bc").destination == .scene(second))
    let third = try fixture.open(preferring: ["x:a"])
    try activate(third, fixture)
    #expect(decide(fixture, "x:abc").destination == .scene(third))
    try activate(second, fixture)
    #expect(decide(fixture, "x:abc").destination == .scene(second))
    // Each of the two kana has three bytes, so this identifier has six bytes and is longer than "abc".
    let kana = try fixture.open(preferring: ["\u{304B}\u{304D}"])
    #expect(decide(fixture, "x:abc\u{304B}\u{304D}").destination == .scene(kana))
    _ = fixture.close(kana)
    _ = fixture.close(second)
    _ = fixture.close(third)
    #expect(decide(fixture, "x:abc").destination == .scene(first))
  }

  /// Of equally long identifiers, the one that the event contains byte for byte comes first.
  @Test(arguments: [IdentifierSetKind.preferring, .allowing], [["ABC", "abc"], ["abc", "ABC"]])
  func eachSpellingOfAnIdentifierCounts(kind: IdentifierSetKind, spellings: [String]) throws {
    let fixture = RouterFixture()
    func registration(_ id: String, _ identifier: String) -> Registration {
      kind == .preferring
        ? Registration(id: id, preferring: [identifier]) : Registration(id: id, allowing: [identifier])
    }
    func open(_ registrations: [Registration]) throws -> SceneID {
      try fixture.open(SceneContext(applicationID: "app", registrations: registrations))
    }
    let lower = try open([registration("lower", "abc")])
    let both = try open(spellings.map { registration($0, $0) })
    try activate(lower, fixture)
    let decision = decide(fixture, "x:ABC")
    #expect(decision.destination == .scene(both) && decision.matchedPattern == "ABC")
    #expect(decision.registrationIDs == spellings)
    // The event contains "abc" of both scenes byte for byte, and "lower" was active last.
    #expect(decide(fixture, "x:abc").destination == .scene(lower))
    // It contains no spelling byte for byte.
    #expect(decide(fixture, "x:aBc").destination == .scene(lower))
    #expect(fixture.remove("abc", of: both) == nil)
    #expect(decide(fixture, "x:ABC").destination == .scene(both))
    #expect(fixture.set(registration("ABC", "abc"), of: both) == nil)
    #expect(decide(fixture, "x:ABC").destination == .scene(lower))
  }

  @Test func closestThatMayTakeItCounts() throws {
    let fixture = RouterFixture()
    let closest = try fixture.open(preferring: ["album/4711"])
    let next = try fixture.open(preferring: ["album/4"])
    try fixture.send("x:album/4711")
    let delivery = try #require(fixture.deliveries.first)
    #expect(delivery.sceneID == closest)
    #expect(fixture.decline(delivery) == nil)
    #expect(fixture.deliveries.first?.sceneID == next)
  }

  /// Every registration that matches is reported, even if another registration matches with a longer identifier.
  @Test func allRegistrationsThatMatchAreReported() throws {
    let fixture = RouterFixture()
    try fixture.open(
      SceneContext(
        applicationID: "app",
        registrations: [
          Registration(id: "any", preferring: ["*"]), Registration(id: "short", preferring: ["al"]),
          Registration(id: "long", preferring: ["album"]), Registration(id: "none", preferring: ["b/"]),
        ]
      )
    )
    let decision = decide(fixture, "x:album")
    #expect(decision.matchedPattern == "album" && decision.registrationIDs == ["any", "short", "long"])
  }

  /// If several applications are asked together, the scene of a single-scene application ranks as if it allowed `*`.
  @Test func singleSceneIsTheLeastClose() throws {
    let fixture = RouterFixture()
    #expect(fixture.declare([], of: "single", isSingleScene: true) == nil)
    let single = try fixture.open("single", allowing: ["a", "x:a"])
    let any = try fixture.open("any", allowing: ["*"])
    let close = try fixture.open("close", allowing: ["a"])
    for scene in [close, any, single] { try activate(scene, fixture) }
    #expect(decide(fixture, "x:a").destination == .scene(close))
    let decision = decide(fixture, "x:b")
    #expect(decision.destination == .scene(single) && decision.matchedPattern == "*")
    #expect(decision.registrationIDs == [] && decision.rule == .allowing)
    try activate(any, fixture)
    #expect(decide(fixture, "x:b").destination == .scene(any))
  }

  @Test func declarationsKeepTheirOrder() throws {
    let fixture = RouterFixture()
    let scenes = [
      SceneDeclaration(id: "short", matching: ["al"]), SceneDeclaration(id: "long", matching: ["album"]),
    ]
    #expect(fixture.declare(scenes) == nil)
    #expect(decide(fixture, "x:album").declarationID == "short")
  }

  /// A trace first names the scenes that do not match.
  ///
  /// Then it names the matching scenes, from the longest matching text to shorter texts. The winner is named last.
  @Test func traceEndsWithTheClosest() throws {
    let fixture = RouterFixture()
    let none = try fixture.open(preferring: ["zither"])
    let origin = try fixture.open(preferring: ["album/4711"])
    let next = try fixture.open(preferring: ["album/4"])
    try fixture.open(preferring: ["*"])
    let constraints = RouteConstraints(originSceneID: origin)
    let (decision, trace) = try fixture.router.explain(
      Event(.url("x:album/4711")),
      constraints,
      maximumSteps: 10
    ).get()
    #expect(decision.destination == .scene(next))
    #expect(trace.steps.map(\.sceneID) == [none, origin, next])
    #expect(trace.steps.map(\.rejectedBecause) == [nil, "origin", nil] && trace.isComplete)
  }
}
