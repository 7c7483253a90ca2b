import SceneRouting
import Testing

@Suite struct EventIDTests {
  let fixture = RouterFixture()

  private func send(_ event: Event, from client: Client? = nil) -> Result<Router.Acceptance, CallError> {
    fixture.router.send(
      event,
      EventOptions(eventID: "e"),
      from: client ?? fixture.client,
      now: fixture.now
    )
  }

  private func progress(_ eventID: String = "e") -> Result<EventCourse, CallError> {
    fixture.router.progress(ofEvent: eventID, of: RouterFixture.user, now: fixture.now)
  }

  @Test func deliveryAndRequestCarryTheID() throws {
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    try fixture.send("x:a", EventOptions(eventID: "e"))
    let request = try #require(fixture.requests.first)
    #expect(request.eventID == "e")
    try fixture.open(allowing: ["*"], answering: request.id)
    #expect(fixture.deliveries.map(\.eventID) == ["e"])
    try fixture.send("x:b")
    #expect(fixture.deliveries.map(\.eventID) == [nil])
  }

  @Test func secondEventWithTheSameIDIsNotRouted() throws {
    try fixture.open(allowing: ["*"])
    let id = try fixture.send("x:a", EventOptions(eventID: "e"))
    guard case .success(.repeated(let progress)) = send(Event(.url("x:a"))) else {
      Issue.record("routed twice")
      return
    }
    #expect(progress.id == id)
    #expect(progress.end == nil)
    #expect(progress.decision?.rule == .allowing)
  }

  @Test func anotherEventUnderTheSameIDIsRefused() throws {
    try fixture.open(preferring: ["a"])
    try fixture.send("x:a", EventOptions(eventID: "e"))
    let delivery = try #require(fixture.deliveries.first)
    for hasEnded in [false, true] {
      if hasEnded { #expect(fixture.acknowledge(delivery) == nil) }
      for other in [Event(.url("x:b")), Event(.url("x:a"), contentType: "a/b")] {
        guard case .failure(.invalidParameter(path: "eventId")) = send(other) else {
          Issue.record("accepted")
          return
        }
      }
    }
  }

  /// Two activities differ if any part except the title and `userInfo` differs.
  @Test(arguments: [true, false])
  func activitiesAreComparedPartByPart(hasEnded: Bool) throws {
    if !hasEnded { try fixture.open(allowing: ["*"]) }
    let activity = Activity(
      activityType: "t",
      targetContentIdentifier: "id",
      webpageURL: "x:a",
      title: "title",
      userInfo: UserInfo(bytes: [1])
    )
    let id = try fixture.send(Event(.activity(activity)), EventOptions(eventID: "e"))
    func changed(_ change: (inout Activity) -> Void) throws -> DecisionID {
      var other = activity
      change(&other)
      return try fixture.send(Event(.activity(other)), EventOptions(eventID: "e"))
    }
    #expect(try changed { ($0.title, $0.userInfo) = (nil, UserInfo(bytes: [2])) } == id)
    let error = CallError.invalidParameter(path: "eventId")
    #expect(throws: error) { try changed { $0.activityType = "u" } }
    #expect(throws: error) { try changed { $0.targetContentIdentifier = nil } }
    #expect(throws: error) { try changed { $0.webpageURL = "x:b" } }
    #expect(throws: error) { try fixture.send("x:a", EventOptions(eventID: "e")) }
  }

  @Test func spellingOfTheEventDoesNotMakeAnother() throws {
    let id = try fixture.send(Event(.url("x:a"), encoded: Array("{}".utf8)), EventOptions(eventID: "e"))
    let again = try fixture.send(
      Event(.url("x:a"), encoded: Array("{ }".utf8)),
      EventOptions(eventID: "e")
    )
    #expect(again == id)
  }

  /// URLs and event ids are compared byte by byte, although Swift treats both spellings of `é` as equal.
  @Test func bytesAreCompared() throws {
    let (composed, decomposed) = ("x:caf\u{E9}", "x:cafe\u{301}")
    try fixture.send(composed, EventOptions(eventID: "e"))
    #expect(throws: CallError.invalidParameter(path: "eventId")) {
      try fixture.send(decomposed, EventOptions(eventID: "e"))
    }
    let first = try fixture.send("x:a", EventOptions(eventID: composed))
    let second = try fixture.send("x:a", EventOptions(eventID: decomposed))
    #expect(first != second)
  }

  /// A repeated event may even name a scene or an application that does not exist.
  @Test func otherOptionsOfARepeatedEventDoNotMatter() throws {
    let id = try fixture.send("x:a", EventOptions(eventID: "e"))
    let nowhere = RouteConstraints(applicationID: "none", sceneID: SceneID(rawValue: 0))
    let again = try fixture.send("x:a", EventOptions(constraints: nowhere, timeoutUSec: 5, eventID: "e"))
    #expect(again == id)
  }

  @Test func idsOfDifferentUsersDoNotMeet() throws {
    let id = try fixture.send("x:a", EventOptions(eventID: "e"))
    let other = Client(user: UserID(rawValue: 0))
    guard case .success(.accepted(let second, _)) = send(Event(.url("x:a")), from: other) else {
      Issue.record("not routed")
      return
    }
    #expect(id != second)
  }

  @Test func idIsForgottenTenMinutesAfterTheEnd() throws {
    try fixture.open(allowing: ["*"])
    let id = try fixture.send("x:a", EventOptions(eventID: "e"))
    let delivery = try #require(fixture.deliveries.first)
    let before = fixture.bytes
    fixture.advance(by: 5_000_000)
    #expect(fixture.acknowledge(delivery) == nil)
    fixture.advance(by: 599_999_999)
    #expect(try progress().get().id == id)
    #expect(fixture.router.nextDeadline == fixture.now + 1)
    fixture.advance(by: 1)
    guard case .failure(.noSuchEvent) = progress() else {
      Issue.record("remembered")
      return
    }
    #expect(fixture.bytes < before)
    #expect(fixture.router.nextDeadline == nil)
  }

  @Test func failuresAreRemembered() throws {
    try fixture.send("x:a", EventOptions(eventID: "e"))
    #expect(try progress().get().end?.settlements == [])
  }

  @Test func everyAttemptIsRemembered() throws {
    try fixture.open(preferring: ["a"])
    try fixture.open(allowing: ["*"])
    try fixture.send("x:a", EventOptions(eventID: "e"))
    #expect(fixture.decline(try #require(fixture.deliveries.first), reason: "busy") == nil)
    #expect(fixture.acknowledge(try #require(fixture.deliveries.first)) == nil)
    let end = try #require(fixture.ends.first)
    let progress = try progress().get()
    #expect(progress.end == end)
    #expect(progress.settledAttempts.map(\.decision.rule) == [.preferring, .allowing])
    #expect(progress.settledAttempts.map(\.settlement) == end.settlements)
    #expect(progress.decision == nil)
  }

  @Test func oldestEndedIDsMakeRoomForNewOnes() throws {
    var limits = Limits()
    limits.rememberedEventsPerUser = 3
    let fixture = RouterFixture(limits: limits)
    for number in 1...3 { try fixture.send("x:a", EventOptions(eventID: "\(number)")) }
    let bytes = fixture.bytes
    try fixture.send("x:a", EventOptions(eventID: "4"))
    #expect(fixture.bytes == bytes)
    let known = (1...4).map { number in
      (try? fixture.router.progress(ofEvent: "\(number)", of: RouterFixture.user, now: 0).get()) != nil
    }
    #expect(known == [false, true, true, true])
  }

  @Test func whatIsRememberedIsCharged() throws {
    try fixture.open(allowing: ["*"])
    let before = fixture.bytes
    let activity = Activity(
      activityType: "t",
      targetContentIdentifier: String(repeating: "a", count: 1000),
      userInfo: UserInfo(bytes: [UInt8](repeating: 32, count: 60_000))
    )
    try fixture.send(Event(.activity(activity)), EventOptions(eventID: "e"))
    #expect(fixture.bytes > before + 60_000)
    #expect(fixture.acknowledge(try #require(fixture.deliveries.first)) == nil)
    // The event has ended, so the router has forgotten its `userInfo`. The user is charged only for what the router
    // still remembers of the event.
    #expect((before + 1000..<before + 5000).contains(fixture.bytes))
  }
}
