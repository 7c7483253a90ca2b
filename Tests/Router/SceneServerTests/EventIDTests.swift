import RouterInterface
import TestSupport
import Testing
import Varlink

@Suite struct EventIDTests {
  private static var call: Wire.SendEventCall {
    var call = Wire.SendEventCall.url("test:one")
    call.eventID = "id"
    return call
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func duplicateGetsTheReplyOfTheFirst(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let first = try router.send(Self.call)
    let delivery = try scene.delivery()
    #expect(delivery.eventID == "id")
    let duplicate = try router.send(Self.call)
    let waiting = try router.connect()
    try waiting.send(Wire.AwaitEventCall(eventID: "id"))
    var decisionOnly = Self.call
    decisionOnly.waitFor = .decision
    #expect(try router.send(decisionOnly).decision().decisionID == delivery.decisionID)

    try router.call(scene.acknowledgement(of: delivery))
    let outcome = try first.outcome()
    #expect(try duplicate.outcome() == outcome)
    #expect(try waiting.outcome() == outcome)
    // The event has ended. The router still knows the outcome, and tells it to later calls.
    #expect(try router.send(Self.call).outcome() == outcome)
    #expect(try EventOutcome(router.call(Wire.AwaitEventCall(eventID: "id"))) == outcome)
    #expect(try router.send(decisionOnly).decision().decisionID == delivery.decisionID)
    #expect(try router.statistics().events == ["acknowledged": 1, "notRouted": 0])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func duplicateWithMoreIsToldEachStep(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let first = try router.open()
    let second = try router.open()
    func steps(_ client: WireClient) throws -> [Wire.SendEventCall.Reply] {
      let steps = try (1...4).map { _ in try client.reply(to: Wire.SendEventCall.self) }
      #expect(!client.continues)
      return steps
    }
    let sender = try router.send(Self.call, .more)
    try first.decline(first.delivery())
    let duplicate = try router.send(Self.call, .more)
    _ = try duplicate.decision()
    let settlement = try duplicate.settlement()
    #expect(settlement.result == .declined)
    try second.acknowledgeNext()
    let all = try steps(sender)
    #expect(all[1] == Wire.SendEventCall.Reply(settlement: settlement))
    #expect(try (0..<2).map { _ in try duplicate.reply(to: Wire.SendEventCall.self) } == Array(all[2...]))
    #expect(!duplicate.continues)
    #expect(try steps(router.send(Self.call, .more)) == all)
    let waiting = try router.connect()
    try waiting.send(Wire.AwaitEventCall(eventID: "id"), .more)
    #expect(try steps(waiting) == all)
  }

  /// So many calls wait for the end of the event that the router answers these calls in several steps.
  @Test(arguments: RouterUnderTest.Kind.allCases, [true, false])
  func everybodyWhoWaitsLearnsTheEnd(_ kind: RouterUnderTest.Kind, isStopped: Bool) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    _ = try router.send(Self.call)
    let delivery = try scene.delivery()
    let waiting = try (0..<200).map { _ in
      let client = try router.connect()
      try client.send(Wire.AwaitEventCall(eventID: "id"), .more)
      _ = try client.decision()
      return client
    }
    if isStopped { router.stop() } else { try router.call(scene.acknowledgement(of: delivery)) }
    for client in waiting {
      if isStopped {
        #expect(try client.settlement().result == .shutdown)
        guard case .serviceStopping = try client.failure() else { throw Overdue("It did not stop.") }
      } else {
        #expect(try client.settlement().result == .acknowledged)
      }
    }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases, [CallMode.plain, .more])
  func failureIsRememberedToo(_ kind: RouterUnderTest.Kind, _ mode: CallMode) throws {
    let router = try RouterUnderTest(kind)
    let failure = try router.failure(of: Self.call)
    guard case .notRouted = failure else { throw Overdue("Someone took the event.") }
    _ = try router.open()
    #expect(try router.connect().failure(of: Self.call, mode) == failure)
    #expect(try router.connect().failure(of: Wire.AwaitEventCall(eventID: "id"), mode) == failure)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func anotherEventMayNotHaveTheSameID(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let sender = try router.send(Self.call)
    let delivery = try scene.delivery()
    var other = Wire.SendEventCall.url("test:two")
    other.eventID = "id"
    #expect(try router.failure(of: other) == .invalidParameter("eventId"))
    try router.call(scene.acknowledgement(of: delivery))
    _ = try sender.outcome()
    #expect(try router.failure(of: other) == .invalidParameter("eventId"))
    // When an event is sent again, `sceneId`, `timeoutUSec` and the JSON spelling may differ from the first time.
    let again = #"""
      {"method":"io.scened.Router.SendEvent","parameters":{"event":{ "url":"test:\u006fne" },"eventId":"id",
      "sceneId":"nowhere-1","timeoutUSec":5}}
      """#
    try sender.send(again.replacing("nowhere-1", with: scene.id))
    #expect(try sender.outcome().settlement.deliveryID == delivery.deliveryID)
  }

  /// An event that is sent again gets the same reply as the first time, even if the second call names a scene that does
  /// not exist.
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func repeatedEventMayNameWhatThereIsNot(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let failure = try router.failure(of: Self.call)
    var again = Self.call
    again.sceneID = "impossible"
    again.applicationID = "nobody"
    #expect(try router.failure(of: again) == failure)
    again.eventID = "other"
    #expect(try router.failure(of: again) == .noSuchScene("impossible"))
  }

  /// For an ended event, the router keeps only the outcome, and the data that distinguish the event from other events.
  @Test func rememberedEventsTakeLittleMemory() throws {
    let router = try RouterUnderTest(.daemon)
    let information = Array(#"{"":"\#(String(repeating: "x", count: 60_000))"}"#.utf8)
    let client = try router.connect()
    func send(_ numbers: Range<Int>) throws {
      for number in numbers {
        let event = Event(
          activity: Activity(activityType: "t", userInfo: UserInfo(bytes: information))
        )
        try client.send(Wire.SendEventCall(event: event, eventID: "\(number)"))
        _ = try client.failure()
      }
    }
    try send(0..<10)
    let before = try router.residentSize
    try send(10..<510)
    #expect(try router.residentSize < before + 8 << 20)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func unknownEventIsNotWaitedFor(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let expected = Wire.RouterErrorReply.noSuchEvent("id")
    #expect(try router.failure(of: Wire.AwaitEventCall(eventID: "id")) == expected)
    // A refused event is not remembered.
    _ = try router.failure(of: Wire.SendEventCall(event: Event(.url("relative")), eventID: "id"))
    #expect(try router.failure(of: Wire.AwaitEventCall(eventID: "id")) == expected)
  }
}
