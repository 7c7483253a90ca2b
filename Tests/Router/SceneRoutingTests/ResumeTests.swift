import Testing

@testable import SceneRouting

/// Many events whose attempts end together.
@Suite struct ResumeTests {
  private let fixture = RouterFixture()
  private let count = 300

  private func urls(_ deliveries: [ShownDelivery]) -> [Event] { deliveries.map(\.event) }

  private func sendAll(_ options: EventOptions = EventOptions()) throws -> [Event] {
    let urls = (0..<count).map { "x:a\($0)" }
    for url in urls { try fixture.send(url, options) }
    return urls.map { Event(.url($0)) }
  }

  @Test func eventsOfAClosedSceneAreResumedInTheirOrder() throws {
    let first = try fixture.open(preferring: ["a"], credit: 200)
    let sent = try sendAll()
    let second = try fixture.open(allowing: ["*"], credit: 1000)
    #expect(fixture.close(first) == nil)
    #expect(fixture.close(first) == .noSuchScene)
    #expect(fixture.router.pendingDeliveryCount == count)
    #expect(fixture.router.pendingDeliveryCount(of: first) == 0)
    #expect(fixture.router.pendingDeliveryCount(of: second) == count)
    #expect(fixture.close(second) == nil)
    #expect(fixture.ends.map(\.decision.matchedString) == sent.map { $0.comparison?.string })
  }

  /// Each resumption is a call of its own, so that other calls can come between two resumptions.
  @Test func eventIsDecidedAnewOnlyWhenItIsResumed() throws {
    let scene = try fixture.open(preferring: ["a"], credit: 1000)
    let ids = try (0..<3).map { try fixture.send("x:a\($0)") }
    let other = try fixture.open(allowing: ["*"])
    let effects = try fixture.router.closeScene(scene, now: fixture.now).get()
    #expect(effects.count { if case .settled = $0 { true } else { false } } == 3)
    let resumed = effects.compactMap { if case .resume(let id) = $0 { id } else { nil } }
    #expect(resumed == ids)
    #expect(fixture.router.pendingDeliveryCount == 0)
    // The new decision considers the scenes that are open when the event is resumed.
    #expect(fixture.close(other) == nil)
    let last = try fixture.open(allowing: ["*"])
    let delivered = fixture.router.resume(ids[0], now: fixture.now)
    #expect(
      delivered.contains { if case .deliver(let delivery) = $0 { delivery.sceneID == last } else { false } }
    )
    // A second resumption does nothing, because the event is no longer between two attempts.
    #expect(fixture.router.resume(ids[0], now: fixture.now) == [])
    #expect(fixture.router.resume(DecisionID(rawValue: 99), now: fixture.now) == [])
  }

  @Test func closedSceneCannotSettleWhatItWasShown() throws {
    let scene = try fixture.open(preferring: ["a"])
    try fixture.send("x:a")
    let shown = try #require(fixture.deliveries.first)
    #expect(fixture.close(scene) == nil)
    #expect(fixture.acknowledge(shown) == .noSuchScene)
    #expect(fixture.ends.isEmpty)
  }

  @Test func timeOfAnEventThatIsToBeResumedIsNotUp() throws {
    let scene = try fixture.open(preferring: ["a"])
    let id = try fixture.send("x:a", .timeout(5))
    _ = try fixture.router.closeScene(scene, now: fixture.now).get()
    fixture.advance(by: 10)
    #expect(fixture.effects.isEmpty)
    let end = fixture.router.resume(id, now: fixture.now)
    #expect(
      end.contains {
        if case .ended(let sent, let end) = $0 { sent.id == id && end.result == .sceneClosed } else { false }
      }
    )
    #expect(fixture.router.nextDeadline == nil)
  }

  @Test func eventsThatAreToBeResumedEndWithTheRouter() throws {
    let scene = try fixture.open(preferring: ["a"], credit: 1000)
    _ = try sendAll()
    _ = try fixture.router.closeScene(scene, now: fixture.now).get()
    fixture.stop()
    #expect(fixture.ends.count == count)
    #expect(fixture.ends.allSatisfy { $0.result == .shutdown })
    fixture.advance(by: 100_000_000)
    #expect(fixture.effects.isEmpty)
    #expect(fixture.bytes == 0)
  }

  @Test func attemptsThatAreDueTogetherEndOneByOne() throws {
    try fixture.open(allowing: ["*"], credit: 1000)
    _ = try sendAll()
    fixture.now += 10_000_000
    for left in (0..<count).reversed() {
      #expect(fixture.router.nextDeadline.map { $0 <= fixture.now } == true)
      let effects = fixture.router.expireNext(now: fixture.now) ?? []
      #expect(effects.count { if case .settled = $0 { true } else { false } } == 1)
      #expect(fixture.router.pendingDeliveryCount == left)
    }
    #expect(fixture.router.nextDeadline == nil)
    #expect(fixture.router.expireNext(now: fixture.now) == nil)
  }

  @Test func eventsThatWaitForASceneComeBeforeWhatIsRoutedToItLater() throws {
    #expect(fixture.declare([SceneDeclaration(id: "main", isSingleton: true)]) == nil)
    try fixture.send("x:first")
    let request = try #require(fixture.requests.first)
    let sent = try sendAll()
    let scene = try fixture.open(declaration: "main", answering: request.id, credit: 1000)
    #expect(urls(fixture.deliveries) == [Event(.url("x:first"))] + sent)
    try fixture.send("x:later")
    #expect(urls(fixture.deliveries) == [Event(.url("x:later"))])
    #expect(fixture.close(scene) == nil)
    // An event asks a declaration for a new scene only once. The earlier events asked before the scene opened, so they
    // end now. `x:later` was sent when the scene was open, so this event asks only now.
    #expect(fixture.ends.count == count + 1)
    #expect(fixture.ends.allSatisfy { $0.settlements.map(\.sceneID) == [scene] })
    #expect(fixture.requests.map(\.event) == [Event(.url("x:later"))])
  }

  /// An event for an open scene has its own timeout, even if earlier events waited for the scene to open.
  @Test func eventForASceneThatHasJustOpenedHasItsOwnTime() throws {
    #expect(fixture.declare([SceneDeclaration(id: "main", isSingleton: true)]) == nil)
    try fixture.send("x:first")
    let request = try #require(fixture.requests.first)
    _ = try sendAll()
    let scene = try fixture.open(declaration: "main", answering: request.id, credit: 1)
    try fixture.send("x:later", .timeout(5))
    fixture.advance(by: 5)
    #expect(fixture.settlements.map(\.result) == [.timeout])
    #expect(fixture.settlements.map(\.sceneID) == [scene])
  }

  @Test func eventsOfADeclinedRequestAreResumed() throws {
    #expect(fixture.declare([SceneDeclaration(id: "main", isSingleton: true)]) == nil)
    try fixture.send("x:first")
    let request = try #require(fixture.requests.first)
    _ = try sendAll()
    #expect(fixture.decline(request.id, reason: "busy") == nil)
    #expect(fixture.ends.count == count + 1)
    #expect(fixture.ends.allSatisfy { $0.settlement?.reason == "busy" })
  }

  /// The requests to a removed application end, and stay ended if the application is declared again.
  ///
  /// Each event has its own request, because each event needs a scene of its own.
  @Test func requestsOfAnApplicationThatIsRemovedEndWithIt() throws {
    let declaration = [SceneDeclaration(id: "main")]
    #expect(fixture.declare(declaration) == nil)
    var requests: [OpenRequestID] = []
    for number in 0..<count {
      try fixture.send("x:a\(number)")
      requests += fixture.requests.map(\.id)
    }
    fixture.withdraw("app")
    #expect(fixture.ends.map(\.result) == Array(repeating: .launchFailed, count: count))
    #expect(fixture.ends.allSatisfy { $0.settlement?.reason == "applicationGone" })
    #expect(fixture.declare(declaration) == nil)
    for request in requests {
      #expect(throws: CallError.noSuchOpenRequest(.launchFailed)) { try fixture.open(answering: request) }
      #expect(fixture.decline(request) == .noSuchOpenRequest(.launchFailed))
    }
    try fixture.send("x:a0")
    #expect(fixture.requests.count == 1)
    #expect(fixture.router.registry.account(of: RouterFixture.user).pendingEvents == 1)
  }

  @Test func requestsThatHaveEndedDoNotEndAgain() throws {
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    for number in 0..<count { try fixture.send("x:\(number)", .timeout(number % 2 == 0 ? 5 : 5_000_000)) }
    fixture.advance(by: 5)
    #expect(fixture.ends.count == count / 2)
    fixture.withdraw("app")
    #expect(fixture.ends.count == count / 2)
    #expect(fixture.ends.allSatisfy { $0.settlement?.reason == "applicationGone" })
    #expect(fixture.router.requests.all.isEmpty)
  }
}
