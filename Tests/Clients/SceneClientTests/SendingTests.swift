import SceneClient
import ScriptedService
import Testing
import Varlink

@Suite(.timeLimit(.minutes(20)))
struct SendingTests {
  private static let report =
    #"{"decision":\#(Sample.decision),"settlement":\#(Sample.acknowledged),"#
    + #""attempts":[\#(Sample.declined),\#(Sample.acknowledged)]}"#
  private static let failure =
    #"{"decision":\#(Sample.decision),"settlement":\#(Sample.declined),"#
    + #""attempts":[\#(Sample.declined)]}"#

  @Test func optionsAndScopeAreSent() async throws {
    try await withRouter { listener, _ in
      let events = try listener.accept()
      try events.expect("Router.SendEvent", #"{"event":{"url":"x:1"}}"#)
      try events.reply(Self.report)
      try events.expect(
        "Router.SendEvent",
        #"{"event":{"url":"x:2"},"applicationId":"a","sceneId":"s","originSceneId":"o","allowNewScene":false,"#
          + #""eventId":"e","activationToken":"t","timeoutUSec":1500001}"#
      )
      try events.reply(Self.report)
    } _: { router in
      _ = try await router.send(Event(url: "x:1"))
      let scope = RoutingScope(applicationID: "a", sceneID: "s", originSceneID: "o", allowsNewScene: false)
      let options = SendOptions(
        eventID: "e",
        activationToken: "t",
        timeout: .milliseconds(1500) + .nanoseconds(1)
      )
      _ = try await router.send(Event(url: "x:2"), to: scope, options: options)
    }
  }

  @Test func takenEventTellsEveryAttempt() async throws {
    try await withRouter { listener, _ in
      let events = try listener.accept()
      _ = try events.nextCall()
      try events.reply(Self.report)
    } _: { router in
      let outcome = try await router.send(Event(url: "x:1"))
      guard case .taken(let report) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(report.decision.rule == .preferring)
      #expect(report.decision.target == .scene)
      #expect(report.decision.generation == 7)
      #expect(report.settlement.result == .acknowledged)
      #expect(report.attempts.map(\.reason) == ["busy", nil])
      #expect(outcome.attempts == report.attempts)
      #expect(report.json == Self.report)
      #expect(outcome.description == "The event was taken by the scene 's2'.")
    }
  }

  @Test(arguments: [
    ("NotRouted", #"{"decision":\#(Sample.decision)}"#, "No rule found a target for the event."),
    ("Declined", failure, "The event was declined: busy."),
    ("TimedOut", failure, "The event was not taken in time: busy."),
    ("LaunchFailed", failure, "No scene was opened for the event: busy."),
    ("ServiceStopping", "{}", "The router is stopping; the outcome of the event is not known."),
  ])
  func failureOfAnEventIsAnOutcome(error: String, parameters: String, description: String) async throws {
    try await withRouter { listener, _ in
      let events = try listener.accept()
      for _ in 0..<2 {
        _ = try events.nextCall()
        try events.fail(error, parameters)
      }
    } _: { router in
      let outcome = try await router.send(Event(url: "x:1"))
      #expect(outcome.description == description)
      #expect(!outcome.isTaken)
      #expect(try await router.awaitEvent("e") == outcome)
    }
  }

  @Test func refusedEventIsAnError() async throws {
    try await withRouter { listener, _ in
      let events = try listener.accept()
      _ = try events.nextCall()
      try events.send(
        #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"event.url"}}"#
      )
    } _: { router in
      let error = await #expect(throws: RouterError.self) { _ = try await router.send(Event(url: "x")) }
      #expect(error?.code == .invalidParameter(path: "event.url"))
      #expect(error?.description == "The service does not accept the parameter 'event.url'.")
    }
  }

  @Test func eventsUnderWayHoldUpNoOtherCall() async throws {
    let isUnderWay = Signal()
    try await withRouter { listener, ordinary in
      let first = try listener.accept()
      _ = try first.nextCall()
      isUnderWay.fire()
      let second = try listener.accept()
      _ = try second.nextCall()
      try second.fail("NoSuchEvent", #"{"eventId":"e"}"#)
      try ordinary.expect("Router.ExplainEvent", #"{"event":{"url":"x:2"},"maxTraceSteps":3}"#)
      try ordinary.reply(#"{"decision":\#(Sample.decision)}"#)
      try first.reply(Self.report)
      // The event `x:1` has ended, so the client sends the event `x:3` over the same connection.
      _ = try first.nextCall()
      try first.reply(Self.report)
    } _: { router in
      let send = Task { try await router.send(Event(url: "x:1")) }
      await isUnderWay.wait()
      let error = await #expect(throws: RouterError.self) { _ = try await router.awaitEvent("e") }
      #expect(error?.code == .noSuchEvent(id: "e"))
      let decision = try await router.explain(Event(url: "x:2"), maxTraceSteps: 3)
      #expect(decision.sceneID == "s1")
      #expect(try await send.value.isTaken)
      #expect(try await router.send(Event(url: "x:3")).isTaken)
    }
  }

  @Test func socketThatTheRouterHasClosedIsNotUsedAgain() async throws {
    let isClosed = Signal()
    try await withRouter { listener, _ in
      let first = try listener.accept()
      _ = try first.nextCall()
      try first.reply(Self.report)
      first.endOutput()
      try first.expectEnd()
      isClosed.fire()
      let second = try listener.accept()
      _ = try second.nextCall()
      try second.reply(Self.report)
    } _: { router in
      for url in ["x:1", "x:2"] {
        let outcome = try await router.send(Event(url: url))
        #expect(outcome.isTaken)
        await isClosed.wait()
      }
    }
  }

  @Test func routeReturnsTheFirstDecision() async throws {
    try await withRouter { listener, _ in
      let events = try listener.accept()
      try events.expect("Router.SendEvent", #"{"event":{"url":"x:1"},"waitFor":"decision"}"#)
      try events.reply(#"{"decision":\#(Sample.decision)}"#)
      _ = try events.nextCall()
      try events.fail("NotRouted", #"{"decision":{"decisionId":"d2","generation":7,"target":"none"}}"#)
    } _: { router in
      #expect(try await router.route(Event(url: "x:1")).target == .scene)
      let decision = try await router.route(Event(url: "x:2"))
      #expect(decision.target == .nothing)
      #expect(decision.rule == nil)
    }
  }

  @Test func updatesEndWithTheOutcome() async throws {
    try await withRouter { listener, _ in
      let events = try listener.accept()
      #expect(try events.nextCall().mode == .more)
      try events.reply(#"{"decision":\#(Sample.decision)}"#, continues: true)
      try events.reply(#"{"settlement":\#(Sample.declined)}"#, continues: true)
      try events.reply(#"{"somethingNew":1}"#, continues: true)
      try events.reply(#"{"decision":\#(Sample.decision)}"#, continues: true)
      try events.reply(#"{"settlement":\#(Sample.acknowledged)}"#)
    } _: { router in
      var progress: [EventProgress] = []
      for try await step in try await router.sendUpdates(Event(url: "x:1")) { progress.append(step) }
      #expect(progress.count == 5)
      guard case .ended(.taken(let report))? = progress.last else {
        Issue.record("\(progress)")
        return
      }
      #expect(report.json == Self.report)
    }
  }

  @Test func updatesOfAnEventThatNobodyTakesEndWithTheOutcomeToo() async throws {
    try await withRouter { listener, _ in
      let events = try listener.accept()
      _ = try events.nextCall()
      try events.reply(#"{"decision":\#(Sample.decision)}"#, continues: true)
      try events.reply(#"{"settlement":\#(Sample.declined)}"#, continues: true)
      try events.fail("Declined", Self.failure)
    } _: { router in
      var progress: [EventProgress] = []
      for try await step in try await router.sendUpdates(Event(url: "x:1")) { progress.append(step) }
      #expect(progress.count == 3)
      guard case .ended(.declined(let report))? = progress.last else {
        Issue.record("\(progress)")
        return
      }
      #expect(report.attempts.count == 1)
    }
  }

  @Test func outcomeIsUnknownIfTheConnectionIsLost() async throws {
    try await withRouter { listener, _ in
      let events = try listener.accept()
      _ = try events.nextCall()
      events.close()
    } _: { router in
      let error = await #expect(throws: RouterError.self) { _ = try await router.send(Event(url: "x:1")) }
      #expect(error?.code == .outcomeUnknown)
      #expect(
        error?.description == "The connection to the router has ended. The service closed the connection. "
          + "The outcome of the event is not known."
      )
    }
  }
}
