import SceneRouting
import Testing

@Suite struct ActivityTests {
  private static func offered(
    _ title: String? = nil,
    webpageURL: String? = nil,
    userInfo: [UInt8]? = nil
  ) -> Activity {
    Activity(
      activityType: "org.example.edit",
      targetContentIdentifier: "note=1",
      webpageURL: webpageURL,
      title: title,
      userInfo: userInfo.map { UserInfo(bytes: $0) },
      statedEligibility: true
    )
  }

  @Test func sceneHasOneActivityAndKeepsItWhenItIsTaken() throws {
    let fixture = RouterFixture()
    let scene = try fixture.open()
    #expect(fixture.set(Self.offered("first"), of: scene) == nil)
    #expect(fixture.set(Self.offered("second", userInfo: [1, 2]), of: scene) == nil)
    for taker in ["laptop", nil] {
      #expect(try fixture.take(scene, by: taker) == Self.offered("second", userInfo: [1, 2]))
      #expect(fixture.effects == [.activityTaken(scene, activityType: "org.example.edit", by: taker)])
    }
    #expect(fixture.router.registry.activity(of: scene)?.sinceUSec == Int64(fixture.now))
    #expect(fixture.set(nil, of: scene) == nil)
    #expect(throws: CallError.noSuchActivity) { try fixture.take(scene) }
    #expect(fixture.set(nil, of: scene) == nil)
  }

  @Test(arguments: [nil, false])
  func activityThatIsNotEligibleIsForItsSceneAlone(isEligible: Bool?) throws {
    let fixture = RouterFixture()
    let scene = try fixture.open()
    let activity = Activity(activityType: "t", statedEligibility: isEligible)
    #expect(fixture.set(activity, of: scene) == nil)
    #expect(throws: CallError.noSuchActivity) { try fixture.take(scene) }
    #expect(fixture.router.registry.scenesWithActivities(of: nil) == [])
  }

  @Test func sceneThatIsNotOpenHasNone() throws {
    let fixture = RouterFixture()
    let scene = try fixture.open()
    #expect(fixture.set(Self.offered(), of: scene) == nil)
    #expect(fixture.close(scene) == nil)
    #expect(throws: CallError.noSuchScene) { try fixture.take(scene) }
    #expect(fixture.set(Self.offered(), of: scene) == .noSuchScene)
    #expect(fixture.router.registry.scenesWithActivities(of: nil) == [])
  }

  @Test func scenesThatWereActiveLastComeFirst() throws {
    let fixture = RouterFixture()
    let scenes = try ["a", "b", "a", "a"].map { try fixture.open($0) }
    for scene in scenes { #expect(fixture.set(Self.offered(), of: scene) == nil) }
    try fixture.open("a")
    for index in [2, 1] { #expect(fixture.update(scenes[index], isActive: true) == nil) }
    func listed(_ application: String?) -> [Int?] {
      fixture.router.registry.scenesWithActivities(of: application).map { scenes.firstIndex(of: $0) }
    }
    #expect(listed(nil) == [1, 2, 0, 3])
    #expect(listed("a") == [2, 0, 3])
    #expect(listed("c") == [])
  }

  @Test func activityChangesNeitherRegistryNorRouting() throws {
    let fixture = RouterFixture()
    let scene = try fixture.open(allowing: ["other"])
    let generation = fixture.router.registry.generation
    #expect(fixture.set(Self.offered(), of: scene) == nil)
    _ = try fixture.take(scene)
    #expect(fixture.router.registry.generation == generation)
    try fixture.send(Event(.activity(Self.offered())))
    #expect(fixture.deliveries.isEmpty)
  }

  @Test(arguments: [
    (Activity(activityType: ""), CallError.invalidParameter(path: "activity.activityType")),
    (Activity(activityType: "t", webpageURL: "x"), .invalidParameter(path: "activity.webpageURL")),
    (
      Activity(activityType: "t", webpageURL: "x:" + String(repeating: "a", count: 32_767)),
      .limitExceeded(.urlLength, maximum: 32_768)
    ),
    (
      Activity(activityType: "t", targetContentIdentifier: String(repeating: "a", count: 4097)),
      .limitExceeded(.identifierLength, maximum: 4096)
    ),
    (
      Activity(activityType: String(repeating: "a", count: 1025)),
      .limitExceeded(.stringLength, maximum: 1024)
    ),
    (
      Activity(activityType: "t", title: String(repeating: "a", count: 1025)),
      .limitExceeded(.stringLength, maximum: 1024)
    ),
    (
      Activity(activityType: "t", userInfo: UserInfo(bytes: [UInt8](repeating: 32, count: 65_537))),
      .limitExceeded(.userInfoSize, maximum: 65_536)
    ),
  ])
  func activityBeyondALimitIsRefused(activity: Activity, error: CallError) throws {
    let fixture = RouterFixture()
    let scene = try fixture.open()
    #expect(fixture.set(Self.offered(), of: scene) == nil)
    #expect(fixture.set(activity, of: scene) == error)
    #expect(try fixture.take(scene) == Self.offered())
  }

  @Test func takerIsNamedShortly() throws {
    let fixture = RouterFixture()
    let scene = try fixture.open()
    #expect(fixture.set(Self.offered(), of: scene) == nil)
    _ = try fixture.take(scene, by: String(repeating: "a", count: 1024))
    #expect(throws: CallError.limitExceeded(.stringLength, maximum: 1024)) {
      try fixture.take(scene, by: String(repeating: "a", count: 1025))
    }
    #expect(fixture.effects == [])
  }

  @Test func everyByteIsChargedAndGivenBack() throws {
    let fixture = RouterFixture()
    let scene = try fixture.open()
    let plain = fixture.bytes
    func charge(_ activity: Activity?) -> Int {
      #expect(fixture.set(activity, of: scene) == nil)
      return fixture.bytes - plain
    }
    let small = charge(Self.offered())
    #expect(small > 0)
    #expect(charge(Self.offered(String(repeating: "t", count: 100))) >= small + 100)
    #expect(charge(Self.offered(webpageURL: "x:" + String(repeating: "u", count: 98))) >= small + 100)
    #expect(charge(Self.offered(userInfo: [UInt8](repeating: 32, count: 100))) >= small + 100)
    #expect(charge(nil) == 0)
    #expect(charge(Self.offered()) == small)
    #expect(fixture.close(scene) == nil)
    #expect(fixture.bytes == 0)
  }

  @Test func bytesPerUserCountActivities() throws {
    let all = RouterFixture()
    #expect(all.set(Self.offered(), of: try all.open()) == nil)
    var limits = Limits()
    limits.bytesPerUser = all.bytes
    let fixture = RouterFixture(limits: limits)
    let scene = try fixture.open()
    #expect(fixture.set(Self.offered(), of: scene) == nil)
    let error = fixture.set(Self.offered("title"), of: scene)
    #expect(error == .limitExceeded(.bytesPerUser, maximum: limits.bytesPerUser))
    #expect(try fixture.take(scene) == Self.offered())
    #expect(fixture.bytes == all.bytes)
  }
}
