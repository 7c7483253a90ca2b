import RouterInterface
import SceneRouting
import TestSupport
import Testing
import Varlink

@Suite struct LimitTests {
  private static func expected(_ limit: String, _ maximum: Int) -> Wire.RouterErrorReply {
    .limitExceeded(limit: limit, maximum: Int64(maximum))
  }

  private static func text(_ length: Int) -> String { String(repeating: "x", count: length) }

  @Test func numberOfRegistrationsIsLimited() throws {
    let router = try RouterUnderTest { $0.registrationsPerScene = 2 }
    let expected = Self.expected("registrationsPerScene", 2)
    func registration(_ number: Int) -> Registration {
      Registration(id: "\(number)", preferring: [], allowing: [])
    }
    let context = SceneContext(applicationID: "app", registrations: (1...3).map(registration))
    #expect(try router.connect().failure(of: Wire.OpenSceneCall(context: context), .more) == expected)
    let scene = try router.open()
    func set(_ number: Int) -> Wire.SetRegistrationCall {
      Wire.SetRegistrationCall(sceneHandle: scene.handle, registration: registration(number))
    }
    try router.call(set(2))
    #expect(try router.failure(of: set(3)) == expected)
    try router.call(set(2))
    try router.call(Wire.RemoveRegistrationCall(sceneHandle: scene.handle, registrationID: "view"))
    try router.call(set(3))
  }

  @Test func numberOfDeclarationsIsLimited() throws {
    let router = try RouterUnderTest { $0.declarationsPerApplication = 2 }
    func call(_ count: Int) -> Wire.DeclareApplicationCall {
      let scenes = (0..<count).map { SceneDeclaration(id: "\($0)") }
      return Wire.DeclareApplicationCall(applicationID: "app", scenes: scenes)
    }
    let expected = Self.expected("declarationsPerApplication", 2)
    #expect(try router.connect().failure(of: call(3), .more) == expected)
    _ = try DeclaredApplication(call(2), router)
  }

  @Test func numberOfTypesAndClaimsIsLimited() throws {
    let router = try RouterUnderTest {
      $0.supportedTypesPerApplication = 2
      $0.claimsPerApplication = 1
    }
    func call(types: [String] = [], schemes: [String] = []) -> Wire.DeclareApplicationCall {
      let scene = SceneDeclaration(id: "d", kind: .documentGroup, supportedTypes: types)
      return Wire.DeclareApplicationCall(
        applicationID: "app",
        scenes: [scene],
        claims: Claims(schemes: schemes)
      )
    }
    let client = try router.connect()
    let expected = Self.expected("supportedTypesPerApplication", 2)
    #expect(try client.failure(of: call(types: ["a", "b", "c"]), .more) == expected)
    #expect(
      try client.failure(of: call(schemes: ["a", "b"]), .more) == Self.expected("claimsPerApplication", 1)
    )
    _ = try DeclaredApplication(call(types: ["a", "b"], schemes: ["a"]), router)
  }

  @Test func numberOfScenesIsLimited() throws {
    let router = try RouterUnderTest { $0.scenesPerUser = 2 }
    let scenes = try (0..<2).map { _ in try router.open() }
    let call = Wire.OpenSceneCall(context: SceneContext(applicationID: "app"))
    let client = try router.connect()
    #expect(try client.failure(of: call, .more) == Self.expected("scenesPerUser", 2))
    try scenes[0].close()
    guard case .opened = try client.call(call, .more) else { throw Overdue("It was not opened.") }
  }

  @Test func numberOfIdentifiersIsLimited() throws {
    let router = try RouterUnderTest { $0.identifiersPerUser = 4 }
    let expected = Self.expected("identifiersPerUser", 4)
    let scene = try router.open(preferring: ["a", "b"], allowing: ["c"])
    func set(_ identifiers: [String]) -> Wire.SetRegistrationCall {
      Wire.SetRegistrationCall(
        sceneHandle: scene.handle,
        registration: Registration(id: "more", preferring: [], allowing: identifiers)
      )
    }
    #expect(try router.failure(of: set(["d", "e"])) == expected)
    try router.call(set(["d"]))
    let context = SceneContext(
      applicationID: "app",
      registrations: [Registration(id: "r", preferring: ["a"], allowing: [])]
    )
    let client = try router.connect()
    #expect(try client.failure(of: Wire.OpenSceneCall(context: context), .more) == expected)
    let kinds = [SceneDeclaration(id: "d", matching: ["a"])]
    let declaration = Wire.DeclareApplicationCall(applicationID: "app", scenes: kinds)
    #expect(try client.failure(of: declaration, .more) == expected)
    try scene.close()
    guard case .declared = try client.call(declaration, .more) else { throw Overdue("It was not declared.") }
  }

  @Test func bytesHeldAreLimited() throws {
    let router = try RouterUnderTest { $0.bytesPerUser = 11_500 }
    let expected = Self.expected("bytesPerUser", 11_500)
    let scene = try router.open(allowing: ["*", Self.text(3000), Self.text(3000)], credit: 1)
    let context = SceneContext(
      applicationID: "app",
      registrations: [
        Registration(id: "r", preferring: [Self.text(2500), Self.text(2500)], allowing: [])
      ]
    )
    #expect(try router.connect().failure(of: Wire.OpenSceneCall(context: context), .more) == expected)
    let call = Wire.SendEventCall.url("test:" + Self.text(1500))
    let sender = try router.send(call)
    let delivery = try scene.delivery()
    #expect(try router.failure(of: call) == expected)
    try router.call(scene.acknowledgement(of: delivery))
    _ = try sender.outcome()
    _ = try router.send(call)
    _ = try scene.delivery()
  }

  /// An open monitor counts against the quota as `pendingBytesPerMonitor` bytes, even if no bytes wait to be sent.
  @Test func bytesOfAMonitorAreLimited() throws {
    let router = try RouterUnderTest {
      $0.bytesPerUser = 15_000
      $0.pendingBytesPerMonitor = 10_000
    }
    let monitor = try router.monitor()
    let client = try router.connect()
    #expect(try client.failure(of: Wire.MonitorCall(), .more) == Self.expected("bytesPerUser", 15_000))
    try monitor.client.leave()
    guard case .snapshot = try client.call(Wire.MonitorCall(), .more) else {
      throw Overdue("It was not started.")
    }
  }

  /// Each call that waits for another client's event counts against the quota of its user.
  @Test func bytesOfWaitingCallsAreLimited() throws {
    let router = try RouterUnderTest { $0.bytesPerUser = 10_000 }
    let scene = try router.open()
    // The second round shows that the calls of the first round no longer count against the quota.
    for id in ["one", "two"] {
      let sender = try router.send(Wire.SendEventCall(event: Event(.url("test:one")), eventID: id))
      try WireClient.waitForInput([sender, scene.client])
      try #require(!sender.hasInput, "The event was refused.")
      let delivery = try scene.delivery()
      var waiting: [WireClient] = []
      var refusal: Wire.RouterErrorReply?
      while refusal == nil, waiting.count < 1000 {
        let client = try router.connect()
        try client.send(Wire.AwaitEventCall(eventID: id), .more)
        do {
          _ = try client.decision()
          waiting.append(client)
        } catch let error as Wire.RouterErrorReply {
          refusal = error
        }
      }
      #expect(refusal == Self.expected("bytesPerUser", 10_000))
      #expect(waiting.count > 50)
      try router.call(scene.acknowledgement(of: delivery))
      _ = try sender.outcome()
      for client in waiting { #expect(try client.settlement().result == .acknowledged) }
    }
  }

  @Test func deliveriesThatWaitAreLimited() throws {
    let router = try RouterUnderTest { $0.pendingDeliveriesPerScene = 2 }
    let scene = try router.open(credit: 1)
    let sender = try router.connect()
    for number in 1...3 { try sender.send(Wire.SendEventCall.url("test:\(number)")) }
    try sender.send(Wire.SendEventCall.url("test:4"))
    for number in 1...3 { #expect(try scene.acknowledgeNext().event.url == "test:\(number)") }
    for _ in 1...3 { _ = try sender.outcome() }
    guard case .declined(_, let settlement, _) = try sender.failure() else { throw Overdue("It was taken.") }
    #expect(settlement.reason == "pendingDeliveriesPerScene")
    #expect(settlement.sceneID == scene.id)
  }

  /// The largest possible scene and application are listed and shown to monitors, each in one reply.
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func largestSceneAndApplicationAreListed(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    // In JSON, each quotation mark takes two bytes.
    func text(_ number: Int, _ length: Int) -> String {
      String("\(number) " + String(repeating: "\"", count: 4096)).prefix(length).description
    }
    var (registrations, scenes): ([Registration], [SceneDeclaration]) = ([], [])
    var added = true
    let scene = try OpenedScene(Wire.OpenSceneCall(context: SceneContext(applicationID: "app")), router)
    for length in [4096, 256, 16, 1] {
      added = true
      while added, registrations.count < 256 {
        let number = registrations.count
        let view = Registration(
          id: "\(number)",
          preferring: [text(number, length)],
          allowing: []
        )
        do {
          try router.call(Wire.SetRegistrationCall(sceneHandle: scene.handle, registration: view))
          registrations.append(view)
        } catch let error as Wire.RouterErrorReply {
          #expect(error == Self.expected("sceneSize", 262_144))
          added = false
        }
      }
    }
    #expect(!added)
    for number in 0..<31 {
      scenes.append(.windowGroup("\(number)", matching: [text(number, 4096)]))
    }
    let tooLarge = Wire.DeclareApplicationCall(
      applicationID: "app",
      scenes: scenes + [.windowGroup("more", matching: [text(0, 3200)])]
    )
    #expect(try router.connect().failure(of: tooLarge, .more) == Self.expected("applicationSize", 262_144))
    let application = try router.declare("app", scenes)

    try router.calls().send(Wire.ListScenesCall())
    let list = try router.calls().message()
    #expect((250_000...262_144 + 64).contains(list.count), "\(list.count)")
    #expect(try router.call(Wire.ListScenesCall()).scenes.first?.context.registrations == registrations)
    #expect(
      try router.call(Wire.ListApplicationsCall()).applications.first?.scenes.map(\.matching)
        == scenes.map(\.matching)
    )
    let monitor = try router.monitor()
    #expect(monitor.snapshot.scenes.first?.context.registrations == registrations)
    try router.call(Wire.UpdateSceneCall(sceneHandle: scene.handle, isActive: true))
    guard case .sceneChanged(let changed) = try monitor.next() else { throw Overdue("Nothing changed.") }
    #expect(changed.context.registrations == registrations)
    withExtendedLifetime(application) {}
  }

  @Test func eventsUnderWayAreLimited() throws {
    let router = try RouterUnderTest { $0.pendingEventsPerUser = 2 }
    let scene = try router.open()
    let sender = try router.connect()
    for number in 1...2 { try sender.send(Wire.SendEventCall.url("test:\(number)")) }
    _ = try scene.delivery()
    let last = try scene.delivery()
    let call = Wire.SendEventCall.url("test:3")
    #expect(try router.failure(of: call) == Self.expected("pendingEventsPerUser", 2))
    try router.call(scene.acknowledgement(of: last))
    _ = try router.send(call)
    #expect(try scene.delivery().event.url == "test:3")
  }

  @Test func eventsOfOneConnectionAreLimited() throws {
    let router = try RouterUnderTest { $0.pendingEventsPerConnection = 2 }
    let scene = try router.open()
    let client = try router.connect()
    for number in 1...2 { try client.send(Wire.SendEventCall.url("test:\(number)"), .oneway) }
    let call = Wire.SendEventCall.url("test:3")
    #expect(try client.failure(of: call) == Self.expected("pendingEventsPerConnection", 2))
    let other = try router.send(call)
    try scene.acknowledgeNext()
    try client.send(call)
    for _ in 0..<3 { try scene.acknowledgeNext() }
    _ = try other.outcome()
    _ = try client.outcome()
  }

  @Test func eventsThatWaitForAnApplicationAreLimited() throws {
    let router = try RouterUnderTest { $0.waitingEventsPerApplication = 2 }
    let application = try router.declare()
    for number in 1...2 { _ = try router.send("test:\(number)") }
    _ = try application.request()
    let request = try application.request()
    let expected = Self.expected("waitingEventsPerApplication", 2)
    #expect(try router.failure(of: Wire.SendEventCall.url("test:3")) == expected)
    try application.decline(request)
    _ = try router.send("test:3")
    #expect(try application.request().event.url == "test:3")
  }

  @Test func monitorsAreLimited() throws {
    let router = try RouterUnderTest { $0.monitorsPerUser = 2 }
    let monitors = try (0..<2).map { _ in try router.monitor() }
    let client = try router.connect()
    #expect(try client.failure(of: Wire.MonitorCall(), .more) == Self.expected("monitorsPerUser", 2))
    try monitors[0].client.leave()
    guard case .snapshot = try client.call(Wire.MonitorCall(), .more) else {
      throw Overdue("It was not started.")
    }
  }

  @Test func connectionsAreLimited() throws {
    let router = try RouterUnderTest { $0.connectionsPerUser = 2 }
    let clients = try (0..<2).map { _ in try router.connect() }
    for client in clients { try client.call(Wire.GetStatisticsCall()) }
    let tooMany = try router.connect()
    #expect(try tooMany.failure(of: Wire.GetStatisticsCall()) == Self.expected("connectionsPerUser", 2))
    #expect(try tooMany.end() == [])
    try clients[0].leave()
    try router.connect().call(Wire.GetStatisticsCall())
  }

  @Test func attemptsAreLimited() throws {
    let router = try RouterUnderTest { $0.attemptsPerEvent = 3 }
    let scenes = try (0..<4).map { _ in try router.open() }
    let sender = try router.send("test:one")
    for scene in scenes.dropLast() { try scene.decline(scene.delivery()) }
    guard case .declined(_, _, let attempts) = try sender.failure() else { throw Overdue("It was taken.") }
    #expect(attempts.map(\.sceneID) == scenes.dropLast().map(\.id))
  }

  @Test func idsAreForgotten() throws {
    let router = try RouterUnderTest { $0.rememberedEventsPerUser = 2 }
    for id in ["a", "b", "c"] {
      var call = Wire.SendEventCall.url("test:\(id)")
      call.eventID = id
      guard case .notRouted = try router.failure(of: call) else { throw Overdue("It was routed.") }
    }
    let error = Wire.RouterErrorReply.noSuchEvent("a")
    #expect(try router.failure(of: Wire.AwaitEventCall(eventID: "a")) == error)
    guard case .notRouted = try router.failure(of: Wire.AwaitEventCall(eventID: "b")) else {
      throw Overdue("A newer one was forgotten.")
    }
  }
}
