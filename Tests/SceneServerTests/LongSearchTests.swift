import RouterInterface
import SceneRouting
import TestSupport
import Testing
import Varlink

/// Events whose texts take so long to search that it is done in steps.
@Suite struct LongSearchTests {
  /// All words of ten letters out of two.
  private static let words = (0..<1024).map { number in
    String((0..<10).map { number >> $0 & 1 == 0 ? "a" : "b" })
  }

  /// Has a word at each place: many steps.
  private static let url = "test:" + (0..<1024).map { words[$0 * 377 % 1024] }.joined()

  private static func open(_ router: RouterUnderTest, _ application: String) throws -> OpenedScene {
    let scene = try router.open(application, allowing: ["*"])
    let registration = Wire.Registration(registrationID: "words", preferring: words, allowing: [])
    try router.call(Wire.SetRegistration(sceneHandle: scene.handle, registration: registration))
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
    #expect(outcome.attempts.map(\.result) == ["declined", "acknowledged"])
    #expect(outcome.decision.matchedPattern == Self.words[0])
  }

  /// As the decision is made when the search is done, it sees what they have changed.
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func laterCallsOfTheSenderAreNotHeldUp(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try Self.open(router, "app")
    let client = try router.connect()
    // In one piece, so that the second is there when the search begins.
    try client.send(
      #"{"method":"io.scened.Router.SendEvent","parameters":{"event":{"url":"\#(Self.url)"}},"oneway":true}"#
        + "\0" + #"{"method":"io.scened.Router.RemoveRegistration","parameters":{"#
        + #""sceneHandle":"\#(scene.handle)","registrationId":"words"}}"#
    )
    _ = try client.reply(to: Wire.RemoveRegistration.self)
    #expect(try scene.delivery().registrationIDs == ["view"])
  }

  @Test(arguments: [CallMode.oneway, .plain], RouterUnderTest.Kind.allCases)
  func senderThatLeavesTakesNothingBack(_ mode: CallMode, _ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try Self.open(router, "app")
    do { _ = try router.send(.url(Self.url), mode) }
    #expect(try scene.acknowledgeNext().event.url == Self.url)
    #expect(try router.statistics().events["acknowledged"] == 1)
  }

  /// Its decision, that is: its trace would be as long as the search, and ends where it takes too long.
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func explanationTellsWhatTheEventWouldDo(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try Self.open(router, "app")
    let explained = try router.call(Wire.ExplainEvent(event: Wire.Event(url: Self.url))).decision
    #expect(explained.rule == "preferring")
    #expect(explained.sceneID == scene.id)
    #expect(explained.trace == [] && explained.traceOmitted == nil)
  }

  /// What others ask for is answered before it.
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func othersAreServedMeanwhile(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try Self.open(router, "app")
    let other = try router.open("other", preferring: ["short"])
    let senders = try (0..<8).map { _ in try router.send(Self.url) }
    let sender = try router.send("test:short")
    try other.acknowledgeNext()
    _ = try sender.outcome()
    #expect(try router.statistics().pendingDeliveries < 8)
    for _ in senders { try scene.acknowledgeNext() }
    for sender in senders { _ = try sender.outcome() }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func eventThatIsBeingSearchedAtTheEndIsRefused(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try Self.open(router, "app")
    let senders = try (0..<8).map { _ in try router.send(Self.url) }
    // Between two calls of one client another gets its turn: by then all events have been received.
    for _ in 0..<10 { _ = try router.statistics() }
    router.stop()
    var undecided = 0
    for sender in senders {
      guard case .serviceStopping(let error) = try sender.failure() else { throw Overdue("It was taken.") }
      if error.decision == nil { undecided += 1 }
    }
    // The others were searched before, and shown to the scene.
    #expect(undecided > 0)
    while try scene.next() != .closed("shutdown") {}
  }

  /// Nothing else is held for what is only explained.
  @Test func eventThatIsBeingSearchedCountsAsHeld() throws {
    // The words have 10,000 bytes, each event 20,000.
    let router = try RouterUnderTest { $0.bytesPerUser = 60_000 }
    let scene = try Self.open(router, "app")
    let client = try router.connect()
    let call = #"{"method":"io.scened.Router.ExplainEvent","parameters":{"event":{"url":"\#(Self.url)"}}}"#
    for _ in 0..<3 {
      try client.send([call, call, call].joined(separator: "\0"))
      for _ in 0..<2 {
        #expect(try client.reply(to: Wire.ExplainEvent.self).decision.sceneID == scene.id)
      }
      #expect(
        try client.failure() == .limitExceeded(Wire.LimitExceeded(limit: "bytesPerUser", maximum: 60_000))
      )
    }
  }
}
