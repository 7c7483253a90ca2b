import RouterInterface
import SceneRouting
import TestSupport
import Testing
import Varlink

@Suite struct ActivityTests {
  private static func activity(
    _ type: String = "org.example.edit",
    userInfo: String? = nil,
    isEligible: Bool? = true
  ) -> Activity {
    Activity(
      activityType: type,
      targetContentIdentifier: "note=1",
      webpageURL: "https://example.org/1",
      title: "Title",
      userInfo: userInfo.map { UserInfo(bytes: Array($0.utf8)) },
      statedEligibility: isEligible
    )
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func takenActivityIsHandedOverWhole(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let largest = #"{"a" : "\#(String(repeating: "x", count: (64 << 10) - 10))"}"#
    for (userInfo, taker) in [(largest, "laptop"), (#"{ "b":1.0, "a":["\u0041"] }"#, nil), (nil, "")] {
      let activity = Self.activity(userInfo: userInfo)
      try router.call(Wire.SetActivityCall(sceneHandle: scene.handle, activity: activity))
      #expect(try router.call(Wire.TakeActivityCall(sceneID: scene.id, by: taker)).activity == activity)
      let continuation = Continuation(activityType: "org.example.edit", taker: taker)
      #expect(try scene.next() == .continued(continuation))
    }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases, [CallMode.plain, .more])
  func listShowsWhatIsEligibleWithoutUserInfo(_ kind: RouterUnderTest.Kind, _ mode: CallMode) throws {
    let router = try RouterUnderTest(kind)
    let calls = try router.calls()
    #expect(try calls.call(Wire.ListActivitiesCall(), mode).activities == [])
    #expect(!calls.continues)
    let scenes = try ["one", "two", "one", "two"].map { try router.open($0) }
    for (scene, isEligible) in zip(scenes, [true, true, true, nil]) {
      let activity = Self.activity(userInfo: "{}", isEligible: isEligible)
      try router.call(Wire.SetActivityCall(sceneHandle: scene.handle, activity: activity))
    }
    for index in [1, 2] {
      try router.call(Wire.UpdateSceneCall(sceneHandle: scenes[index].handle, isActive: true))
    }
    func list(_ application: String? = nil) throws -> [CurrentActivity] {
      try calls.call(Wire.ListActivitiesCall(applicationID: application), mode).activities
    }
    let listed = try list()
    #expect(!calls.continues)
    #expect(listed.map(\.scene) == [2, 1, 0].map { index in try! scene(scenes[index].id, router) })
    #expect(Set(listed.map(\.activity.userInfo)) == [nil])
    #expect(listed.first?.activity == Self.activity())
    let opened = try #require(listed.first?.scene.runtime.openedUSec)
    #expect((listed.first?.sinceUSec ?? 0) >= opened)
    #expect(try list("one") == [listed[0], listed[2]])
    #expect(try list("nobody") == [])
    try calls.send(Wire.ListActivitiesCall())
    let text = try calls.text()
    for scene in scenes { #expect(!text.contains(scene.handle)) }
  }

  private func scene(_ id: String, _ router: RouterUnderTest) throws -> SceneDescription {
    try #require(try router.call(Wire.ListScenesCall(sceneID: id)).scenes.first)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func activityEndsByACallAndWithItsScene(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let take = Wire.TakeActivityCall(sceneID: scene.id)
    #expect(try router.failure(of: take) == .noSuchActivity(scene.id))
    for activity in [nil, Self.activity(isEligible: false), Self.activity(isEligible: nil)] {
      try router.call(Wire.SetActivityCall(sceneHandle: scene.handle, activity: Self.activity()))
      #expect(try router.call(take).activity == Self.activity())
      try router.call(Wire.SetActivityCall(sceneHandle: scene.handle, activity: activity))
      #expect(try router.failure(of: take) == .noSuchActivity(scene.id))
      #expect(try router.call(Wire.ListActivitiesCall()).activities == [])
    }
    try router.call(Wire.SetActivityCall(sceneHandle: scene.handle, activity: Self.activity()))
    try scene.close()
    #expect(try router.failure(of: take) == .noSuchScene(scene.id))
    #expect(try router.failure(of: Wire.TakeActivityCall(sceneID: "other")) == .noSuchScene("other"))
    #expect(try router.call(Wire.ListActivitiesCall()).activities == [])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func activityIsNoChangeOfTheRegistry(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let monitor = try router.monitor()
    try router.call(Wire.SetActivityCall(sceneHandle: scene.handle, activity: Self.activity()))
    try router.call(Wire.TakeActivityCall(sceneID: scene.id))
    #expect(try router.statistics().generation == scene.opened.generation)
    try scene.close()
    #expect(try monitor.next() == .sceneClosed(scene.id))
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func continuationIsNoDelivery(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open(credit: 1)
    try router.call(Wire.SetActivityCall(sceneHandle: scene.handle, activity: Self.activity()))
    for _ in 0..<3 { try router.call(Wire.TakeActivityCall(sceneID: scene.id)) }
    let sender = try router.send("test:one")
    for _ in 0..<3 {
      #expect(try scene.next() == .continued(Continuation(activityType: "org.example.edit")))
    }
    let delivery = try scene.delivery()
    // The continuation is reported although the scene has no credit left.
    try router.call(Wire.TakeActivityCall(sceneID: scene.id, by: "me"))
    #expect(try scene.next() == .continued(Continuation(activityType: "org.example.edit", taker: "me")))
    #expect(try self.scene(scene.id, router).runtime.pendingDeliveries == 1)
    try router.call(scene.acknowledgement(of: delivery))
    _ = try sender.outcome()
  }

  /// A list that is sent in pieces keeps its order, even if a scene that is not yet listed becomes active.
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func longListComesInPiecesOrNotAtAll(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scenes = try (0..<24).map { try router.open(allowing: LargeText.identifiers($0)) }
    for scene in scenes {
      try router.call(Wire.SetActivityCall(sceneHandle: scene.handle, activity: Self.activity()))
    }
    let tooLong = Wire.RouterErrorReply.limitExceeded(limit: "replySize", maximum: 1 << 20)
    #expect(try router.failure(of: Wire.ListActivitiesCall()) == tooLong)
    let reader = try router.connect()
    var pieces = [try reader.call(Wire.ListActivitiesCall(), .more).activities]
    for scene in scenes.suffix(2) {
      try router.call(Wire.UpdateSceneCall(sceneHandle: scene.handle, isActive: true))
    }
    while reader.continues { pieces.append(try reader.reply(to: Wire.ListActivitiesCall.self).activities) }
    #expect(pieces.count > 10)
    #expect(pieces.joined().map(\.scene.runtime.sceneID) == scenes.map(\.id))
  }

  /// The bytes of a list are charged to the user only until the router has sent the list.
  ///
  /// A thousand lists at once would exceed the user's limit of bytes.
  @Test func listIsHeldNoLongerThanItLasts() throws {
    let router = try RouterUnderTest { $0.bytesPerUser = 64 << 10 }
    let scenes = try (0..<10).map { _ in try router.open() }
    for scene in scenes {
      try router.call(Wire.SetActivityCall(sceneHandle: scene.handle, activity: Self.activity()))
    }
    for _ in 0..<1000 {
      let activities = try router.calls().call(Wire.ListActivitiesCall(), .more).activities
      #expect(activities.count == 10)
    }
  }
}
