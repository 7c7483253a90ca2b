import RouterInterface
import SceneRouting
import TestSupport
import Testing
import Varlink

/// Events whose texts are long, and contain very many identifiers.
@Suite struct LongTextTests {
  /// All words of ten letters in which every letter is `a` or `b`.
  private static let words = (0..<1024).map { number in
    String((0..<10).map { number >> $0 & 1 == 0 ? "a" : "b" })
  }

  /// A URL that joins all texts in `words`.
  ///
  /// At nearly every position of the URL, one of these texts begins.
  private static let url = "test:" + (0..<1024).map { words[$0 * 377 % 1024] }.joined()

  private static func open(_ router: RouterUnderTest, _ application: String) throws -> OpenedScene {
    let scene = try router.open(application, allowing: ["*"])
    let registration = Registration(id: "words", preferring: words, allowing: [])
    try router.call(Wire.SetRegistrationCall(sceneHandle: scene.handle, registration: registration))
    return scene
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func eventIsDeliveredAndGoesOnWhenItIsDeclined(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let first = try Self.open(router, "first")
    let second = try Self.open(router, "second")
    let sender = try router.send(Self.url)
    let delivery = try first.delivery()
    #expect(delivery.event.url == Self.url)
    #expect(delivery.registrationIDs == ["words"])
    try first.decline(delivery)
    try second.acknowledgeNext()
    let outcome = try sender.outcome()
    #expect(outcome.attempts.map(\.result) == [.declined, .acknowledged])
    #expect(outcome.decision.matchedPattern == Self.words[0])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func laterEventOfAConnectionDoesNotOvertake(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try Self.open(router, "app")
    let client = try router.connect()
    let urls = (0..<20).flatMap { [Self.url + "\($0)", "test:\($0)"] }
    let calls = urls.map {
      #"{"method":"io.scened.Router.SendEvent","parameters":{"event":{"url":"\#($0)"}},"oneway":true}"#
    }
    for pair in stride(from: 0, to: calls.count, by: 2) {
      try client.send(calls[pair] + "\0" + calls[pair + 1])
    }
    for url in urls { #expect(try scene.acknowledgeNext().event.url == url) }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func laterChangeOfAConnectionDoesNotOvertake(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try Self.open(router, "app")
    let client = try router.connect()
    try client.send(
      #"{"method":"io.scened.Router.SendEvent","parameters":{"event":{"url":"\#(Self.url)"}},"oneway":true}"#
        + "\0" + #"{"method":"io.scened.Router.RemoveRegistration","parameters":{"#
        + #""sceneHandle":"\#(scene.handle)","registrationId":"words"}}"#
    )
    _ = try client.reply(to: Wire.RemoveRegistrationCall.self)
    #expect(try scene.delivery().registrationIDs == ["words"])
  }
}
