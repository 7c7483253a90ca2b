import SceneRouting
import Testing

@Suite struct EventIDTests {
  let fixture = RouterFixture()

  private func send(
    _ event: Event,
    user: UserID = RouterFixture.user
  ) -> Result<Router.Acceptance, Refusal> {
    fixture.effects = []
    return fixture.router.send(
      event,
      SendOptions(eventID: "e"),
      user: user,
      now: fixture.now,
      effects: &fixture.effects
    )
  }

  @Test func deliveryAndRequestCarryTheID() throws {
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    try fixture.send("x:a", SendOptions(eventID: "e"))
    let request = try #require(fixture.requests.first)
    #expect(request.eventID == "e")
    try fixture.open(allowing: ["*"], answering: request.id)
    #expect(fixture.deliveries.map(\.eventID) == ["e"])
    try fixture.send("x:b")
    #expect(fixture.deliveries.map(\.eventID) == [nil])
  }

  @Test func secondEventWithTheSameIDIsNotRouted() throws {
    try fixture.open(allowing: ["*"])
    let id = try fixture.send("x:a", SendOptions(eventID: "e"))
    guard case .success(.duplicate(id)) = send(Event(.url("x:a"))) else {
      Issue.record("routed twice")
      return
    }
    #expect(fixture.effects.isEmpty)
    #expect(fixture.router.progress(of: id)?.end == nil)
  }

  @Test func anotherEventUnderTheSameIDIsRefused() throws {
    try fixture.send("x:a", SendOptions(eventID: "e"))
    guard case .failure(let refusal) = send(Event(.url("x:b"))) else {
      Issue.record("accepted")
      return
    }
    #expect(refusal == .invalidParameter(path: "eventId"))
  }

  @Test func spellingOfTheEventDoesNotMakeAnother() throws {
    let id = try fixture.send(Event(.url("x:a"), encoded: Array("{}".utf8)), SendOptions(eventID: "e"))
    guard case .success(.duplicate(id)) = send(Event(.url("x:a"), encoded: Array("{ }".utf8)))
    else {
      Issue.record("taken for another event")
      return
    }
  }

  @Test func idsOfDifferentUsersDoNotMeet() throws {
    let id = try fixture.send("x:a", SendOptions(eventID: "e"))
    let other = UserID(rawValue: 0)
    guard case .success(.accepted(let second)) = send(Event(.url("x:a")), user: other) else {
      Issue.record("not routed")
      return
    }
    #expect(id != second)
  }

  @Test func idIsForgottenTenMinutesAfterTheEnd() throws {
    try fixture.open(allowing: ["*"])
    let id = try fixture.send("x:a", SendOptions(eventID: "e"))
    let delivery = try #require(fixture.deliveries.first)
    fixture.advance(by: 5_000_000)
    #expect(fixture.acknowledge(delivery) == nil)
    fixture.advance(by: 599_999_999)
    #expect(fixture.router.event("e", of: RouterFixture.user, now: fixture.now) == .success(id))
    #expect(fixture.router.nextDeadline == fixture.now + 1)
    fixture.advance(by: 1)
    #expect(fixture.router.event("e", of: RouterFixture.user, now: fixture.now) == .failure(.noSuchEvent))
    #expect(fixture.router.progress(of: id) == nil)
  }

  @Test func failuresAreRemembered() throws {
    let id = try fixture.send("x:a", SendOptions(eventID: "e"))
    #expect(fixture.router.progress(of: id)?.end?.attempts == [])
  }

  @Test func oldestEndedIDsMakeRoomForNewOnes() throws {
    var limits = Limits()
    limits.rememberedEventsPerUser = 3
    let fixture = RouterFixture(limits: limits)
    for number in 1...4 { try fixture.send("x:a", SendOptions(eventID: "\(number)")) }
    let known = (1...4).map { number in
      (try? fixture.router.event("\(number)", of: RouterFixture.user, now: fixture.now).get()) != nil
    }
    #expect(known == [false, true, true, true])
  }
}
