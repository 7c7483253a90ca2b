import Testing

@testable import SceneRouting

/// More events than go on in one step.
@Suite struct TurnTests {
  private let fixture = RouterFixture()
  private let count = 300

  /// Lets all go on whose turn comes; returns the effects of each step.
  private func steps() -> [[Effect]] {
    var steps: [[Effect]] = []
    while let deadline = fixture.router.nextDeadline, deadline <= fixture.now {
      fixture.advance(by: 0)
      steps.append(fixture.effects)
    }
    fixture.effects = steps.reduce([], +)
    return steps
  }

  private func urls(_ deliveries: [Delivery]) -> [Event] { deliveries.map(\.event) }

  private func sendAll(_ options: SendOptions = SendOptions()) throws -> [Event] {
    let urls = (0..<count).map { "x:a\($0)" }
    for url in urls { try fixture.send(url, options) }
    return urls.map { Event(.url($0)) }
  }

  @Test func eventsOfAClosedSceneGoOnAFewAtATime() throws {
    let first = try fixture.open(preferring: ["a"], credit: 200)
    let sent = try sendAll()
    let second = try fixture.open(allowing: ["*"], credit: 1000)
    #expect(fixture.close(first) == nil)
    var deliveries = fixture.deliveries
    #expect((1...64).contains(deliveries.count))
    #expect(fixture.close(first) == .noSuchScene)
    let steps = steps()
    #expect(steps.count > 2)
    #expect(steps.allSatisfy { $0.count <= 64 * 3 })
    deliveries += fixture.deliveries
    #expect(urls(deliveries) == sent)
    #expect(deliveries.allSatisfy { $0.sceneID == second })
    #expect(fixture.router.pendingDeliveryCount == count)
    #expect(fixture.router.pendingDeliveryCount(of: first) == 0)
  }

  @Test func closedSceneCannotSettleWhatWaitsForItsTurn() throws {
    let scene = try fixture.open(preferring: ["a"], credit: 1000)
    var shown: [Delivery] = []
    for number in 0..<count {
      try fixture.send("x:a\(number)")
      shown += fixture.deliveries
    }
    #expect(fixture.close(scene) == nil)
    let ended = fixture.ends.count
    #expect(fixture.acknowledge(try #require(shown.last)) == .noSuchScene)
    _ = steps()
    #expect(ended + fixture.ends.count == count)
    #expect(fixture.ends.allSatisfy { $0.result == .sceneClosed })
  }

  @Test func eventThatEndsBeforeItsTurnEndsOnce() throws {
    let scene = try fixture.open(preferring: ["a"], credit: 1000)
    _ = try sendAll(.timeout(5))
    fixture.now += 5
    #expect(fixture.close(scene) == nil)
    let ended = fixture.ends
    _ = steps()
    let results = (ended + fixture.ends).map(\.result)
    #expect(results.count == count)
    #expect(Set(results) == [.sceneClosed, .timeout])
    #expect(fixture.router.registry.account(of: RouterFixture.user).pendingEvents == 0)
  }

  @Test func eventsThatWaitForTheirTurnEndWithTheRouter() throws {
    let scene = try fixture.open(preferring: ["a"], credit: 1000)
    _ = try sendAll()
    #expect(fixture.close(scene) == nil)
    let ended = fixture.ends.count
    fixture.effects = []
    fixture.router.shutDown(now: fixture.now, effects: &fixture.effects)
    #expect(ended + fixture.ends.count == count)
    #expect(fixture.ends.allSatisfy { $0.result == .shutdown })
    fixture.advance(by: 0)
    #expect(fixture.effects.isEmpty)
  }

  /// None waits until all of another are done.
  @Test func scenesThatCloseTogetherTakeTurns() throws {
    let scenes = try ["a", "b", "c"].map { try fixture.open(preferring: [$0], credit: 1000) }
    for number in 0..<count {
      for letter in ["a", "b"] { try fixture.send("x:\(letter)\(number)") }
    }
    try fixture.send("x:c")
    for scene in scenes { #expect(fixture.close(scene) == nil) }
    #expect(fixture.ends.map(\.decision.matchedString) == ["x:c"])
    fixture.advance(by: 0)
    let ended = fixture.ends.compactMap(\.decision.matchedString)
    #expect(Set(ended.map { $0.prefix(3) }) == ["x:a", "x:b"])
  }

  @Test func answeredRequestIsDeliveredBeforeWhatWaitsForItsTurn() throws {
    let scenes = try (0..<5).map { try fixture.open(preferring: ["\($0)"], credit: 1000) }
    for scene in scenes.indices {
      for _ in 0..<count { try fixture.send("x:\(scene)") }
    }
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    try fixture.send("x:a")
    let request = try #require(fixture.requests.first)
    for scene in scenes { #expect(fixture.close(scene) == nil) }
    try fixture.open(answering: request.id)
    #expect(urls(fixture.deliveries) == [Event(.url("x:a"))])
  }

  @Test func ofLongEventsFewerGoOnAtATime() throws {
    let scene = try fixture.open(preferring: ["a"], credit: 1000)
    for _ in 0..<20 { try fixture.send("x:a" + String(repeating: "-", count: 30_000)) }
    #expect(fixture.close(scene) == nil)
    #expect((1...3).contains(fixture.settlements.count))
    #expect(steps().count >= 5)
  }

  @Test(arguments: [true, false])
  func eventsGoOnAFewAtATimeWhenTheirSceneIsOpened(isClosedAgain: Bool) throws {
    let fixture = fixture
    #expect(fixture.declare([SceneDeclaration(id: "main", isSingleton: true)]) == nil)
    try fixture.send("x:first")
    let request = try #require(fixture.requests.first)
    let sent = try sendAll()
    let scene = try fixture.open(declaration: "main", answering: request.id, credit: 1000)
    let deliveries = fixture.deliveries
    #expect((1...64).contains(deliveries.count))
    // What is routed to the scene now comes after all that waited for it.
    try fixture.send("x:later")
    #expect(fixture.deliveries.isEmpty)
    guard isClosedAgain else {
      _ = steps()
      let expected = [Event(.url("x:first"))] + sent + [Event(.url("x:later"))]
      #expect(urls(deliveries + fixture.deliveries) == expected)
      try fixture.send("x:last")
      #expect(urls(fixture.deliveries) == [Event(.url("x:last"))])
      #expect(fixture.router.openings.isEmpty)
      return
    }
    #expect(fixture.close(scene) == nil)
    var ends = fixture.ends
    _ = steps()
    ends += fixture.ends
    // The later one did not ask for the scene, and asks for another.
    #expect(ends.count == count + 1)
    #expect(fixture.requests.map(\.event) == [Event(.url("x:later"))])
    #expect(ends.allSatisfy { $0.attempts.first?.result == .sceneClosed })
    #expect(ends.allSatisfy { $0.attempts.first?.sceneID == scene })
  }

  @Test func eventsGoOnAFewAtATimeWhenTheirSceneIsNotOpened() throws {
    #expect(fixture.declare([SceneDeclaration(id: "main", isSingleton: true)]) == nil)
    try fixture.send("x:first")
    let request = try #require(fixture.requests.first)
    _ = try sendAll()
    let refusal = fixture.decline(request.id, reason: "busy")
    #expect(refusal == nil)
    let ends = fixture.ends
    #expect((1...64).contains(ends.count))
    _ = steps()
    #expect((ends + fixture.ends).count == count + 1)
    #expect((ends + fixture.ends).allSatisfy { $0.attempts.last?.reason == "busy" })
  }

  /// Each for a scene of its own.
  @Test func requestsOfAnApplicationThatIsGoneEndAFewAtATime() throws {
    let fixture = fixture
    let declaration = [SceneDeclaration(id: "main")]
    #expect(fixture.declare(declaration) == nil)
    _ = try sendAll()
    fixture.withdraw("app")
    let ends = fixture.ends
    #expect((1...64).contains(ends.count))
    // Declared again, it is asked for the scene that the last event waits for as well.
    #expect(fixture.declare(declaration) == nil)
    try fixture.send("x:a\(count - 1)")
    let asked = fixture.requests
    #expect(asked.count == 1)
    _ = steps()
    #expect((ends + fixture.ends).map(\.result) == Array(repeating: .launchFailed, count: count))
    try fixture.send("x:a\(count - 1)")
    #expect(fixture.requests.isEmpty)
    fixture.withdraw("app")
    #expect(fixture.ends.map(\.result) == [.launchFailed, .launchFailed])
    #expect(fixture.router.registry.account(of: RouterFixture.user).pendingEvents == 0)
  }

  @Test func requestsThatHaveEndedDoNotEndAgain() throws {
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    for number in 0..<count {
      try fixture.send("x:\(number)", .timeout(number % 2 == 0 ? 5 : 5_000_000))
    }
    fixture.advance(by: 5)
    _ = steps()
    fixture.withdraw("app")
    let ends = fixture.ends
    _ = steps()
    #expect((ends + fixture.ends).count == count / 2)
    #expect(ends.allSatisfy { $0.attempts.last?.reason == "applicationGone" })
  }

  @Test func requestsThatHaveEndedAreForgotten() throws {
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    for number in 0..<count {
      try fixture.send("x:\(number)", .timeout(5))
      if number >= 3 { fixture.advance(by: 2) }
    }
    #expect(try #require(fixture.router.requestsOfApplications["app"]).requests.count < 10)
    fixture.advance(by: 5)
    #expect(fixture.router.requestsOfApplications.isEmpty)
  }

  /// An application that is declared again does not learn of what it was asked before.
  @Test func requestsOfAnEarlierDeclarationAreNobodysUntilTheyEnd() throws {
    let fixture = fixture
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    var requests: [OpenRequestID] = []
    for number in 0..<count {
      try fixture.send("x:\(number)", .timeout(5))
      requests += fixture.requests.map(\.id)
    }
    fixture.withdraw("app")
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    try fixture.send("x:new")
    let stale = requests[count - 1]
    #expect(throws: Refusal.noSuchOpenRequest(.launchFailed)) { try fixture.open(answering: stale) }
    let refusal = fixture.decline(stale)
    #expect(refusal == .noSuchOpenRequest(.launchFailed))
    fixture.now += 5
    _ = steps()
    let withdrawn = fixture.effects.count { if case .withdrawOpenRequest = $0 { true } else { false } }
    #expect(withdrawn == 0)
    #expect(fixture.ends.contains { $0.result == .launchFailed && $0.attempts.last?.reason == "timeout" })
  }

  @Test func attemptsThatAreDueTogetherEndInSlices() throws {
    try fixture.open(allowing: ["*"], credit: 1000)
    for number in 0..<300 { try fixture.send("x:\(number)") }
    fixture.advance(by: 10_000_000)
    #expect(fixture.ends.count == 128)
    #expect(fixture.router.nextDeadline.map { $0 <= fixture.now } == true)
    fixture.advance(by: 0)
    fixture.advance(by: 0)
    #expect(fixture.ends.count == 300 - 256)
    #expect(fixture.router.nextDeadline == nil)
  }
}
