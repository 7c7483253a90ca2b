import RouterInterface
import TestSupport
import Testing
import Varlink

@Suite struct DeliveryTests {
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func sceneSeesAsManyDeliveriesAsItsCreditAllows(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open(credit: 2)
    let sender = try router.connect()
    for number in 1...4 { try sender.send(Wire.SendEventCall.url("test:\(number)")) }
    let first = try scene.delivery()
    let second = try scene.delivery()
    #expect([first, second].map(\.event.url) == ["test:1", "test:2"])
    // When the router answers the second call of `statistics()`, it has written all replies that the events cause.
    #expect(try router.statistics().pendingDeliveries == 4)
    _ = try router.statistics()
    #expect(!scene.client.hasInput)

    try router.call(scene.acknowledgement(of: second))
    #expect(try scene.delivery().event.url == "test:3")
    try scene.decline(first)
    #expect(try scene.delivery().event.url == "test:4")
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func creditIsSixteenUnlessTold(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let sender = try router.connect()
    for number in 1...17 { try sender.send(Wire.SendEventCall.url("test:\(number)")) }
    let deliveries = try (1...16).map { _ in try scene.delivery() }
    #expect(deliveries.map(\.event.url) == (1...16).map { "test:\($0)" })
    #expect(try router.statistics().pendingDeliveries == 17)
    _ = try router.statistics()
    #expect(!scene.client.hasInput)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func eventsComeInTheOrderInWhichTheyWereRouted(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open(credit: 3)
    let sender = try router.connect()
    for number in 1...100 { try sender.send(Wire.SendEventCall.url("test:\(number)")) }
    for number in 1...100 {
      #expect(try scene.acknowledgeNext().event.url == "test:\(number)")
      #expect(try sender.outcome().settlement.result == .acknowledged)
    }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func eventLeavesByteForByteAsItCame(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open(preferring: ["\u{E9}"])
    let event = #"""
      { "contentType":null,"activity" : {"userInfo":{"b":1.0,"a":[true,1e3,-0,"\u0041/\/"], "n":null},
      "title":"\ud83d\ude00","activityType":"org.example.view","targetContentIdentifier":"caf\u00e9"} }
      """#
    try router.connect().send(#"{"method":"io.scened.Router.SendEvent","parameters":{"event":\#(event)}}"#)
    let delivery = try scene.client.text()
    #expect(delivery.contains("\"event\":\(event),"))
    #expect(delivery.contains(#""registrationIds":["view"]"#))
    #expect(!delivery.contains("\"activationToken\""))
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func sceneIsToldTokenAndTime(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    var call = Wire.SendEventCall.url("test:one")
    call.activationToken = "token"
    call.timeoutUSec = 3_600_000_000
    let sender = try router.send(call)
    let delivery = try scene.acknowledgeNext()
    #expect(delivery.activationToken == "token")
    #expect(delivery.timeoutUSec <= 3_600_000_000 && delivery.timeoutUSec > 3_500_000_000)
    let outcome = try sender.outcome()
    #expect(outcome.decision.decisionID == delivery.decisionID)
    let settlement = Settlement(
      decisionID: delivery.decisionID,
      deliveryID: delivery.deliveryID,
      sceneID: scene.id,
      result: .acknowledged
    )
    #expect(outcome.settlement == settlement)
    #expect(outcome.attempts == [settlement])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func deliveryIsWithdrawnWhenItsTimeRunsOut(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let first = try router.open(credit: 1)
    let second = try router.open()
    var call = Wire.SendEventCall.url("test:one")
    call.timeoutUSec = 100_000
    let sender = try router.send(call, .more)
    let delivery = try first.delivery()
    #expect(
      try first.next() == .withdrawn(Withdrawal(deliveryID: delivery.deliveryID, reason: .timeout))
    )
    #expect(try sender.decision().sceneID == first.id)
    #expect(try sender.settlement().result == .timeout)
    #expect(try sender.decision().sceneID == second.id)
    #expect(try second.acknowledgeNext().decisionID == delivery.decisionID)
    #expect(try sender.settlement().result == .acknowledged)
    #expect(
      try router.failure(of: first.acknowledgement(of: delivery))
        == .noSuchDelivery(deliveryID: delivery.deliveryID, result: "timeout")
    )
    // The delivery that timed out no longer uses up the scene's credit, so the scene gets the next event.
    _ = try router.send("test:two")
    #expect(try first.delivery().event.url == "test:two")
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func waitingForCreditTakesOfTheTime(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open(credit: 1)
    _ = try router.send("test:one")
    let shown = try scene.delivery()
    var call = Wire.SendEventCall.url("test:two")
    call.timeoutUSec = 1
    guard case .timedOut(_, let settlement, let attempts) = try router.send(call).failure() else {
      throw Overdue("The event did not time out.")
    }
    #expect(settlement.result == .timeout)
    #expect(attempts == [settlement])
    // The scene never saw `test:two`, so nothing is withdrawn. The next message to the scene delivers `test:three`.
    _ = try router.send("test:three")
    try router.call(scene.acknowledgement(of: shown))
    #expect(try scene.delivery().event.url == "test:three")
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func settlingAgainTellsHowItEnded(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let other = try router.open(allowing: [])
    func refusal(_ delivery: String, of scene: OpenedScene) throws -> [Wire.RouterErrorReply] {
      [
        try router.failure(of: Wire.AcknowledgeDeliveryCall(sceneHandle: scene.handle, deliveryID: delivery)),
        try router.failure(of: Wire.DeclineDeliveryCall(sceneHandle: scene.handle, deliveryID: delivery)),
      ]
    }
    func expected(_ delivery: String, _ result: String?) -> [Wire.RouterErrorReply] {
      let error = Wire.RouterErrorReply.noSuchDelivery(deliveryID: delivery, result: result)
      return [error, error]
    }
    _ = try router.send("test:one")
    let acknowledged = try scene.acknowledgeNext().deliveryID
    #expect(try refusal(acknowledged, of: scene) == expected(acknowledged, "acknowledged"))
    _ = try router.send("test:two")
    let declined = try scene.delivery()
    try scene.decline(declined)
    #expect(try refusal(declined.deliveryID, of: scene) == expected(declined.deliveryID, "declined"))
    // A scene does not learn the result of another scene's delivery.
    #expect(try refusal(acknowledged, of: other) == expected(acknowledged, nil))
    _ = try router.send("test:three")
    let shown = try scene.delivery()
    #expect(try refusal(shown.deliveryID, of: other) == expected(shown.deliveryID, nil))
    #expect(try refusal("nonsense", of: scene) == expected("nonsense", nil))
    try router.call(scene.acknowledgement(of: shown))
  }
}
