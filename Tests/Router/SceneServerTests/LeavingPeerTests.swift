import Glibc
import RouterInterface
import TestSupport
import Testing
import Varlink

@Suite struct LeavingPeerTests {
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func senderThatLeavesTakesNothingBack(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let first = try router.open()
    let second = try router.open()
    for mode in [CallMode.plain, .more] {
      var call = Wire.SendEventCall.url("test:one")
      call.eventID = "\(mode)"
      do { _ = try router.send(call, mode) }
      try first.decline(first.delivery())
      try second.acknowledgeNext()
      let outcome = try EventOutcome(router.call(Wire.AwaitEventCall(eventID: "\(mode)")))
      #expect(outcome.attempts.map(\.result) == [.declined, .acknowledged])
    }
  }

  /// Each scene has 256 registrations, so that the removal of a scene takes time.
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func scenesOfPeersThatLeaveTogetherAreClosed(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let monitor = try router.monitor(showDecisions: false)
    let registrations = (0..<256).map {
      Registration(id: "\($0)", preferring: [], allowing: [])
    }
    let context = SceneContext(applicationID: "app", registrations: registrations)
    do {
      let scenes = try (0..<30).map { _ in
        try OpenedScene(Wire.OpenSceneCall(context: context), router)
      }
      #expect(try router.call(Wire.ListScenesCall(sceneID: scenes[29].id)).scenes.count == 1)
    }
    for _ in 0..<30 {
      _ = try monitor.next { if case .sceneClosed = $0 { true } else { false } }
    }
    #expect(try router.call(Wire.ListScenesCall()).scenes == [])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func deliveriesOfASceneThatLeavesGoOn(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let first = try router.open(credit: 2)
    let second = try router.open()
    let sender = try router.connect()
    for number in 1...4 { try sender.send(Wire.SendEventCall.url("test:\(number)")) }
    _ = try first.delivery()
    try first.client.leave()
    for number in 1...4 {
      #expect(try second.acknowledgeNext().event.url == "test:\(number)")
      #expect(try sender.outcome().attempts.map(\.result) == [.sceneClosed, .acknowledged])
    }
  }

  /// After 600 scenes have left, an event goes to the only scene that is still there.
  ///
  /// If `daemonIsStopped`, a signal suspends the daemon until all 600 connections have ended. Otherwise the daemon runs
  /// on, and notices one ended connection after another. The scene that has the event then leaves last, because the
  /// event could go to a scene that is about to leave.
  @Test(arguments: [true, false])
  func eventPassesOverAllScenesThatAreGone(_ daemonIsStopped: Bool) throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    let daemon = try SpawnedProgram("scened", ["--socket", path])
    try daemon.errorLine(containing: "Ready.")
    let view = Registration(id: "view", preferring: [], allowing: ["*"])
    let call = Wire.OpenSceneCall(context: SceneContext(applicationID: "app", registrations: [view]))
    var dying = try (0..<600).map { _ in
      let client = try WireClient(path: path)
      try client.call(call, .more)
      return client
    }
    let bystander = try WireClient(path: path)
    guard case .opened(let opened) = try bystander.call(call, .more) else { throw Overdue("No scene.") }
    let sender = try WireClient(path: path)
    try sender.send(Wire.SendEventCall.url("test:one"))
    guard case .delivery = try dying[0].reply(to: Wire.OpenSceneCall.self) else {
      throw Overdue("No delivery.")
    }
    if daemonIsStopped {
      daemon.freeze()
      dying = []
      daemon.send(signal: SIGCONT)
    } else {
      while dying.popLast() != nil {}
    }
    guard case .delivery(let delivery) = try bystander.reply(to: Wire.OpenSceneCall.self) else {
      throw Overdue("The event went to none that is there.")
    }
    try WireClient(path: path).call(
      Wire.AcknowledgeDeliveryCall(sceneHandle: opened.sceneHandle, deliveryID: delivery.deliveryID)
    )
    #expect(try sender.outcome().attempts.map(\.result) == [.sceneClosed, .acknowledged])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func eventOfTheLastSceneThatLeavesIsDeclined(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let sender = try router.send("test:one")
    _ = try scene.delivery()
    try scene.client.leave()
    guard case .declined(_, let settlement, let attempts) = try sender.failure() else {
      throw Overdue("It was taken.")
    }
    #expect(settlement.result == .sceneClosed)
    #expect(attempts == [settlement])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func halfAMessageIsNoCall(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let client = try router.connect()
    let call = Array(
      #"{"method":"io.scened.Router.SendEvent","parameters":{"event":{"url":"test:one"}}}"#.utf8
    )
    try client.send(call)
    let sender = try router.send("test:two")
    #expect(try scene.acknowledgeNext().event.url == "test:two")
    _ = try sender.outcome()
    client.endInput()
    #expect(try client.end() == [])
    #expect(try router.statistics().events["acknowledged"] == 1)
    #expect(try router.statistics().pendingDeliveries == 0)
  }

  /// The events of this test end in six different ways.
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func everyEventHasExactlyOneEnd(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let monitor = try router.monitor(showRegistry: false)
    let scene = try router.open("scenes", preferring: ["scene"], allowing: [])
    let application = try router.declare(
      "kinds",
      [SceneDeclaration(id: "d", matching: ["kind"])]
    )
    let rounds: Int64 = 5
    for round in 0..<rounds {
      let sender = try router.connect()
      for url in ["test:none", "test:scene1", "test:scene2", "test:scene3", "test:kind"] {
        var call = Wire.SendEventCall.url(url + "?\(round)")
        if url == "test:scene3" { call.timeoutUSec = 1 }
        try sender.send(call)
      }
      let deliveries = try (0..<3).map { _ in try scene.delivery() }
      try router.call(scene.acknowledgement(of: deliveries[0]))
      try scene.decline(deliveries[1])
      guard case .withdrawn = try scene.next() else { throw Overdue("The delivery was not withdrawn.") }
      try application.decline(application.request())
    }
    let closing = try router.open("scenes", preferring: ["closing"], allowing: [])
    let sender = try router.send("test:closing")
    _ = try closing.delivery()
    try closing.close()
    guard case .declined = try sender.failure() else { throw Overdue("It was taken.") }

    let statistics = try router.statistics()
    let ends = [
      "acknowledged": rounds, "declined": rounds, "timeout": rounds, "launchFailed": rounds,
      "sceneClosed": 1, "notRouted": rounds,
    ]
    #expect(statistics.events == ends)
    #expect(statistics.pendingDeliveries == 0)
    router.stop()
    var decisions: [String] = []
    var settlements: [String] = []
    while monitor.client.continues {
      switch try monitor.next() {
      case .decision(let routed) where routed.decision.target != .nothing:
        decisions.append(routed.decision.decisionID)
      case .settlement(let settlement): settlements.append(settlement.decisionID)
      default: break
      }
    }
    #expect(Int64(decisions.count) == 4 * rounds + 1)
    #expect(decisions.sorted() == settlements.sorted())
    #expect(Set(decisions).count == decisions.count)
  }
}
