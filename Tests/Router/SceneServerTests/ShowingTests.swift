import Glibc
import RouterInterface
import TestSupport
import Testing
import Varlink

/// Tests, over the socket, that an event reaches the scene that shows the event's URL.
///
/// The scene also gets the line and column of the event.
@Suite struct ShowingTests {
  private func open(_ router: RouterUnderTest, showing urls: [String]) throws -> OpenedScene {
    let view = Registration(id: "view", preferring: [], allowing: [], showing: urls)
    let context = SceneContext(applicationID: "viewer", registrations: [view])
    return try OpenedScene(Wire.OpenSceneCall(context: context), router)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func eventGoesToTheSceneThatShowsItsURL(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let browser = try router.declare("browser", claims: Claims(schemes: ["https"]))
    let scene = try open(router, showing: ["https://a.test:443/x#top"])
    #expect(
      try router.call(Wire.ListScenesCall()).scenes.first?.context.registrations.first?.showing
        == ["https://a.test:443/x#top"]
    )
    let event = Event(.url("HTTPS://A.test/%78"), line: 3, column: 4)
    let decision = try router.call(Wire.ExplainEventCall(event: event)).decision
    #expect(decision.rule == .showing && decision.sceneID == scene.id)
    #expect(decision.matchedPattern == "https://a.test:443/x#top")
    #expect(decision.matchedString == "HTTPS://A.test/%78" && decision.matchedField == .url)
    #expect(decision.applicationBecause == .showing && decision.applicationSource == nil)
    let sender = try router.send(Wire.SendEventCall(event: event))
    let delivery = try scene.delivery()
    #expect((delivery.event.line, delivery.event.column) == (3, 4))
    #expect(delivery.registrationIDs == ["view"])
    withExtendedLifetime((browser, sender)) {}
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func badInputIsRefusedWithItsPlace(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try open(router, showing: ["x:a"])
    let view = Registration(id: "view", preferring: [], allowing: [], showing: ["x:b", "b"])
    let set = Wire.SetRegistrationCall(sceneHandle: scene.handle, registration: view)
    #expect(try router.failure(of: set) == .invalidParameter("registration.showing[1]"))
    let context = SceneContext(applicationID: "viewer", registrations: [view])
    #expect(
      try router.connect().failure(of: Wire.OpenSceneCall(context: context), .more)
        == .invalidParameter("context.registrations[0].showing[1]")
    )
    for (line, column, path) in [(0, nil, "event.line"), (nil, 1, "event.column")]
      as [(Int?, Int?, String)]
    {
      let event = Event(.url("x:a"), line: line, column: column)
      #expect(try router.failure(of: Wire.SendEventCall(event: event)) == .invalidParameter(path))
    }
    #expect(try router.call(Wire.ExplainEventCall(event: Event(.url("x:a")))).decision.rule == .showing)
  }

  /// A file URL with this machine's host name matches a shown URL without a host.
  @Test func fileOfThisMachineNeedsNoHost() throws {
    let router = try RouterUnderTest(.daemon)
    var name = [CChar](repeating: 0, count: 65)
    #expect(gethostname(&name, name.count) == 0)
    let host = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let scene = try open(router, showing: ["file:///a(1)"])
    let decision = try router.call(
      Wire.ExplainEventCall(event: Event(.url("file://\(host.uppercased())/a%281%29")))
    ).decision
    #expect(decision.sceneID == scene.id)
  }
}
