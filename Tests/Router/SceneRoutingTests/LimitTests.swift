import SceneRouting
import Testing

@Suite struct LimitTests {
  private func small(_ change: (inout Limits) -> Void) -> RouterFixture {
    var limits = Limits()
    change(&limits)
    return RouterFixture(limits: limits)
  }

  @Test(arguments: [
    (Event(.url("x:" + String(repeating: "a", count: 32_767))), Limit.urlLength, 32_768),
    (
      Event(.activity(Activity(activityType: "t", webpageURL: "x:" + String(repeating: "a", count: 32_767)))),
      .urlLength, 32_768
    ),
    (
      Event(
        .activity(
          Activity(activityType: "t", targetContentIdentifier: String(repeating: "a", count: 4097))
        )
      ), .identifierLength, 4096
    ),
    (Event(.activity(Activity(activityType: String(repeating: "a", count: 1025)))), .stringLength, 1024),
    (
      Event(.activity(Activity(activityType: "t", title: String(repeating: "a", count: 1025)))),
      .stringLength,
      1024
    ),
    (Event(.url("x:a"), contentType: String(repeating: "a", count: 1025)), .stringLength, 1024),
    (
      Event(
        .activity(
          Activity(activityType: "t", userInfo: UserInfo(bytes: [UInt8](repeating: 32, count: 65_537)))
        )
      ),
      .userInfoSize, 65_536
    ),
  ])
  func eventBeyondALimitIsRefused(event: Event, limit: Limit, maximum: Int) {
    let fixture = RouterFixture()
    #expect(throws: CallError.limitExceeded(limit, maximum: maximum)) { try fixture.send(event) }
    #expect(fixture.effects.isEmpty)
  }

  @Test func eventAtTheLimitIsTaken() throws {
    let fixture = RouterFixture()
    try fixture.send("x:" + String(repeating: "a", count: 32_766))
    #expect(fixture.ends.count == 1)
  }

  @Test(arguments: ["", "a", ":a", "1x:a", "x y:a", "x:a b", "x:\u{7F}", "x:\n", "é:a", "/path", "x\0:a"])
  func textThatIsNoURLIsRefused(url: String) {
    let fixture = RouterFixture()
    #expect(throws: CallError.invalidParameter(path: "event.url")) { try fixture.send(url) }
  }

  @Test(arguments: ["x:", "X-1.2+3:é", "mailto:a@b", "x:\u{80}\u{A0}"])
  func oddTextThatIsAURLIsTaken(url: String) throws {
    let fixture = RouterFixture()
    try fixture.send(url)
    #expect(fixture.ends.count == 1)
  }

  @Test(arguments: [0, 3_600_000_001])
  func timeoutOutOfRangeIsRefused(timeout: UInt64) {
    let fixture = RouterFixture()
    #expect(throws: CallError.invalidParameter(path: "timeoutUSec")) {
      try fixture.send("x:a", .timeout(timeout))
    }
  }

  @Test func scenesPerUser() throws {
    let fixture = small { $0.scenesPerUser = 2 }
    let first = try fixture.open()
    try fixture.open()
    #expect(throws: CallError.limitExceeded(.scenesPerUser, maximum: 2)) { try fixture.open() }
    #expect(fixture.close(first) == nil)
    try fixture.open()
  }

  @Test func identifiersPerUserAreGivenBack() throws {
    let fixture = small { $0.identifiersPerUser = 3 }
    let scene = try fixture.open(preferring: ["a", "b"], allowing: ["c"])
    #expect(throws: CallError.limitExceeded(.identifiersPerUser, maximum: 3)) {
      try fixture.open(allowing: ["d"])
    }
    let more = Registration(id: "view", preferring: ["a", "b", "c", "d"])
    let error = fixture.set(more, of: scene)
    #expect(error == .limitExceeded(.identifiersPerUser, maximum: 3))
    #expect(fixture.router.registry.description(of: scene)?.context.registrations.first?.allowing == ["c"])
    let removal = fixture.remove("view", of: scene)
    #expect(removal == nil)
    try fixture.open(preferring: ["a", "b", "c"])
  }

  @Test func bytesPerUserCountScenesAndEvents() throws {
    let all = RouterFixture()
    try all.open(allowing: ["*", "1234567"])
    let sceneBytes = all.bytes
    try all.send("x:a")
    let bytes = all.bytes
    #expect(bytes > sceneBytes)

    let small = small { $0.bytesPerUser = bytes - 1 }
    try small.open(allowing: ["*", "1234567"])
    #expect(throws: CallError.limitExceeded(.bytesPerUser, maximum: bytes - 1)) { try small.send("x:a") }
    #expect(small.bytes == sceneBytes)

    let room = self.small { $0.bytesPerUser = bytes }
    let scene = try room.open(allowing: ["*", "1234567"])
    try room.send("x:a")
    #expect(room.acknowledge(try #require(room.deliveries.first)) == nil)
    #expect(room.bytes == sceneBytes)
    #expect(room.close(scene) == nil)
    #expect(room.bytes == 0)
  }

  @Test func everyTextOfAnEventIsCharged() throws {
    let fixture = RouterFixture()
    try fixture.open(allowing: ["*"])
    let text = String(repeating: "t", count: 100)
    func charge(_ event: Event) throws -> Int {
      let before = fixture.bytes
      try fixture.send(event)
      return fixture.bytes - before
    }
    let plain = try charge(Event(.url("file:a")))
    #expect(try charge(Event(.url("file:a" + text))) >= plain + 100)
    #expect(try charge(Event(.url("file:a"), contentType: text)) >= plain + 100)
    #expect(try charge(Event(.url("file:a"), resolvedURL: "file:" + text)) >= plain + 100)
  }

  @Test func everyTextOfASceneIsCharged() throws {
    let fixture = RouterFixture()
    let text = String(repeating: "t", count: 100)
    func charge(_ context: SceneContext) throws -> Int {
      let before = fixture.bytes
      try fixture.open(context)
      return fixture.bytes - before
    }
    let plain = try charge(SceneContext(applicationID: "a"))
    #expect(try charge(SceneContext(applicationID: text)) >= plain + 99)
    #expect(try charge(SceneContext(applicationID: "a", declarationID: text)) >= plain + 100)
    #expect(try charge(SceneContext(applicationID: "a", title: text)) >= plain + 100)
    // As JSON, each of these characters has six bytes.
    let controls = String(repeating: "\u{1}", count: 100)
    #expect(try charge(SceneContext(applicationID: "a", title: controls)) >= plain + 600)
    let empty = try charge(SceneContext(applicationID: "a", registrations: [Registration(id: "")]))
    #expect(empty > plain)
    let full = Registration(id: text, preferring: [text], allowing: [text])
    #expect(try charge(SceneContext(applicationID: "a", registrations: [full])) >= empty + 300)
  }

  @Test func everyTextOfAnApplicationIsCharged() throws {
    let fixture = RouterFixture()
    let text = String(repeating: "t", count: 100)
    func charge(_ scenes: [SceneDeclaration], _ claims: Claims = Claims()) -> Int {
      #expect(fixture.declare(scenes, claims: claims) == nil)
      defer { fixture.withdraw("app") }
      return fixture.bytes
    }
    let plain = charge([])
    #expect(plain > 0)
    let empty = charge([SceneDeclaration(id: "d")])
    #expect(empty > plain)
    let full = SceneDeclaration(id: text, title: text, matching: [text], supportedTypes: [text])
    #expect(charge([full]) >= empty + 399)
    let claims = Claims(schemes: [text], activityTypes: [text], mimeTypes: [text])
    #expect(charge([], claims) >= plain + 300)
    #expect(fixture.bytes == 0)
  }

  @Test func changesOfASceneAreChargedAndGivenBack() throws {
    let fixture = RouterFixture()
    let scene = try fixture.open()
    let plain = fixture.bytes
    #expect(fixture.update(scene, title: String(repeating: "t", count: 100)) == nil)
    #expect(fixture.bytes >= plain + 100)
    #expect(fixture.update(scene, title: "") == nil)
    let titled = fixture.bytes
    #expect(fixture.set(Registration(id: "other", allowing: ["1234567"]), of: scene) == nil)
    #expect(fixture.bytes > titled)
    #expect(fixture.set(Registration(id: "other"), of: scene) == nil)
    #expect(fixture.remove("other", of: scene) == nil)
    #expect(fixture.bytes == titled)
    #expect(fixture.close(scene) == nil)
    #expect(fixture.bytes == 0)
  }

  @Test func userAboveTheLimitMayRegisterLess() throws {
    let fixture = small { $0.bytesPerUser = 10_000 }
    let scene = try fixture.open(allowing: ["1234567"])
    // The charge of an ended event that is remembered has no limit.
    _ = fixture.router.charge(10_000, to: fixture.client.user)
    #expect(fixture.set(Registration(id: "view", allowing: ["123456"]), of: scene) == nil)
    let more = fixture.set(Registration(id: "view", allowing: ["12345678"]), of: scene)
    #expect(more == .limitExceeded(.bytesPerUser, maximum: 10_000))
  }

  @Test func sceneSize() throws {
    let texts = (0..<60).map { "\($0)" + String(repeating: "x", count: 4000) }
    let fixture = RouterFixture()
    let scene = try fixture.open(preferring: texts)
    let size = fixture.bytes
    let error = CallError.limitExceeded(.sceneSize, maximum: 262_144)
    #expect(size < 262_144)
    #expect(throws: error) { try fixture.open(preferring: texts, allowing: Array(texts.prefix(6))) }
    #expect(fixture.set(Registration(id: "more", preferring: Array(texts.prefix(6))), of: scene) == error)
    #expect(fixture.bytes == size)
    let tight = small { $0.sceneSize = size }
    let other = try tight.open(preferring: texts)
    #expect(tight.update(other, title: "t") == .limitExceeded(.sceneSize, maximum: size))
    #expect(tight.router.registry.description(of: other)?.context.title == nil)
  }

  @Test func applicationSize() {
    let texts = (0..<70).map { "\($0)" + String(repeating: "x", count: 4000) }
    let fixture = RouterFixture()
    let error = fixture.declare([SceneDeclaration(id: "a", matching: texts)])
    #expect(error == .limitExceeded(.applicationSize, maximum: 262_144))
    #expect(fixture.declare([SceneDeclaration(id: "a", matching: Array(texts.prefix(60)))]) == nil)
  }

  @Test func pendingEventsPerUser() throws {
    let fixture = small { $0.pendingEventsPerUser = 1 }
    try fixture.open(allowing: ["*"])
    try fixture.send("x:a")
    let delivery = try #require(fixture.deliveries.first)
    #expect(throws: CallError.limitExceeded(.pendingEventsPerUser, maximum: 1)) { try fixture.send("x:a") }
    #expect(fixture.acknowledge(delivery) == nil)
    try fixture.send("x:a")
  }

  @Test func pendingEventsPerConnection() throws {
    let fixture = small { $0.pendingEventsPerConnection = 2 }
    try fixture.open(allowing: ["*"])
    try fixture.send("x:1")
    let delivery = try #require(fixture.deliveries.first)
    try fixture.send("x:2")
    let error = CallError.limitExceeded(.pendingEventsPerConnection, maximum: 2)
    #expect(throws: error) { try fixture.send("x:3") }
    fixture.client.connection = 2
    try fixture.send("x:3")
    fixture.client.connection = 1
    #expect(throws: error) { try fixture.send("x:4") }
    #expect(fixture.acknowledge(delivery) == nil)
    try fixture.send("x:4")
  }

  /// A scene with a full queue declines the event.
  ///
  /// The event then goes to the next target, if there is a next target.
  @Test func pendingDeliveriesPerScene() throws {
    let fixture = small { $0.pendingDeliveriesPerScene = 1 }
    let full = try fixture.open(preferring: ["x"], credit: 1)
    try fixture.send("x:1")
    try fixture.send("x:2")
    try fixture.send("x:3")
    #expect(fixture.ends.map { $0.settlements.map(\.result) } == [[.declined]])
    #expect(fixture.ends.map { $0.settlements.map(\.reason) } == [["pendingDeliveriesPerScene"]])
    #expect(fixture.ends.map { $0.settlements.map(\.sceneID) } == [[full]])
    let other = try fixture.open(allowing: ["*"])
    try fixture.send("x:4")
    #expect(fixture.deliveries.map(\.sceneID) == [other])
    #expect(fixture.router.pendingDeliveryCount(of: full) == 2)
  }

  /// Only deliveries that wait for the scene's credit count towards the limit.
  @Test func pendingBytesPerScene() throws {
    let fixture = small { $0.pendingBytesPerScene = 2000 }
    try fixture.open(allowing: ["*"], credit: 1)
    let url = "x:" + String(repeating: "a", count: 998)
    for _ in 1...3 { try fixture.send(url) }
    #expect(fixture.ends.isEmpty)
    try fixture.send("x:")
    #expect(fixture.ends.map { $0.settlements.map(\.reason) } == [["pendingBytesPerScene"]])
    fixture.advance(by: 10_000_000)
    #expect(fixture.ends.count == 3)
    for _ in 1...3 { try fixture.send(url) }
    #expect(fixture.ends.isEmpty)
  }

  @Test func waitingEventsPerApplication() throws {
    let fixture = small { $0.waitingEventsPerApplication = 2 }
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    try fixture.send("x:1", .timeout(5))
    let request = try #require(fixture.requests.first)
    try fixture.send("x:1")
    #expect(throws: CallError.limitExceeded(.waitingEventsPerApplication, maximum: 2)) {
      try fixture.send("x:2")
    }
    // The limit does not concern other applications or open scenes.
    #expect(fixture.declare([SceneDeclaration(id: "main", matching: ["x:3"])], of: "other") == nil)
    try fixture.send("x:3")
    let passing = try fixture.open("third", preferring: ["x:4"])
    try fixture.send("x:4")
    // The resumed event cannot wait for the application, because two events already wait for it and the limit is two.
    #expect(fixture.close(passing) == nil)
    #expect(fixture.ends.map { $0.settlements.map(\.result) } == [[.sceneClosed, .launchFailed]])
    #expect(fixture.ends.map(\.settlement?.reason) == ["waitingEventsPerApplication"])
    fixture.advance(by: 5)
    try fixture.send("x:2")
    try fixture.open(answering: request.id)
    #expect(fixture.deliveries.count == 1)
    try fixture.send("x:5")
  }

  @Test func creditOfAScene() throws {
    let fixture = RouterFixture()
    let error = CallError.invalidParameter(path: "maxPendingDeliveries")
    for credit in [0, 1025] {
      #expect(throws: error) { try fixture.open(credit: credit) }
    }
    try fixture.open(credit: 1024)
  }

  @Test func stepsOfATrace() {
    let fixture = RouterFixture()
    for (steps, isRefused) in [(-1, true), (0, false), (1024, false), (1025, true)] {
      let explained = fixture.router.explain(Event(.url("x:a")), RouteConstraints(), maximumSteps: steps)
      guard case .failure(let error) = explained else {
        #expect(!isRefused)
        continue
      }
      #expect(isRefused && error == .invalidParameter(path: "maxTraceSteps"))
    }
  }

  @Test func registrationsPerScene() throws {
    let fixture = small { $0.registrationsPerScene = 1 }
    let scene = try fixture.open()
    let replaced = fixture.set(Registration(id: "view"), of: scene)
    #expect(replaced == nil)
    let added = fixture.set(Registration(id: "other"), of: scene)
    #expect(added == .limitExceeded(.registrationsPerScene, maximum: 1))
  }

  @Test func identifiersPerScene() throws {
    let fixture = small { $0.identifiersPerScene = 3 }
    let expected = CallError.limitExceeded(.identifiersPerScene, maximum: 3)
    #expect(throws: expected) { try fixture.open(preferring: ["a", "b"], allowing: ["c", "d"]) }
    let scene = try fixture.open(preferring: ["a", "b"], allowing: ["c"])
    func set(_ id: String, _ identifiers: [String]) -> CallError? {
      let registration = Registration(id: id, allowing: identifiers)
      return fixture.set(registration, of: scene)
    }
    #expect(set("other", ["d"]) == expected)
    #expect(set("view", ["a", "b", "c", "d"]) == expected)
    #expect(set("view", ["a", "b"]) == nil)
    #expect(set("other", ["d"]) == nil)
    #expect(fixture.router.registry.account(of: RouterFixture.user).identifiers == 3)
  }

  @Test func identifiersPerApplication() {
    let fixture = small { $0.identifiersPerApplication = 3 }
    func scenes(_ last: [String]) -> [SceneDeclaration] {
      [SceneDeclaration(id: "a", matching: ["a", "b"]), SceneDeclaration(id: "b", matching: last)]
    }
    #expect(fixture.declare(scenes(["c", "d"])) == .limitExceeded(.identifiersPerApplication, maximum: 3))
    #expect(fixture.declare(scenes(["c"])) == nil)
  }

  @Test func declarationsPerApplication() {
    let fixture = small { $0.declarationsPerApplication = 1 }
    let error = fixture.declare([SceneDeclaration(id: "a"), SceneDeclaration(id: "b")])
    #expect(error == .limitExceeded(.declarationsPerApplication, maximum: 1))
  }

  @Test func supportedTypesPerApplication() {
    let fixture = small { $0.supportedTypesPerApplication = 3 }
    func scenes(_ types: [[String]]) -> [SceneDeclaration] {
      types.map { SceneDeclaration(id: $0.joined(), kind: .documentGroup, supportedTypes: $0) }
    }
    let error = fixture.declare(scenes([["a", "b"], ["c", "d"]]))
    #expect(error == .limitExceeded(.supportedTypesPerApplication, maximum: 3))
    #expect(fixture.declare(scenes([["a", "b"], ["c"]])) == nil)
  }

  @Test func claimsPerApplication() {
    let fixture = small { $0.claimsPerApplication = 3 }
    let claims = Claims(schemes: ["a"], activityTypes: ["b", "c"], mimeTypes: ["d/e"])
    #expect(fixture.declare([], claims: claims) == .limitExceeded(.claimsPerApplication, maximum: 3))
    #expect(fixture.declare([], claims: Claims(schemes: ["a", "b", "c"])) == nil)
  }

  @Test func twoDeclarationsOfOneNameAreRefused() {
    let fixture = RouterFixture()
    let error = fixture.declare([SceneDeclaration(id: "a"), SceneDeclaration(id: "a")])
    #expect(error == .invalidParameter(path: "scenes[1].declarationId"))
  }

  @Test func chainsEndAfterEightAttempts() throws {
    let fixture = RouterFixture()
    for _ in 0..<9 { try fixture.open(preferring: ["a"]) }
    try fixture.send("x:a")
    var attempts = 0
    while let delivery = fixture.deliveries.first {
      attempts += 1
      #expect(fixture.decline(delivery) == nil)
    }
    #expect(attempts == 8)
    #expect(fixture.ends.map(\.settlements.count) == [8])
  }
}
