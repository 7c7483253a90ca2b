import RouterInterface
import SceneRouting
import TestSupport
import Testing
import Varlink

/// Changes of so many identifiers that they are made in steps.
@Suite struct LargeChangeTests {
  private static let identifiers = (0..<20_000).map { "identifier-\($0)/" }

  private static var context: Wire.SceneContext {
    Wire.SceneContext(
      applicationID: "app",
      registrations: [Wire.Registration(registrationID: "large", preferring: identifiers, allowing: [])]
    )
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func largeRegistrationIsInForceForTheNextCall(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open(allowing: ["*"])
    let client = try router.connect()
    let registration = Self.context.registrations?[0]
    try client.send(Wire.SetRegistration(sceneHandle: scene.handle, registration: try #require(registration)))
    try client.send(Wire.SendEvent.url("test:identifier-19999/"), .oneway)
    try client.send(Wire.RemoveRegistration(sceneHandle: scene.handle, registrationID: "large"))
    try client.send(Wire.SendEvent.url("test:identifier-19999/"), .oneway)
    #expect(try scene.delivery().registrationIDs == ["large"])
    #expect(try scene.delivery().registrationIDs != ["large"])
    _ = try client.reply(to: Wire.SetRegistration.self)
    _ = try client.reply(to: Wire.RemoveRegistration.self)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func largeSceneAndLargeDeclarationAreOpen(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.connect()
    try scene.call(Wire.OpenScene(context: Self.context), .more)
    let application = try router.connect()
    let declaration = Wire.SceneDeclaration(declarationID: "main", matching: Self.identifiers)
    try application.call(Wire.DeclareApplication(applicationID: "other", scenes: [declaration]), .more)
    var call = Wire.ExplainEvent(event: Wire.Event(url: "test:identifier-7/"))
    #expect(try router.call(call).decision.rule == "preferring")
    call.applicationID = "other"
    #expect(try router.call(call).decision.rule == "matching")
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func clientThatLeavesBeforeItsSceneIsOpenHasNone(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let client = try router.connect()
    try client.send(Wire.OpenScene(context: Self.context), .more)
    try client.leave()
    #expect(try router.call(Wire.ListScenes()).scenes == [])
    // Nothing is left that would be in the way.
    let scene = try router.connect()
    try scene.call(Wire.OpenScene(context: Self.context), .more)
    #expect(try router.call(Wire.ListScenes()).scenes.count == 1)
  }

  /// It reads nothing, and more is queued for it than may be.
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func clientThatIsCutOffBeforeItsSceneIsOpenHasNone(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let client = try router.connect()
    try client.send(Wire.SendEvent(event: Wire.Event(url: LargeText.url), eventID: "large"))
    for _ in 0..<300 { try client.send(Wire.AwaitEvent(eventID: "large")) }
    try client.send(Wire.OpenScene(context: Self.context), .more)
    // Between two calls of one client another gets its turn: by then the call has been received, and is far from done.
    for _ in 0..<10 { _ = try router.statistics() }
    try scene.acknowledgeNext()
    _ = try client.end()
    #expect(try router.call(Wire.ListScenes()).scenes.count == 1)
    let other = try router.connect()
    try other.call(Wire.OpenScene(context: Self.context), .more)
    #expect(try router.call(Wire.ListScenes()).scenes.count == 2)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func largeChangeUnderWayIsMadeBeforeTheEnd(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let client = try router.connect()
    let registration = try #require(Self.context.registrations?[0])
    try client.send(Wire.SetRegistration(sceneHandle: scene.handle, registration: registration))
    // Between two calls of one client another gets its turn, which is 64 KiB at least: by then it has been received.
    for _ in 0..<10 { _ = try router.statistics() }
    router.stop()
    _ = try client.reply(to: Wire.SetRegistration.self)
    #expect(try scene.next() == .closed("shutdown"))
  }

  @Test func largeChangeBeyondALimitIsRefused() throws {
    let router = try RouterUnderTest { $0.identifiersPerUser = 10_000 }
    let scene = try router.connect()
    #expect(
      try scene.failure(of: Wire.OpenScene(context: Self.context), .more)
        == .limitExceeded(Wire.LimitExceeded(limit: "identifiersPerUser", maximum: 10_000))
    )
    let small = try RouterUnderTest { $0.bytesPerUser = 100_000 }
    let other = try small.connect()
    #expect(
      try other.failure(of: Wire.OpenScene(context: Self.context), .more)
        == .limitExceeded(Wire.LimitExceeded(limit: "bytesPerUser", maximum: 100_000))
    )
    // Nothing of it is left that would count.
    _ = try small.open()
  }
}
