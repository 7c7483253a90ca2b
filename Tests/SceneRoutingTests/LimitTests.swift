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
      Event(.activity(Activity(activityType: "t", userInfo: [UInt8](repeating: 32, count: 65_537)))),
      .userInfoSize, 65_536
    ),
  ])
  func eventBeyondALimitIsRefused(event: Event, limit: Limit, maximum: Int) {
    let fixture = RouterFixture()
    #expect(throws: Refusal.limitExceeded(limit, maximum: maximum)) { try fixture.send(event) }
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
    #expect(throws: Refusal.invalidParameter(path: "event.url")) { try fixture.send(url) }
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
    #expect(throws: Refusal.invalidParameter(path: "timeoutUSec")) {
      try fixture.send("x:a", .timeout(timeout))
    }
  }

  @Test func scenesPerUser() throws {
    let fixture = small { $0.scenesPerUser = 2 }
    let first = try fixture.open()
    try fixture.open()
    #expect(throws: Refusal.limitExceeded(.scenesPerUser, maximum: 2)) { try fixture.open() }
    #expect(fixture.close(first) == nil)
    try fixture.open()
  }

  @Test func identifiersPerUserAreGivenBack() throws {
    let fixture = small { $0.identifiersPerUser = 3 }
    let scene = try fixture.open(preferring: ["a", "b"], allowing: ["c"])
    #expect(throws: Refusal.limitExceeded(.identifiersPerUser, maximum: 3)) {
      try fixture.open(allowing: ["d"])
    }
    let more = Registration(id: "view", preferring: ["a", "b", "c", "d"])
    let refusal = fixture.router.setRegistration(more, of: scene, effects: &fixture.effects)
    #expect(refusal == .limitExceeded(.identifiersPerUser, maximum: 3))
    #expect(fixture.router.registry.description(of: scene)?.context.registrations.first?.allowing == ["c"])
    let removal = fixture.router.removeRegistration("view", of: scene, effects: &fixture.effects)
    #expect(removal == nil)
    try fixture.open(preferring: ["a", "b", "c"])
  }

  @Test func bytesPerUserCountIdentifiersAndEvents() throws {
    let fixture = small { $0.bytesPerUser = 14 }
    try fixture.open(allowing: ["*", "1234567"])
    #expect(throws: Refusal.limitExceeded(.bytesPerUser, maximum: 14)) { try fixture.send("x:a") }
    let room = small { $0.bytesPerUser = 14 }
    try room.open(allowing: ["*"])
    try room.send("x:a")
    let delivery = try #require(room.deliveries.first)
    #expect(room.router.registry.account(of: RouterFixture.user).bytes == 8)
    #expect(room.acknowledge(delivery) == nil)
    #expect(room.router.registry.account(of: RouterFixture.user).bytes == 5)
  }

  /// There may be millions of registrations that hold nothing.
  @Test func bytesPerUserCountIdsOfRegistrations() throws {
    let fixture = small { $0.bytesPerUser = 10 }
    let scene = try fixture.open()
    func set(_ id: String) -> Refusal? {
      fixture.router.setRegistration(Registration(id: id), of: scene, effects: &fixture.effects)
    }
    #expect(set("1234567") == .limitExceeded(.bytesPerUser, maximum: 10))
    #expect(set("123456") == nil)
    #expect(fixture.router.removeRegistration("123456", of: scene, effects: &fixture.effects) == nil)
    #expect(fixture.router.registry.account(of: RouterFixture.user).bytes == 4)
    #expect(fixture.router.closeScene(scene, now: fixture.now, effects: &fixture.effects) == nil)
    #expect(fixture.router.registry.account(of: RouterFixture.user).bytes == 0)
  }

  @Test func pendingEventsPerUser() throws {
    let fixture = small { $0.pendingEventsPerUser = 1 }
    try fixture.open(allowing: ["*"])
    try fixture.send("x:a")
    let delivery = try #require(fixture.deliveries.first)
    #expect(throws: Refusal.limitExceeded(.pendingEventsPerUser, maximum: 1)) { try fixture.send("x:a") }
    #expect(fixture.acknowledge(delivery) == nil)
    try fixture.send("x:a")
  }

  @Test func pendingDeliveriesPerScene() throws {
    let fixture = small { $0.pendingDeliveriesPerScene = 1 }
    try fixture.open(allowing: ["*"], credit: 1)
    try fixture.send("x:1")
    try fixture.send("x:2")
    #expect(throws: Refusal.limitExceeded(.pendingDeliveriesPerScene, maximum: 1)) { try fixture.send("x:3") }
  }

  @Test func registrationsPerScene() throws {
    let fixture = small { $0.registrationsPerScene = 1 }
    let scene = try fixture.open()
    let replaced = fixture.router.setRegistration(
      Registration(id: "view"),
      of: scene,
      effects: &fixture.effects
    )
    #expect(replaced == nil)
    let added = fixture.router.setRegistration(
      Registration(id: "other"),
      of: scene,
      effects: &fixture.effects
    )
    #expect(added == .limitExceeded(.registrationsPerScene, maximum: 1))
  }

  @Test func identifiersPerScene() throws {
    let fixture = small { $0.identifiersPerScene = 3 }
    let expected = Refusal.limitExceeded(.identifiersPerScene, maximum: 3)
    #expect(throws: expected) { try fixture.open(preferring: ["a", "b"], allowing: ["c", "d"]) }
    let scene = try fixture.open(preferring: ["a", "b"], allowing: ["c"])
    func set(_ id: String, _ identifiers: [String]) -> Refusal? {
      let registration = Registration(id: id, allowing: identifiers)
      return fixture.router.setRegistration(registration, of: scene, effects: &fixture.effects)
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
    let refusal = fixture.declare([SceneDeclaration(id: "a"), SceneDeclaration(id: "b")])
    #expect(refusal == .limitExceeded(.declarationsPerApplication, maximum: 1))
  }

  @Test func supportedTypesPerApplication() {
    let fixture = small { $0.supportedTypesPerApplication = 3 }
    func scenes(_ types: [[String]]) -> [SceneDeclaration] {
      types.map { SceneDeclaration(id: $0.joined(), kind: .documentGroup, supportedTypes: $0) }
    }
    let refusal = fixture.declare(scenes([["a", "b"], ["c", "d"]]))
    #expect(refusal == .limitExceeded(.supportedTypesPerApplication, maximum: 3))
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
    let refusal = fixture.declare([SceneDeclaration(id: "a"), SceneDeclaration(id: "a")])
    #expect(refusal == .invalidParameter(path: "scenes[1].declarationId"))
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
    #expect(fixture.ends.map(\.attempts.count) == [8])
  }
}
