import SceneRouting
import Testing

@Suite struct DeliveryTests {
  let fixture = RouterFixture()

  @Test func acknowledgedEventEndsOnce() throws {
    let scene = try fixture.open(preferring: ["a"])
    try fixture.send("x:a")
    let delivery = try #require(fixture.deliveries.first)
    #expect(delivery.sceneID == scene)
    #expect(delivery.registrationIDs == ["view"])
    #expect(delivery.timeoutUSec == 10_000_000)
    #expect(fixture.acknowledge(delivery) == nil)
    #expect(fixture.ends.map(\.result) == [.acknowledged])
    #expect(fixture.acknowledge(delivery) == .noSuchDelivery(.acknowledged))
    #expect(fixture.ends.isEmpty)
  }

  @Test func declinedEventGoesOnUnderTheSameDecision() throws {
    let first = try fixture.open(preferring: ["a"])
    let second = try fixture.open(allowing: ["*"])
    let id = try fixture.send("x:a")
    let delivery = try #require(fixture.deliveries.first)
    #expect(delivery.sceneID == first)
    #expect(fixture.decline(delivery, reason: "busy") == nil)
    let next = try #require(fixture.deliveries.first)
    #expect(next.sceneID == second)
    #expect(next.decisionID == id)
    #expect(fixture.acknowledge(next) == nil)
    let end = try #require(fixture.ends.first)
    #expect(end.settlements.map(\.result) == [.declined, .acknowledged])
    #expect(end.settlements.map(\.reason) == ["busy", nil])
    #expect(end.decision.rule == .allowing)
  }

  @Test func everyStepIsReported() throws {
    try fixture.open(preferring: ["a"])
    try fixture.open(allowing: ["*"])
    try fixture.send("x:a")
    #expect(fixture.decisionCount == 1)
    #expect(fixture.decline(try #require(fixture.deliveries.first)) == nil)
    #expect(fixture.decisionCount == 1)
    #expect(fixture.settlements.map(\.result) == [.declined])
    #expect(fixture.acknowledge(try #require(fixture.deliveries.first)) == nil)
    #expect(fixture.settlements.map(\.result) == [.acknowledged])
    #expect(fixture.ends.map { $0.settlements.map(\.result) } == [[.declined, .acknowledged]])
  }

  @Test func deliveryBeyondTheCreditWaitsInOrder() throws {
    try fixture.open(allowing: ["*"], credit: 1)
    try fixture.send("x:1")
    let first = try #require(fixture.deliveries.first)
    try fixture.send("x:2")
    #expect(fixture.deliveries.isEmpty)
    try fixture.send("x:3")
    #expect(fixture.acknowledge(first) == nil)
    let second = try #require(fixture.deliveries.first)
    #expect(second.event == Event(.url("x:2")))
    #expect(fixture.acknowledge(second) == nil)
    #expect(fixture.deliveries.map(\.event) == [Event(.url("x:3"))])
  }

  @Test func deliveriesStayInOrderWhicheverOfThemAreSettled() throws {
    let first = try fixture.open(preferring: ["a"], credit: 3)
    var shown: [ShownDelivery] = []
    for number in 1...8 {
      // The fifth and the eighth delivery time out while they wait.
      try fixture.send("x:a\(number)", .timeout(number == 5 || number == 8 ? 10 : 1000))
      shown += fixture.deliveries
    }
    #expect(shown.count == 3)
    #expect(fixture.acknowledge(shown[1]) == nil)
    #expect(fixture.deliveries.map(\.event) == [Event(.url("x:a4"))])
    fixture.advance(by: 10)
    #expect(fixture.settlements.map(\.result) == [.timeout, .timeout])
    #expect(fixture.router.pendingDeliveryCount(of: first) == 5)
    try fixture.send("x:a9")
    try fixture.open(allowing: ["*"])
    #expect(fixture.close(first) == nil)
    #expect(fixture.deliveries.map(\.event) == [1, 3, 4, 6, 7, 9].map { Event(.url("x:a\($0)")) })
    #expect(fixture.router.pendingDeliveryCount == 6)
  }

  @Test func deliveryNotYetShownCannotBeSettled() throws {
    let scene = try fixture.open(allowing: ["*"], credit: 1)
    try fixture.send("x:1")
    let shown = try #require(fixture.deliveries.first)
    try fixture.send("x:2")
    var hidden = shown
    hidden.id = DeliveryID(rawValue: shown.id.rawValue + 1)
    #expect(fixture.acknowledge(hidden) == .noSuchDelivery(nil))
    #expect(fixture.router.pendingDeliveryCount(of: scene) == 2)
  }

  @Test func timeWaitingForCreditCounts() throws {
    try fixture.open(allowing: ["*"], credit: 1)
    try fixture.send("x:1", .timeout(9_000_000))
    let first = try #require(fixture.deliveries.first)
    try fixture.send("x:2", .timeout(5_000_000))
    fixture.advance(by: 3_000_000)
    #expect(fixture.acknowledge(first) == nil)
    #expect(fixture.deliveries.map(\.timeoutUSec) == [2_000_000])
  }

  @Test func timedOutDeliveryIsWithdrawnAndGoesOn() throws {
    let first = try fixture.open(preferring: ["a"])
    let second = try fixture.open(preferring: ["a"])
    try fixture.send("x:a", .timeout(500))
    let delivery = try #require(fixture.deliveries.first)
    #expect(delivery.sceneID == first)
    #expect(fixture.router.nextDeadline == fixture.now + 500)
    fixture.advance(by: 499)
    #expect(fixture.effects.isEmpty)
    fixture.advance(by: 1)
    #expect(fixture.effects.first == .withdrawDelivery(delivery.id, from: first, .timeout))
    #expect(fixture.settlements.map(\.result) == [.timeout])
    #expect(fixture.deliveries.map(\.sceneID) == [second])
    #expect(fixture.acknowledge(delivery) == .noSuchDelivery(.timeout))
  }

  @Test func everyTargetHasTheWholeTime() throws {
    try fixture.open(preferring: ["a"])
    try fixture.open(preferring: ["a"])
    try fixture.send("x:a", .timeout(500))
    fixture.advance(by: 500)
    fixture.advance(by: 499)
    #expect(fixture.ends.isEmpty)
    fixture.advance(by: 1)
    #expect(fixture.ends.map { $0.settlements.map(\.result) } == [[.timeout, .timeout]])
    #expect(fixture.router.nextDeadline == nil)
  }

  @Test func closedSceneHandsItsDeliveriesOn() throws {
    let first = try fixture.open(preferring: ["a"], credit: 1)
    try fixture.send("x:a1")
    try fixture.send("x:a2")
    let second = try fixture.open(allowing: ["*"])
    #expect(fixture.close(first) == nil)
    #expect(fixture.settlements.map(\.result) == [.sceneClosed, .sceneClosed])
    #expect(fixture.deliveries.map(\.event) == [Event(.url("x:a1")), Event(.url("x:a2"))])
    #expect(fixture.deliveries.allSatisfy { $0.sceneID == second })
    #expect(fixture.close(first) == .noSuchScene)
  }

  @Test func closedLastTargetEndsTheEvent() throws {
    let scene = try fixture.open(preferring: ["a"])
    try fixture.send("x:a")
    #expect(fixture.close(scene) == nil)
    #expect(fixture.ends.map(\.result) == [.sceneClosed])
  }

  @Test func anotherSceneCannotSettleADelivery() throws {
    try fixture.open(preferring: ["a"])
    let other = try fixture.open()
    try fixture.send("x:a")
    var delivery = try #require(fixture.deliveries.first)
    delivery.sceneID = other
    #expect(fixture.acknowledge(delivery) == .noSuchDelivery(nil))
  }

  @Test func explicitTargetThatDeclinesEndsTheEvent() throws {
    let scene = try fixture.open()
    try fixture.open(preferring: ["a"])
    try fixture.send("x:a", EventOptions(constraints: RouteConstraints(sceneID: scene)))
    let delivery = try #require(fixture.deliveries.first)
    #expect(delivery.sceneID == scene)
    #expect(fixture.decline(delivery) == nil)
    #expect(fixture.ends.map { $0.settlements.map(\.result) } == [[.declined]])
  }

  @Test func eventWithoutTargetEndsNotRouted() throws {
    try fixture.send("x:a")
    let end = try #require(fixture.ends.first)
    #expect(end.result == nil)
    #expect(end.decision.destination == .none)
    #expect(fixture.router.notRoutedCount == 1)
  }

  @Test func activationTokenGoesToOneTargetAtATime() throws {
    try fixture.open(preferring: ["a"])
    try fixture.open(preferring: ["a"])
    try fixture.send("x:a", EventOptions(activationToken: "token"))
    let delivery = try #require(fixture.deliveries.first)
    #expect(fixture.deliveries.map(\.activationToken) == ["token"])
    #expect(fixture.decline(delivery) == nil)
    #expect(fixture.deliveries.map(\.activationToken) == ["token"])
  }

  @Test func shutdownEndsEveryEventAndWithdrawsWhatIsShown() throws {
    let scene = try fixture.open(preferring: ["a"], credit: 1)
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    try fixture.send("x:a1")
    try fixture.send("x:a2")
    try fixture.send("x:b")
    let request = try #require(fixture.requests.first)
    fixture.stop()
    #expect(fixture.ends.map(\.result) == [.shutdown, .shutdown, .shutdown])
    #expect(fixture.effects.contains(.withdrawDelivery(DeliveryID(rawValue: 1), from: scene, .shutdown)))
    #expect(fixture.effects.contains(.withdrawOpenRequest(request.id, fromApplication: "app", .shutdown)))
    #expect(fixture.deliveries.isEmpty)
  }

  @Test func manySettledAttemptsLeaveNoDeadlinesBehind() throws {
    try fixture.open(allowing: ["*"])
    for _ in 0..<10_000 {
      try fixture.send("x:a")
      let delivery = try #require(fixture.deliveries.first)
      #expect(fixture.acknowledge(delivery) == nil)
      fixture.now += 1
    }
    fixture.advance(by: 20_000_000)
    #expect(fixture.effects.isEmpty)
    #expect(fixture.router.nextDeadline == nil)
    #expect(fixture.router.endCounts == [.acknowledged: 10_000])
    #expect(fixture.router.registry.account(of: RouterFixture.user).pendingEvents == 0)
  }
}

extension DeliveryTests {
  @Test(arguments: [UInt64(7), 11, 13])
  func everyEventEndsWhenItsOwnTimeIsUp(step: UInt64) throws {
    let fixture = RouterFixture()
    try fixture.open(allowing: ["*"], credit: 100)
    // The timeouts of the 50 events are the numbers from 1 to 50 in a scattered order.
    for number in 0..<UInt64(50) { try fixture.send("x:a", .timeout(number * step % 50 + 1)) }
    for _ in 0..<50 {
      fixture.advance(by: 1)
      #expect(fixture.ends.map(\.result) == [.timeout])
    }
  }

  @Test func eventUnderWayKeepsItsTimeWhileOthersComeAndGo() throws {
    try fixture.open(allowing: ["*"])
    try fixture.send("x:slow", .timeout(1000))
    for _ in 0..<500 {
      try fixture.send("x:a")
      let delivery = try #require(fixture.deliveries.first)
      #expect(fixture.acknowledge(delivery) == nil)
    }
    fixture.advance(by: 1000)
    #expect(fixture.ends.map(\.result) == [.timeout])
  }

  @Test func fullSceneDeclinesWhatOthersPassOn() throws {
    var limits = Limits()
    limits.pendingDeliveriesPerScene = 1
    let fixture = RouterFixture(limits: limits)
    let first = try fixture.open(preferring: ["a"])
    try fixture.open(allowing: ["*"], credit: 1)
    try fixture.send("x:a")
    let delivery = try #require(fixture.deliveries.first)
    #expect(delivery.sceneID == first)
    try fixture.send("x:b1")
    try fixture.send("x:b2")
    #expect(fixture.decline(delivery) == nil)
    #expect(fixture.ends.map { $0.settlements.map(\.result) } == [[.declined, .declined]])
    #expect(fixture.ends.first?.settlements.last?.reason == "pendingDeliveriesPerScene")
  }
}
