import RouterInterface
import TestSupport
import Testing
import Varlink

@Suite struct SendEventTests {
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func withMoreEachStepIsReplied(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let first = try router.open(preferring: ["one"])
    let second = try router.open()
    let sender = try router.send(.url("test:one"), .more)
    let decision = try sender.decision()
    #expect((decision.rule, decision.sceneID, decision.target) == (.preferring, first.id, .scene))
    #expect(sender.continues)
    let delivery = try first.delivery()
    try first.decline(delivery, reason: "busy")
    let declined = try sender.settlement()
    #expect(sender.continues)
    #expect((declined.result, declined.reason) == (.declined, "busy"))
    #expect(declined.deliveryID == delivery.deliveryID)
    let next = try sender.decision()
    #expect((next.decisionID, next.rule, next.sceneID) == (decision.decisionID, .allowing, second.id))
    try second.acknowledgeNext()
    let taken = try sender.settlement()
    #expect(!sender.continues)
    #expect((taken.result, taken.sceneID) == (.acknowledged, second.id))
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func failingSettlementComesBeforeTheError(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let sender = try router.send(.url("test:one"), .more)
    try scene.decline(scene.delivery())
    let decision = try sender.decision()
    let settlement = try sender.settlement()
    #expect(sender.continues)
    #expect(
      try sender.failure()
        == .declined(decision: decision, settlement: settlement, attempts: [settlement])
    )
    #expect(!sender.continues)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func withoutMoreEveryAttemptIsToldAtTheEnd(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let first = try router.open()
    let second = try router.open()
    let third = try router.open()
    let sender = try router.send("test:one")
    try first.decline(first.delivery(), reason: "busy")
    _ = try second.delivery()
    try second.close()
    try third.acknowledgeNext()
    let outcome = try sender.outcome()
    #expect(outcome.attempts.map(\.result) == [.declined, .sceneClosed, .acknowledged])
    #expect(outcome.attempts.map(\.sceneID) == [first.id, second.id, third.id])
    #expect(outcome.settlement == outcome.attempts.last)
    #expect(outcome.decision.sceneID == third.id)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases, [CallMode.plain, .more])
  func waitingForTheDecisionWaitsForNobodyElse(_ kind: RouterUnderTest.Kind, _ mode: CallMode) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    var call = Wire.SendEventCall.url("test:one")
    call.waitFor = .decision
    let sender = try router.send(call, mode)
    #expect(try sender.decision().sceneID == scene.id)
    #expect(!sender.continues)
    try scene.acknowledgeNext()
    // The connection is free for the next call, and gets no further reply to the first call.
    #expect(try sender.call(Wire.GetStatisticsCall()).events["acknowledged"] == 1)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases, [CallMode.plain, .more])
  func eventWithoutTargetEndsAtOnce(_ kind: RouterUnderTest.Kind, _ mode: CallMode) throws {
    let router = try RouterUnderTest(kind)
    for waitFor in [nil, Wire.SendEventCall.WaitFor.decision, .settlement] {
      var call = Wire.SendEventCall.url("test:one")
      call.waitFor = waitFor
      guard case .notRouted(let decision) = try router.send(call, mode).failure() else {
        throw Overdue("The event was routed.")
      }
      #expect((decision.target, decision.rule) == (.nothing, nil))
    }
    #expect(try router.statistics().events["notRouted"] == 3)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func onewayEventIsRoutedAndNotAnswered(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let sender = try router.send(.url("test:one"), .oneway)
    try scene.acknowledgeNext()
    #expect(try sender.call(Wire.GetStatisticsCall()).events["acknowledged"] == 1)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func constraintsAreThoseOfTheContract(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let quiet = try router.open("quiet", allowing: [])
    let eager = try router.open("eager")
    var call = Wire.SendEventCall.url("test:one")
    call.sceneID = quiet.id
    let explicit = try router.send(call)
    try quiet.acknowledgeNext()
    #expect(try explicit.outcome().decision.rule == .explicit)

    call = .url("test:one")
    call.originSceneID = eager.id
    guard case .notRouted = try router.failure(of: call) else { throw Overdue("The origin got it back.") }

    call = .url("test:one")
    call.sceneID = "s0000-1"
    #expect(try router.failure(of: call) == .noSuchScene("s0000-1"))
    call.sceneID = nil
    call.applicationID = "nobody"
    #expect(
      try router.failure(of: call) == .noSuchApplication("nobody")
    )
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func timeIsBetweenAMicrosecondAndAnHour(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    var call = Wire.SendEventCall.url("test:one")
    for time in [0, 3_600_000_001, Int64.max, -1] {
      call.timeoutUSec = time
      #expect(try router.failure(of: call) == .invalidParameter("timeoutUSec"), "\(time)")
    }
    for time in [1, 3_600_000_000] as [Int64] {
      call.timeoutUSec = time
      guard case .notRouted = try router.failure(of: call) else { throw Overdue("\(time) is no time.") }
    }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func explanationTellsAsManyStepsAsAskedFor(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scenes = try (0..<3).map { number in try router.open(preferring: ["\(number)"]) }
    func explain(_ steps: Int64?) throws -> RouteDecision {
      let call = Wire.ExplainEventCall(event: Event(.url("test:2")), maxTraceSteps: steps)
      return try router.call(call).decision
    }
    let decision = try explain(nil)
    #expect(decision.sceneID == scenes[2].id)
    #expect(decision.statedTrace?.map(\.sceneID) == scenes.map(\.id))
    #expect(decision.statedTrace?.map(\.matched) == [false, false, true])
    #expect(decision.traceOmitted == 0)
    // If the trace is cut off, the router does not count the omitted steps, and `traceOmitted` is nil.
    #expect(try (explain(3).statedTrace?.count, explain(3).traceOmitted) == (3, 0))
    #expect(try (explain(2).statedTrace?.count, explain(2).traceOmitted) == (2, nil))
    #expect(try (explain(0).statedTrace, explain(0).traceOmitted) == ([], nil))
    for scene in scenes { try scene.close() }
    #expect(try (explain(3).statedTrace, explain(3).traceOmitted) == ([], 0))
    #expect(try router.statistics().pendingDeliveries == 0)
  }
}
