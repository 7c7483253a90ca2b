import SceneRouting
import Testing

/// Programs that hand on the event they were started for.
@Suite struct PassedOverTests {
  let fixture = RouterFixture()

  /// Sends a new event from the program that was started for `event`, and starts a program for the new event.
  ///
  /// Returns the new event; `nil` if the new event starts no program.
  private func hand(
    on event: DecisionID?,
    _ url: String = "x:a",
    to application: String? = nil
  ) throws -> DecisionID? {
    let constraints = RouteConstraints(applicationID: application, originEventID: event)
    let next = try fixture.send(url, SendOptions(constraints: constraints))
    guard let started = fixture.starts.first else { return nil }
    _ = try #require(fixture.takeStart(of: started))
    return next
  }

  private var started: String? { fixture.starts.first }

  @Test func eventDoesNotComeBackToTheProgramThatHandsItOn() throws {
    fixture.install(of: ["a", "b"], program: .opensOne)
    let first = try hand(on: nil)
    #expect(started == "a")
    _ = try hand(on: first)
    #expect(started == "b")
    // An event that comes from no started program may go to every application.
    _ = try hand(on: nil, "x:b")
    #expect(started == "a")
  }

  @Test func eventComesBackToNoneOfSeveralThatHandItOn() throws {
    fixture.install(of: ["a", "b", "c"], program: .opensOne)
    let first = try hand(on: nil)
    let second = try hand(on: first)
    #expect(started == "b")
    let third = try hand(on: second)
    #expect(started == "c")
    #expect(try hand(on: third) == nil)
    #expect(fixture.ends.map(\.decision.destination) == [.none])
  }

  @Test func applicationIsPassedOverThoughItIsNamed() throws {
    fixture.install(of: ["a", "b"], program: .opensOne)
    let first = try hand(on: nil)
    #expect(try hand(on: first, "x:b", to: "a") == nil)
    #expect(try hand(on: first, "x:b", to: "b") != nil)
  }

  @Test func scenesOfTheApplicationArePassedOver() throws {
    fixture.install(of: ["a", "b"], program: .opensOne)
    let first = try hand(on: nil)
    try fixture.open("a", preferring: ["x:"], allowing: ["*"])
    _ = try hand(on: first, "x:b")
    #expect(started == "b")
  }

  @Test func allThatOneProgramIsStartedWithIsPassedOver() throws {
    fixture.install(of: ["a", "b"], program: .opensMany)
    let first = try hand(on: nil)
    // One start of "b" gets two events: `x:c`, and `x:d`, which "a" handed on. Then "b" hands on `x:c` as `x:e`.
    // Neither "a" nor "b" may get `x:e`.
    let own = try fixture.send("x:c", SendOptions(constraints: RouteConstraints(applicationID: "b")))
    try fixture.send("x:d", SendOptions(constraints: RouteConstraints(originEventID: first)))
    #expect(try #require(fixture.takeStart(of: "b")).requests.count == 2)
    #expect(try hand(on: own, "x:e") == nil)
  }

  @Test func startIsForgottenInTime() throws {
    fixture.install(of: ["a", "b"], program: .opensOne)
    let first = try hand(on: nil)
    fixture.now += Limits().rememberedUSec - 1
    _ = try hand(on: first, "x:b")
    #expect(started == "b")
    fixture.now += 1
    _ = try hand(on: first, "x:c")
    #expect(started == "a")
  }

  @Test func onlyTheLastStartsAreRemembered() throws {
    var limits = Limits()
    limits.rememberedStarts = 2
    let fixture = RouterFixture(limits: limits)
    fixture.install(of: ["a", "b"], program: .opensOne)
    let events = try (0..<3).map { number in
      let event = try fixture.send("x:\(number)")
      _ = try #require(fixture.takeStart(of: "a"))
      return event
    }
    let destinations = try events.map { event in
      try fixture.send(
        "x:e\(event.rawValue)",
        SendOptions(constraints: RouteConstraints(originEventID: event))
      )
      return fixture.starts
    }
    #expect(destinations == [["a"], ["b"], ["b"]])
  }
}
