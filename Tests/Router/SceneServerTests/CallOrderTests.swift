import RouterInterface
import TestSupport
import Testing
import Varlink

@Suite struct CallOrderTests {
  private static let getInfo = #"{"method":"org.varlink.service.GetInfo"}"#

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func callThatWaitsHoldsUpTheRepliesOfLaterOnesOnly(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let client = try router.connect()
    try client.send(Wire.SendEventCall.url("test:one"))
    let delivery = try scene.delivery()
    try client.send(Wire.UpdateSceneCall(sceneHandle: scene.handle, title: "carried out"))
    try client.send(Wire.SendEventCall.url("test:two"))
    try client.send(Wire.ListScenesCall())
    // `test:two` arrives although `test:one` is not settled.
    let later = try scene.delivery()
    #expect(try router.call(Wire.ListScenesCall()).scenes.first?.context.title == "carried out")
    try router.call(scene.acknowledgement(of: later))
    _ = try router.statistics()
    #expect(!client.hasInput)
    try router.call(scene.acknowledgement(of: delivery))
    #expect(try client.outcome().settlement.deliveryID == delivery.deliveryID)
    _ = try client.reply(to: Wire.UpdateSceneCall.self)
    #expect(try client.outcome().settlement.deliveryID == later.deliveryID)
    // `ListScenes` was carried out before the first event was settled.
    #expect(try client.reply(to: Wire.ListScenesCall.self).scenes.first?.runtime.pendingDeliveries == 2)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func callsBehindAStreamWaitForItsEnd(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    for number in 0..<16 {
      try scene.client.send(Wire.ListScenesCall(sceneID: number == 0 ? nil : "\(number)"))
    }
    _ = try router.send("test:one")
    _ = try scene.acknowledgeNext()
    try scene.close()
    #expect(try scene.next() == .closed("requested"))
    for _ in 0..<16 { #expect(try scene.client.reply(to: Wire.ListScenesCall.self).scenes == []) }
    // A call that waits for the end of a stream can itself begin a stream.
    let second = try router.open()
    try second.client.send(Wire.MonitorCall(showDecisions: false), .more)
    try second.client.send(Wire.GetStatisticsCall())
    try second.close()
    #expect(try second.next() == .closed("requested"))
    guard case .snapshot = try second.client.reply(to: Wire.MonitorCall.self) else {
      throw Overdue("The monitor did not start.")
    }
    #expect(second.client.continues)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func tooManyCallsBehindAStreamEndTheConnection(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let bystander = try router.open()
    let pad = String(repeating: " ", count: 1 << 17)
    let table: [(name: String, calls: [String])] = [
      ("17 calls", [String](repeating: Self.getInfo, count: 17)),
      ("more than 256 KiB", [Self.getInfo + pad, Self.getInfo + pad]),
    ]
    for (name, calls) in table {
      let scene = try router.open(preferring: ["one"])
      let sender = try router.send("test:one")
      _ = try scene.delivery()
      for call in calls.dropLast() { try scene.client.send(call) }
      _ = try router.statistics()
      #expect(!scene.client.hasInput, "\(name)")
      try scene.client.send(calls[calls.count - 1])
      #expect(try scene.client.end() == [], "\(name)")
      // The scene ended with its connection.
      try bystander.acknowledgeNext()
      #expect(try sender.outcome().attempts.map(\.result) == [.sceneClosed, .acknowledged], "\(name)")
    }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func endOfInputEndsAStream(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let application = try router.declare()
    let monitor = try router.monitor()
    for client in [scene.client, application.client, monitor.client] { try client.leave() }
    let statistics = try router.statistics()
    #expect((statistics.scenes, statistics.applications, statistics.connections) == (0, 0, 1))
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func endOfInputLeavesPlainCallsTheirReplies(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let sender = try router.send("test:one")
    try sender.send(Wire.GetStatisticsCall())
    sender.endInput()
    try scene.acknowledgeNext()
    #expect(try sender.outcome().settlement.result == .acknowledged)
    #expect(try sender.reply(to: Wire.GetStatisticsCall.self).scenes == 1)
    #expect(try sender.end() == [])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func streamsHaveToBeAskedForWithMore(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let client = try router.connect()
    let context = SceneContext(applicationID: "app")
    for mode in [CallMode.plain, .oneway] {
      try client.send(Wire.OpenSceneCall(context: context), mode)
      try client.send(Wire.DeclareApplicationCall(applicationID: "app", scenes: []), mode)
      try client.send(Wire.MonitorCall(), mode)
      if mode == .plain { for _ in 0..<3 { #expect(try client.failure() == .expectedMore) } }
    }
    let statistics = try client.call(Wire.GetStatisticsCall())
    #expect((statistics.scenes, statistics.applications) == (0, 0))
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func onewayCallIsNeverAnswered(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let client = try router.connect()
    let calls = [
      "org.varlink.service.GetInfo", "org.varlink.service.GetNothing", "org.example.Nothing",
      "io.scened.Router.ListScenes", "io.scened.Router.SendEvent", "io.scened.Manager.Reload",
    ]
    for method in calls { try client.send(#"{"method":"\#(method)","oneway":true}"#) }
    try client.send(Wire.AwaitEventCall(eventID: "none"), .oneway)
    #expect(try client.call(Wire.GetStatisticsCall()).connections == 1)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func upgradeIsAlwaysRefused(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let client = try router.connect()
    let scene = try router.open()
    let methods = [
      "org.varlink.service.GetInfo", "io.scened.Router.ListScenes", "io.scened.Router.CloseScene",
    ]
    for method in methods {
      let failure = try client.failure(of: #"{"method":"\#(method)","upgrade":true}"#)
      #expect(failure == .methodNotImplemented(method))
    }
    try client.send(Wire.CloseSceneCall(sceneHandle: scene.handle), .upgrade)
    #expect(try client.failure() == .methodNotImplemented("io.scened.Router.CloseScene"))
    #expect(try client.call(Wire.GetStatisticsCall()).scenes == 1)
  }
}
