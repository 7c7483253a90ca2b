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
    let constraints = RouteConstraints(applicationID: application, originDecisionID: event)
    let next = try fixture.send(url, EventOptions(constraints: constraints))
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

  /// Whatever a program starts inherits the event of the program.
  @Test func otherLinkComesToTheProgram() throws {
    fixture.install(of: ["a", "b"], program: .opensOne)
    let first = try hand(on: nil)
    for number in 1...20 {
      _ = try hand(on: first, "x:\(number)")
      #expect(started == "a")
    }
  }

  @Test(arguments: ["X:a", "x:%61", "x:a#part"]) func otherSpellingIsTheSameLink(_ url: String) throws {
    fixture.install(of: ["a", "b"], program: .opensOne)
    let first = try hand(on: nil)
    _ = try hand(on: first, url)
    #expect(started == "b")
  }

  @Test func otherNameOfAFileIsTheSameLink() throws {
    fixture.install(of: ["a", "b"], claims: Claims(schemes: ["file"]), program: .opensOne)
    let event = Event(.url("file:///link/a"), resolvedURL: "file:///a")
    let first = try fixture.send(event)
    _ = try #require(fixture.takeStart(of: "a"))
    _ = try hand(on: first, "file:///a")
    #expect(started == "b")
  }

  @Test func activityIsTheSameIfItsContentIs() throws {
    fixture.install(of: ["a", "b"], claims: Claims(activityTypes: ["t"]), program: .opensOne)
    func send(_ target: String, from origin: DecisionID?) throws -> DecisionID {
      let activity = Activity(activityType: "t", targetContentIdentifier: target)
      let event = try fixture.send(
        Event(.activity(activity)),
        EventOptions(constraints: RouteConstraints(originDecisionID: origin))
      )
      _ = try #require(fixture.takeStart(of: started ?? ""))
      return event
    }
    let first = try send("1", from: nil)
    _ = try send("2", from: first)
    #expect(started == "a")
    _ = try send("1", from: first)
    #expect(started == "b")
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

  /// Each program makes another link of the one that it gets.
  @Test func chainOfOtherLinksEnds() throws {
    fixture.install(of: ["a"], program: .opensOne)
    var last = try hand(on: nil)
    for number in 2...8 {
      last = try hand(on: last, "x:\(number)")
      #expect(started == "a")
    }
    #expect(try hand(on: last, "x:9") == nil)
  }

  /// A program that runs on opens the same link each time that it gets it.
  @Test func sameLinkDoesNotGoInCirclesThroughARunningProgram() throws {
    fixture.install(of: ["a"], program: .opensOne)
    let first = try hand(on: nil)
    let rounds = try (1...20).prefix { try hand(on: first, "x:b#\($0)") != nil }
    #expect(rounds.count == 9)
    #expect(try hand(on: first, "x:c") != nil)
    let others = try (1...100).prefix { try hand(on: first, "x:\($0)") != nil }
    #expect(others.count < 64)
  }

  @Test func applicationIsPassedOverThoughItIsNamed() throws {
    fixture.install(of: ["a", "b"], program: .opensOne)
    let first = try hand(on: nil)
    #expect(try hand(on: first, to: "a") == nil)
    #expect(try hand(on: first, to: "b") != nil)
  }

  @Test func scenesOfTheApplicationArePassedOver() throws {
    fixture.install(of: ["a", "b"], program: .opensOne)
    let first = try hand(on: nil)
    try fixture.open("a", preferring: ["x:"], allowing: ["*"], showing: ["x:a"])
    _ = try hand(on: first)
    #expect(started == "b")
  }

  @Test func allThatOneProgramIsStartedWithIsPassedOver() throws {
    fixture.install(of: ["a", "b"], program: .opensMany)
    let first = try hand(on: nil)
    // One start of "b" gets two events: `x:c`, and `x:a`, which "a" handed on. The program knows only the first. Then
    // "b" hands both on.
    let own = try fixture.send("x:c", EventOptions(constraints: RouteConstraints(applicationID: "b")))
    try fixture.send("x:a", EventOptions(constraints: RouteConstraints(originDecisionID: first)))
    #expect(try #require(fixture.takeStart(of: "b")).requests.count == 2)
    #expect(try hand(on: own, "x:a") == nil)
    _ = try hand(on: own, "x:c")
    #expect(started == "a")
  }

  @Test func startIsForgottenInTime() throws {
    fixture.install(of: ["a", "b"], program: .opensOne)
    let first = try hand(on: nil)
    fixture.now += Limits().rememberedUSec - 1
    _ = try hand(on: first)
    #expect(started == "b")
    fixture.now += 1
    // The fragment keeps the event from waiting for the scene that was requested for the first one.
    _ = try hand(on: first, "x:a#1")
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
    let destinations = try events.enumerated().map { number, event in
      try fixture.send(
        "x:\(number)#",
        EventOptions(constraints: RouteConstraints(originDecisionID: event))
      )
      return fixture.starts
    }
    #expect(destinations == [["a"], ["b"], ["b"]])
  }
}
