import Glibc
import RouterInterface
import TestSupport
import Testing
import Varlink

@Suite struct OpenRequestTests {
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func openedSceneGetsTheEventFirst(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let application = try router.declare()
    var call = Wire.SendEventCall.url("test:one")
    call.activationToken = "token"
    call.eventID = "id"
    let sender = try router.send(call)
    let request = try application.request()
    #expect((request.declarationID, request.event.url) == ("main", "test:one"))
    #expect((request.activationToken, request.eventID) == ("token", "id"))
    #expect(request.timeoutUSec > 0 && request.timeoutUSec <= 10_000_000)
    let scene = try router.open(answering: request)
    let delivery = try scene.acknowledgeNext()
    #expect((delivery.decisionID, delivery.registrationIDs) == (request.decisionID, []))
    #expect(delivery.eventID == "id")
    let outcome = try sender.outcome()
    #expect((outcome.decision.target, outcome.decision.rule) == (.newScene, .default))
    #expect((outcome.decision.applicationID, outcome.decision.declarationID) == ("app", "main"))
    #expect((outcome.decision.sceneID, outcome.decision.registrationIDs) == (nil, []))
    let settlement = Settlement(
      decisionID: request.decisionID,
      deliveryID: delivery.deliveryID,
      openRequestID: request.openRequestID,
      sceneID: scene.id,
      result: .acknowledged
    )
    #expect(outcome.settlement == settlement)
    // The scene named no declaration. The router has given it the declaration of the open request.
    #expect(try router.call(Wire.ListScenesCall()).scenes.map(\.context.declarationID) == ["main"])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func eventsOfOneTextWaitForOneScene(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let application = try router.declare()
    let urls = ["test:Caf\u{E9}", "TEST:CAFE", "test:cafe\u{301}"]
    let senders = try urls.map { try router.send($0) }
    let otherSender = try router.send("test:other")
    let request = try application.request()
    let other = try application.request()
    #expect([request, other].map(\.event.url) == [urls[0], "test:other"])
    let scene = try router.open(allowing: [], answering: request)
    for (url, sender) in zip(urls, senders) {
      #expect(try scene.acknowledgeNext().event.url == url)
      #expect(try sender.outcome().settlement.openRequestID == request.openRequestID)
    }
    try application.decline(other, reason: "no")
    guard case .launchFailed(_, let settlement, _) = try otherSender.failure() else {
      throw Overdue("It was launched.")
    }
    #expect((settlement.result, settlement.reason) == (.launchFailed, "no"))
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func declinedRequestGoesOnToTheNextDeclaration(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let application = try router.declare(
      "app",
      ["first", "second"].map { SceneDeclaration(id: $0, matching: ["*"]) }
    )
    let sender = try router.send("test:one")
    try application.decline(application.request())
    let request = try application.request()
    #expect(request.declarationID == "second")
    try router.open(answering: request).acknowledgeNext()
    #expect(try sender.outcome().attempts.map(\.result) == [.launchFailed, .acknowledged])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func requestIsWithdrawnWhenItsLastEventIsGone(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let application = try router.declare()
    var call = Wire.SendEventCall.url("test:one")
    call.timeoutUSec = 100_000
    let first = try router.send(call)
    let request = try application.request()
    let second = try router.send(call)
    for sender in [first, second] {
      guard case .launchFailed(_, let settlement, _) = try sender.failure() else {
        throw Overdue("It was launched.")
      }
      #expect(settlement.reason == "The application did not open the scene in time.")
      #expect(settlement.openRequestID == request.openRequestID)
    }
    let withdrawal = Withdrawal(openRequestID: request.openRequestID, reason: .timeout)
    #expect(try application.next() == .withdrawn(withdrawal))
    try expectEnded(request.openRequestID, as: "timeout", router, application)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func answeringAgainTellsHowItEnded(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let application = try router.declare()
    _ = try router.send("test:one")
    let opened = try application.request()
    let scene = try router.open(answering: opened)
    try expectEnded(opened.openRequestID, as: "opened", router, application)
    try scene.close()

    _ = try router.send("test:two")
    let declined = try application.request()
    try application.decline(declined)
    try expectEnded(declined.openRequestID, as: "declined", router, application)

    for unknown in ["nonsense", declined.openRequestID + "0"] {
      try expectEnded(unknown, as: nil, router, application)
    }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func applicationThatLeavesFailsItsRequests(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let application = try router.declare()
    let sender = try router.send("test:one")
    let request = try application.request()
    try application.client.leave()
    guard case .launchFailed(_, let settlement, _) = try sender.failure() else {
      throw Overdue("It was launched.")
    }
    #expect(settlement.reason == "applicationGone")
    try expectEnded(request.openRequestID, as: "launchFailed", router, nil)
    #expect(try router.call(Wire.ListApplicationsCall()).applications == [])
    let gone = Wire.DeclineOpenRequestCall(
      applicationHandle: application.handle,
      openRequestID: request.openRequestID
    )
    #expect(try router.failure(of: gone) == .noSuchApplication(nil))
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func onlyTheApplicationThatWasAskedMayAnswer(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let application = try router.declare()
    let other = try router.declare("other", [])
    _ = try router.send("test:one")
    let request = try application.request()
    func refusal(_ application: String, _ declaration: String?) throws -> Wire.RouterErrorReply {
      let context = SceneContext(applicationID: application, declarationID: declaration)
      let call = Wire.OpenSceneCall(context: context, openRequestID: request.openRequestID)
      return try router.connect().failure(of: call, .more)
    }
    #expect(try refusal("other", "main") == .invalidParameter("context.applicationId"))
    #expect(try refusal("app", "wrong") == .invalidParameter("context.declarationId"))
    var foreign = Wire.DeclineOpenRequestCall(
      applicationHandle: other.handle,
      openRequestID: request.openRequestID
    )
    #expect(
      try router.failure(of: foreign)
        == .noSuchOpenRequest(openRequestID: request.openRequestID, result: nil)
    )
    foreign.applicationHandle = "nonsense"
    #expect(try router.failure(of: foreign) == .noSuchApplication(nil))
    // The request is still open.
    try router.open("app", "main", answering: request).acknowledgeNext()
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func applicationIsDeclaredByOneConnectionAtATime(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let application = try router.declare()
    let call = Wire.DeclareApplicationCall(applicationID: "app", scenes: [])
    let error = Wire.RouterErrorReply.applicationAlreadyDeclared(
      applicationID: "app",
      processID: Int64(getpid())
    )
    #expect(try router.connect().failure(of: call, .more) == error)
    try application.client.leave()
    let again = try router.declare()
    #expect(again.declared.generation > application.declared.generation)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func secondSceneOfAKindThatHasOneIsRefused(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let single = try router.declare("single", isSingleScene: true)
    let kinds = [SceneDeclaration(id: "only", isSingleton: true)]
    let several = try router.declare("several", kinds)
    for (application, declaration) in [("single", nil), ("several", "only")] as [(String, String?)] {
      let scene = try router.open(application, declaration)
      let context = SceneContext(applicationID: application, declarationID: declaration)
      let error = Wire.RouterErrorReply.sceneAlreadyOpen(applicationID: application, sceneID: scene.id)
      #expect(try router.connect().failure(of: Wire.OpenSceneCall(context: context), .more) == error)
    }
    withExtendedLifetime((single, several)) {}
  }

  private func expectEnded(
    _ request: String,
    as result: String?,
    _ router: RouterUnderTest,
    _ application: DeclaredApplication?
  ) throws {
    let error = Wire.RouterErrorReply.noSuchOpenRequest(openRequestID: request, result: result)
    let context = SceneContext(applicationID: "app")
    let call = Wire.OpenSceneCall(context: context, openRequestID: request)
    #expect(try router.connect().failure(of: call, .more) == error)
    guard let application else { return }
    let decline = Wire.DeclineOpenRequestCall(
      applicationHandle: application.handle,
      openRequestID: request
    )
    #expect(try router.failure(of: decline) == error)
  }
}
