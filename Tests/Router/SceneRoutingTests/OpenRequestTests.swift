import SceneRouting
import Testing

@Suite struct OpenRequestTests {
  let fixture = RouterFixture()

  private func request(_ url: String = "x:a", _ options: EventOptions = EventOptions()) throws
    -> SceneRequest
  {
    try fixture.send(url, options)
    return try #require(fixture.requests.first)
  }

  @Test func newSceneGetsTheEventFirst() throws {
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    let request = try request()
    #expect(request.declarationID == "main")
    let scene = try fixture.open(answering: request.id)
    #expect(fixture.effects.first == .sceneChanged(scene))
    let delivery = try #require(fixture.deliveries.first)
    #expect(delivery.sceneID == scene)
    #expect(fixture.router.registry.description(of: scene)?.context.declarationID == "main")
    #expect(fixture.acknowledge(delivery) == nil)
    let settlement = try #require(fixture.ends.first?.settlements.last)
    #expect(settlement.openRequestID == request.id)
    #expect(settlement.deliveryID == delivery.id)
    #expect(settlement.sceneID == scene)
  }

  @Test func sameTextWaitsForTheSameScene() throws {
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    let request = try request("x:Café")
    try fixture.send("X:CAFE")
    #expect(fixture.requests.isEmpty)
    try fixture.send("x:other")
    #expect(fixture.requests.count == 1)
    try fixture.open(answering: request.id)
    #expect(fixture.deliveries.map(\.event) == [Event(.url("x:Café")), Event(.url("X:CAFE"))])
  }

  @Test func eventsWithoutTextNeverWaitTogether() throws {
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    let event = Event(.activity(Activity(activityType: "t")))
    try fixture.send(event)
    #expect(fixture.requests.count == 1)
    try fixture.send(event)
    #expect(fixture.requests.count == 1)
  }

  @Test(arguments: [true, false])
  func everyEventForTheOneSceneWaitsForIt(isSingleton: Bool) throws {
    let fixture = RouterFixture()
    let error = fixture.declare(
      [SceneDeclaration(id: "main", isSingleton: isSingleton)],
      isSingleScene: !isSingleton
    )
    #expect(error == nil)
    try fixture.send("x:a")
    let request = try #require(fixture.requests.first)
    try fixture.send("x:b")
    try fixture.send(Event(.activity(Activity(activityType: "t"))))
    #expect(fixture.requests.isEmpty)
    try fixture.open(answering: request.id)
    #expect(fixture.deliveries.count == 3)
  }

  @Test func eachWaitingEventKeepsItsTime() throws {
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    let request = try request("x:a", .timeout(1000))
    try fixture.send("x:a", .timeout(2000))
    fixture.advance(by: 1000)
    #expect(fixture.settlements.map(\.result) == [.launchFailed])
    #expect(fixture.settlements.map(\.reason) == ["The application did not open the scene in time."])
    #expect(!fixture.effects.contains(.withdrawOpenRequest(request.id, fromApplication: "app", .timeout)))
    fixture.advance(by: 1000)
    #expect(fixture.effects.first == .withdrawOpenRequest(request.id, fromApplication: "app", .timeout))
    #expect(throws: CallError.noSuchOpenRequest(.timeout)) { try fixture.open(answering: request.id) }
  }

  @Test func declinedRequestIsLaunchFailedWithItsReason() throws {
    #expect(fixture.declare([SceneDeclaration(id: "one"), SceneDeclaration(id: "two")]) == nil)
    let request = try request()
    let error = fixture.decline(request.id, reason: "full")
    #expect(error == nil)
    #expect(fixture.settlements.map(\.result) == [.launchFailed])
    #expect(fixture.settlements.map(\.reason) == ["full"])
    #expect(fixture.requests.map(\.declarationID) == ["two"])
    #expect(throws: CallError.noSuchOpenRequest(.declined)) { try fixture.open(answering: request.id) }
  }

  @Test func onlyTheAskedApplicationAnswers() throws {
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    let request = try request()
    #expect(throws: CallError.invalidParameter(path: "context.applicationId")) {
      try fixture.open("other", answering: request.id)
    }
    #expect(throws: CallError.invalidParameter(path: "context.declarationId")) {
      try fixture.open(declaration: "detail", answering: request.id)
    }
    let error = fixture.decline(request.id, by: "other")
    #expect(error == .noSuchOpenRequest(nil))
    try fixture.open(declaration: "main", answering: request.id)
    #expect(throws: CallError.noSuchOpenRequest(.opened)) { try fixture.open(answering: request.id) }
  }

  @Test func applicationThatLeavesFailsItsRequests() throws {
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    let request = try request()
    fixture.withdraw("app")
    #expect(fixture.effects.first == .applicationRemoved("app"))
    #expect(fixture.ends.map(\.result) == [.launchFailed])
    #expect(throws: CallError.noSuchOpenRequest(.launchFailed)) { try fixture.open(answering: request.id) }
  }

  @Test func declinedNewSceneIsOneAttempt() throws {
    #expect(fixture.declare([SceneDeclaration(id: "one"), SceneDeclaration(id: "two")]) == nil)
    let request = try request()
    try fixture.open(answering: request.id)
    let delivery = try #require(fixture.deliveries.first)
    #expect(fixture.decline(delivery) == nil)
    #expect(fixture.settlements.map(\.result) == [.declined])
    #expect(fixture.requests.map(\.declarationID) == ["two"])
  }
}

extension OpenRequestTests {
  @Test func eventThatWaitsNoLongerIsNotDeliveredToTheNewScene() throws {
    #expect(fixture.declare([SceneDeclaration(id: "main")]) == nil)
    try fixture.send("x:a", .timeout(1000))
    let request = try #require(fixture.requests.first)
    let second = try fixture.send("x:a", .timeout(2000))
    fixture.advance(by: 1000)
    try fixture.open(answering: request.id)
    #expect(fixture.deliveries.map(\.decisionID) == [second])
  }
}

extension OpenRequestTests {
  @Test(arguments: [true, false])
  func secondSceneOfItsKindIsRefused(isSingleton: Bool) throws {
    let fixture = RouterFixture()
    let error = fixture.declare(
      [SceneDeclaration(id: "main", isSingleton: isSingleton), SceneDeclaration(id: "other")],
      isSingleScene: !isSingleton
    )
    #expect(error == nil)
    let scene = try fixture.open(declaration: "main")
    #expect(throws: CallError.sceneAlreadyOpen(application: "app", scene: scene)) {
      try fixture.open(declaration: isSingleton ? "main" : "other")
    }
    #expect(fixture.close(scene) == nil)
    try fixture.open(declaration: "main")
  }

  /// The application opens the singleton scene without answering the request, and then declines the request.
  @Test func openSingletonGetsAnEventForWhichItWasRequestedBefore() throws {
    let fixture = RouterFixture()
    let kinds = [
      SceneDeclaration(id: "main", matching: ["x"], isSingleton: true), SceneDeclaration(id: "other"),
    ]
    #expect(fixture.declare(kinds) == nil)
    try fixture.send("x:a")
    let request = try #require(fixture.requests.first)
    let scene = try fixture.open(declaration: "main")
    #expect(fixture.decline(request.id) == nil)
    #expect(fixture.deliveries.map(\.sceneID) == [scene])
    #expect(fixture.requests.isEmpty)
  }
}
