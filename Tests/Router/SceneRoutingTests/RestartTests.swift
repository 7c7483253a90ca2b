import SceneRouting
import Testing

/// Tests of a router that ends, and of the next router.
@Suite struct RestartTests {
  private let fixture = RouterFixture()

  private func progress(_ eventID: String) -> EventCourse? {
    try? fixture.router.progress(ofEvent: eventID, of: fixture.client.user, now: fixture.now).get()
  }

  private func send(_ url: String = "x:a", as eventID: String) throws -> DecisionID {
    try fixture.send(url, EventOptions(eventID: eventID))
  }

  // MARK: Returning

  @Test func eventsWaitUntilAsManyAreOpenAsBefore() throws {
    fixture.router.awaitReturn(of: 3, now: fixture.now)
    let first = try fixture.send("x:a")
    #expect(fixture.effects.isEmpty)
    #expect(fixture.router.missingCount == 3)
    let scene = try fixture.open(allowing: ["*"])
    let second = try fixture.send("x:b")
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    #expect(fixture.deliveries.isEmpty)
    #expect(fixture.router.missingCount == 1)
    try fixture.open("other", preferring: ["b"])
    #expect(fixture.deliveries.map(\.decisionID) == [first, second])
    #expect(fixture.deliveries.map { $0.sceneID == scene } == [true, false])
    #expect(fixture.decisionCount == 2)
    #expect(fixture.router.missingCount == nil)
    try fixture.send("x:c")
    #expect(fixture.deliveries.map(\.sceneID) == [scene])
  }

  @Test func sceneThatClosesAgainHasNotReturned() throws {
    fixture.router.awaitReturn(of: 1, now: fixture.now)
    let event = try fixture.send("x:a")
    let context = SceneContext(
      applicationID: "app",
      registrations: [Registration(id: "v", preferring: [], allowing: ["*"])]
    )
    let opened = try fixture.router.openScene(
      context,
      credit: 1,
      by: fixture.client,
      now: fixture.now,
      realTimeUSec: 0
    ).get()
    #expect(opened.effects.contains(.returned))
    _ = try fixture.router.closeScene(opened.scene, now: fixture.now).get()
    #expect(fixture.router.decideHeld(now: fixture.now) == nil)
    #expect(fixture.router.missingCount == 1)
    let scene = try fixture.open(allowing: ["*"])
    #expect(fixture.deliveries.map(\.decisionID) == [event])
    #expect(fixture.deliveries.map(\.sceneID) == [scene])
  }

  /// While a router stops, the number of scenes and declarations that the next router waits for does not fall.
  ///
  /// This is so because the clients that leave the stopping router connect to the next router.
  @Test func stoppingRouterLeavesTheNumberToWaitFor() throws {
    fixture.router.awaitReturn(of: 3, now: fixture.now)
    let scene = try fixture.open(allowing: ["*"])
    fixture.prepareToStop()
    fixture.advance(by: 2_000_000)
    #expect(fixture.router.countToReturn == 3)
    _ = try fixture.router.closeScene(scene, now: fixture.now).get()
    #expect(fixture.router.countToReturn == 3)
  }

  @Test func eventsWaitForTwoSecondsAtMost() throws {
    fixture.router.awaitReturn(of: 2, now: fixture.now)
    #expect(fixture.router.nextDeadline == fixture.now + 2_000_000)
    try fixture.open(preferring: ["a"])
    try fixture.send("x:a")
    try fixture.send("x:b")
    fixture.advance(by: 1_999_999)
    #expect(fixture.effects.isEmpty)
    fixture.advance(by: 1)
    #expect(fixture.deliveries.count == 1)
    #expect(fixture.ends.map(\.result) == [nil])
    #expect(fixture.ends.first?.decision.generation == 1)
    #expect(fixture.router.missingCount == nil)
    #expect(fixture.router.countToReturn == 1)
  }

  @Test func aRouterWithoutAPredecessorWaitsForNothing() throws {
    fixture.router.awaitReturn(of: 0, now: fixture.now)
    #expect(fixture.router.missingCount == nil)
    try fixture.send("x:a")
    #expect(fixture.ends.count == 1)
  }

  @Test func timeOfAnEventRunsFromItsDecision() throws {
    fixture.router.awaitReturn(of: 1, now: fixture.now)
    try fixture.send("x:a", .timeout(5))
    fixture.advance(by: 1_000_000)
    #expect(fixture.effects.isEmpty)
    try fixture.open(allowing: ["*"])
    #expect(fixture.deliveries.map(\.timeoutUSec) == [5])
  }

  /// The router holds so many events that it decides them in several groups.
  ///
  /// An event that is sent between two groups is decided after all events that were sent before it.
  @Test func eventsAreDecidedInTheOrderInWhichTheyWereSent() throws {
    fixture.router.awaitReturn(of: 1, now: fixture.now)
    var sent: [DecisionID] = []
    for _ in 1...150 { sent.append(try fixture.send("x:a")) }
    let opened = try fixture.router.openScene(
      SceneContext(
        applicationID: "app",
        registrations: [Registration(id: "v", preferring: [], allowing: ["*"])]
      ),
      credit: 1000,
      by: fixture.client,
      now: fixture.now,
      realTimeUSec: 0
    ).get()
    #expect(opened.effects.contains(.returned))
    var decided: [DecisionID] = []
    while let effects = fixture.router.decideHeld(now: fixture.now) {
      let deliveries = effects.compactMap { if case .deliver(let delivery) = $0 { delivery } else { nil } }
      #expect(deliveries.count <= 64)
      decided += deliveries.map(\.decisionID)
      sent.append(try fixture.send("x:a"))
      decided += fixture.deliveries.map(\.decisionID)
    }
    #expect(decided == sent)
    try fixture.send("x:a")
    #expect(fixture.deliveries.count == 1)
  }

  @Test func heldEventsCountTowardsTheLimits() throws {
    var limits = Limits()
    limits.pendingEventsPerUser = 2
    let fixture = RouterFixture(limits: limits)
    fixture.router.awaitReturn(of: 1, now: fixture.now)
    for _ in 1...2 { try fixture.send("x:a") }
    #expect(throws: CallError.limitExceeded(.pendingEventsPerUser, maximum: 2)) { try fixture.send("x:a") }
  }

  @Test func anApplicationThatIsNamedMayReturn() throws {
    fixture.router.awaitReturn(of: 2, now: fixture.now)
    let named = EventOptions(constraints: RouteConstraints(applicationID: "app"))
    let nobody = EventOptions(constraints: RouteConstraints(applicationID: "nobody"))
    let event = try fixture.send("x:a", named)
    try fixture.send("x:a", nobody)
    #expect(throws: CallError.noSuchScene) {
      try fixture.send("x:a", EventOptions(constraints: RouteConstraints(sceneID: SceneID(rawValue: 7))))
    }
    try fixture.open(allowing: ["*"])
    try fixture.open("other", preferring: ["a"])
    #expect(fixture.deliveries.map(\.decisionID) == [event])
    #expect(fixture.ends.map(\.result) == [nil])
    #expect(throws: CallError.noSuchApplication) { try fixture.send("x:a", nobody) }
  }

  @Test func aRouterThatEndsEarlyWaitsForAsManyAgain() throws {
    fixture.router.awaitReturn(of: 3, now: fixture.now)
    try fixture.open()
    #expect(fixture.router.countToReturn == 3)
    fixture.prepareToStop()
    fixture.stop()
    #expect(fixture.router.countToReturn == 3)
  }

  @Test func scenesAndConnectedApplicationsCount() throws {
    let scene = try fixture.open()
    fixture.install(of: ["installed"])
    #expect(fixture.declare([]) == nil)
    #expect(fixture.declare([], of: "installed") == nil)
    #expect(fixture.router.countToReturn == 3)
    fixture.withdraw("installed")
    fixture.withdraw("installed")
    #expect(fixture.close(scene) == nil)
    #expect(fixture.router.countToReturn == 1)
  }

  /// The next router also waits for a program that is still starting.
  ///
  /// Otherwise the next router would start a second program for the same event.
  @Test(arguments: [false, true])
  func aProgramThatIsStillStartingCounts(declares: Bool) throws {
    fixture.install()
    for url in ["x:a", "x:b"] { try fixture.send(url) }
    #expect(fixture.router.countToReturn == 0)
    let start = try #require(fixture.takeStart())
    #expect(fixture.router.countToReturn == 1)
    fixture.end(start)
    #expect(fixture.router.countToReturn == 1)
    if declares {
      #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    } else {
      try fixture.open(declaration: "main", answering: start.requests[0].id)
    }
    #expect(fixture.router.countToReturn == 1)
  }

  @Test func aProgramThatNeverComesCountsNoLonger() throws {
    fixture.install()
    try fixture.send("x:a")
    fixture.end(try #require(fixture.takeStart()), failure: StartFailure(reason: "broken"))
    #expect(fixture.router.countToReturn == 0)
    try fixture.send("x:a")
    fixture.end(try #require(fixture.takeStart()))
    #expect(fixture.router.countToReturn == 1)
    fixture.advance(by: 60_000_000)
    #expect(fixture.router.countToReturn == 0)
    fixture.install(program: .opensOne)
    try fixture.send("x:a")
    #expect(fixture.takeStart() != nil)
    #expect(fixture.router.countToReturn == 0)
  }

  // MARK: Taken events

  @Test func aTakenEventIsRoutedToNobody() throws {
    let scene = try fixture.open("viewer", declaration: "page", allowing: ["*"], taken: ["e", "f", "e"])
    for url in ["x:a", "x:b"] {
      _ = try send(url, as: "e")
      #expect(fixture.effects.isEmpty)
    }
    let end = try #require(progress("e")?.end)
    #expect(end.result == .acknowledged)
    #expect(end.settlement?.sceneID == scene)
    #expect(end.decision.destination == .scene(scene))
    #expect(end.decision.applicationID == "viewer")
    #expect(end.decision.declarationID == "page")
    #expect(progress("f")?.id != progress("e")?.id)
  }

  @Test func anEventThatWaitsForTheSceneThatTookItEnds() throws {
    fixture.router.awaitReturn(of: 2, now: fixture.now)
    let id = try send(as: "e")
    #expect(progress("e")?.decision == nil)
    #expect(try send(as: "e") == id)
    let scene = try fixture.open(allowing: ["*"], taken: ["e"])
    #expect(fixture.ends.map(\.settlement?.sceneID) == [scene])
    #expect(fixture.decisionCount == 1)
    try fixture.open()
    #expect(fixture.deliveries.isEmpty)
    #expect(fixture.ends.isEmpty)
  }

  @Test func anEventThatWaitsForAnotherScenesCreditEnds() throws {
    let other = try fixture.open(allowing: ["*"], credit: 1)
    for event in ["first", "second"] { _ = try send(as: event) }
    let scene = try fixture.open(taken: ["second", "first"])
    #expect(fixture.ends.map(\.settlement?.sceneID) == [scene])
    // The first event has not ended, because it has already been shown to the other scene.
    #expect(progress("first")?.end == nil)
    #expect(fixture.router.pendingDeliveryCount(of: other) == 1)
  }

  @Test func aProgramThatWasStartedForTheEventIsNotStartedAgain() throws {
    fixture.install()
    _ = try send(as: "before")
    #expect(fixture.declare([SceneDeclaration(id: "main")], taken: ["before", "after"]) == nil)
    #expect(fixture.ends.map(\.result) == [.acknowledged])
    #expect(fixture.requests.isEmpty)
    #expect(fixture.takeStart() == nil)
    _ = try send(as: "after")
    #expect(fixture.requests.isEmpty)
    #expect(progress("after")?.end?.settlement?.sceneID == nil)
  }

  @Test func anEventThatHasEndedKeepsItsEnd() throws {
    _ = try send(as: "e")
    try fixture.open(taken: ["e"])
    #expect(progress("e")?.end?.result == nil)
  }

  @Test func idsOfOtherUsersAreNotTaken() throws {
    fixture.client = Client(user: UserID(rawValue: 1))
    try fixture.open(taken: (1...256).map { "e\($0)" })
    fixture.client = Client(user: RouterFixture.user)
    for number in 1...256 {
      _ = try send(as: "e\(number)")
      #expect(fixture.ends.map(\.result) == [nil])
    }
  }

  @Test func takenEventsAreForgottenLikeOthers() throws {
    let before = fixture.bytes
    let scene = try fixture.open(taken: ["e"])
    #expect(fixture.close(scene) == nil)
    #expect(fixture.bytes > before)
    fixture.advance(by: 600_000_000)
    #expect(progress("e") == nil)
    #expect(fixture.bytes == before)
  }

  @Test func whatIsReportedAsTakenIsBounded() throws {
    let tooMany = (1...257).map { "\($0)" }
    #expect(throws: CallError.invalidParameter(path: "takenEventIds")) { try fixture.open(taken: tooMany) }
    #expect(fixture.declare([], taken: tooMany) == .invalidParameter(path: "takenEventIds"))
    let long = [String(repeating: "e", count: 1025)]
    #expect(throws: CallError.limitExceeded(.stringLength, maximum: 1024)) { try fixture.open(taken: long) }
    #expect(fixture.declare([], taken: long) == .limitExceeded(.stringLength, maximum: 1024))
    try fixture.open(taken: Array(tooMany.dropLast()))
    #expect(fixture.router.registry.sceneCount == 1)
  }

  @Test func aRefusedCallTakesNothing() throws {
    var limits = Limits()
    limits.bytesPerUser = 3000
    let fixture = RouterFixture(limits: limits)
    let ids = (1...5).map { "\($0)" + String(repeating: "e", count: 1000) }
    #expect(throws: CallError.limitExceeded(.bytesPerUser, maximum: 3000)) { try fixture.open(taken: ids) }
    #expect(fixture.declare([], taken: ids) == .limitExceeded(.bytesPerUser, maximum: 3000))
    #expect(fixture.bytes == 0)
    #expect(fixture.router.countToReturn == 0)
  }

  // MARK: The orderly end

  @Test func eventsThatNobodyWasShownEndAtOnce() throws {
    try fixture.open(preferring: ["a"], credit: 1)
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    try fixture.send("x:a")
    let delivery = try #require(fixture.deliveries.first)
    let waiting = try fixture.send("x:a")
    let requested = try fixture.send("x:b")
    let request = try #require(fixture.requests.first)
    let joined = try fixture.send("x:b")
    fixture.prepareToStop()
    #expect(ended() == [waiting: false, joined: false])
    #expect(fixture.effects.count { if case .settled = $0 { true } else { false } } == 2)
    #expect(fixture.hasEventsUnderWay)
    #expect(throws: CallError.serviceStopping) { try fixture.send("x:a") }

    #expect(fixture.acknowledge(delivery) == nil)
    #expect(fixture.ends.map(\.result) == [.acknowledged])
    #expect(fixture.deliveries.isEmpty)
    try fixture.open(declaration: "main", answering: request.id)
    #expect(fixture.deliveries.map(\.decisionID) == [requested])
    fixture.stop()
    #expect(ended() == [requested: true])
    #expect(!fixture.hasEventsUnderWay)
  }

  @Test func eventsThatAreHeldEndAtOnce() throws {
    fixture.router.awaitReturn(of: 1, now: fixture.now)
    let event = try send(as: "e")
    fixture.prepareToStop()
    #expect(ended() == [event: false])
    #expect(try send(as: "e") == event)
    try fixture.open(allowing: ["*"])
    #expect(fixture.deliveries.isEmpty)
  }

  /// No other scene gets the events, because the closed scene may already have taken them.
  @Test func noEventGetsAnotherAttempt() throws {
    let scene = try fixture.open(preferring: ["a"])
    try fixture.open(allowing: ["*"])
    let (first, second) = (try fixture.send("x:a1"), try fixture.send("x:a2"))
    fixture.prepareToStop()
    #expect(fixture.effects.isEmpty)
    #expect(fixture.close(scene) == nil)
    #expect(ended() == [first: true, second: true])
    #expect(fixture.deliveries.isEmpty)
  }

  @Test func aDeclinedEventMayBeSentAgain() throws {
    try fixture.open(preferring: ["a"])
    try fixture.open(allowing: ["*"])
    let event = try fixture.send("x:a")
    let delivery = try #require(fixture.deliveries.first)
    fixture.prepareToStop()
    #expect(fixture.decline(delivery) == nil)
    #expect(ended() == [event: false])
  }

  @Test func aStartThatHasBegunIsWaitedFor() throws {
    fixture.install(of: ["begun", "waiting"], program: .opensOne)
    try fixture.send("x:a", EventOptions(constraints: RouteConstraints(applicationID: "begun")))
    let start = try #require(fixture.takeStart(of: "begun"))
    let other = try fixture.send("x:a", EventOptions(constraints: RouteConstraints(applicationID: "waiting")))
    fixture.prepareToStop()
    #expect(ended() == [other: false])
    #expect(fixture.takeStart(of: "waiting") == nil)
    fixture.end(start)
    #expect(fixture.ends.map(\.result) == [.launched])
  }

  /// The events that ended with `shutdown` according to `fixture.effects`, and whether each event may have been taken.
  private func ended() -> [DecisionID: Bool] {
    var ended: [DecisionID: Bool] = [:]
    for case .ended(let sent, let end) in fixture.effects where end.result == .shutdown {
      ended[sent.id] = end.mayBeTaken
    }
    return ended
  }
}
