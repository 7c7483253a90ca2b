import RouterInterface
import TestSupport
import Testing
import Varlink

@Suite struct SceneStreamTests {
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func firstReplySaysThatTheSceneIsOpen(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let first = try router.open()
    let second = try router.open()
    #expect(first.id != second.id)
    #expect(first.handle != second.handle)
    #expect(second.opened.generation > first.opened.generation)
    #expect(try router.statistics().generation == second.opened.generation)
    #expect(try router.call(Wire.ListScenesCall()).scenes.map(\.runtime.sceneID) == [first.id, second.id])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func closingEndsTheStreamAndNotTheConnection(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let reply = try scene.close()
    #expect(reply.generation > scene.opened.generation)
    #expect(try scene.next() == .closed("requested"))
    #expect(!scene.client.continues)
    #expect(try scene.client.call(Wire.ListScenesCall()).scenes == [])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func closingTwiceIsRefused(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    try scene.close()
    let again = Wire.CloseSceneCall(sceneHandle: scene.handle)
    #expect(try router.failure(of: again) == .noSuchScene(nil))
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func sceneIsOpenForAsLongAsItsConnection(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let monitor = try router.monitor()
    let id = try router.open().id
    #expect(try monitor.next { if case .sceneClosed = $0 { true } else { false } } == .sceneClosed(id))
    #expect(try router.call(Wire.ListScenesCall()).scenes == [])
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func everyStreamAndEverySenderLearnsOfTheEnd(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let monitor = try router.monitor(showDecisions: false, showRegistry: false)
    let scene = try router.open("scenes", preferring: ["shown"], allowing: [])
    let application = try router.declare()
    let sender = try router.send("test:shown")
    let delivery = try scene.delivery()
    let watcher = try router.send(.url("test:requested"), .more)
    let request = try application.request()
    #expect(try watcher.decision().target == .newScene)

    router.stop()
    #expect(
      try scene.next() == .withdrawn(Withdrawal(deliveryID: delivery.deliveryID, reason: .shutdown))
    )
    #expect(try scene.next() == .closed("shutdown"))
    #expect(
      try application.next()
        == .withdrawn(Withdrawal(openRequestID: request.openRequestID, reason: .shutdown))
    )
    #expect(try application.next() == .closed("shutdown"))
    #expect(try monitor.next() == .closed("shutdown"))
    guard case .serviceStopping(let stopping, isShown: true) = try sender.failure() else {
      throw Overdue("The sender did not learn that the service stops.")
    }
    #expect(stopping?.decisionID == delivery.decisionID)
    #expect(try watcher.settlement().result == .shutdown)
    guard case .serviceStopping(_, isShown: true) = try watcher.failure() else {
      throw Overdue("The watcher did not learn that the service stops.")
    }
    for client in [monitor.client, scene.client, application.client, sender, watcher] {
      #expect(!client.continues)
      #expect(try client.end() == [])
    }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func decisionsSeeEachChangeThatWasAnswered(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open(allowing: [])
    func explain() throws -> RouteDecision {
      try router.call(Wire.ExplainEventCall(event: Event(.url("test:one")))).decision
    }
    #expect(try explain().target == .nothing)

    let registration = Registration(id: "new", preferring: ["one"], allowing: [])
    let set = try router.call(Wire.SetRegistrationCall(sceneHandle: scene.handle, registration: registration))
    #expect(set.generation > scene.opened.generation)
    var decision = try explain()
    #expect(decision.generation == set.generation)
    #expect((decision.rule, decision.matchedPattern) == (.preferring, "one"))
    #expect((decision.matchedString, decision.matchedField) == ("test:one", .url))
    #expect((decision.sceneID, decision.registrationIDs) == (scene.id, ["new"]))

    let removed = try router.call(
      Wire.RemoveRegistrationCall(sceneHandle: scene.handle, registrationID: "new")
    )
    #expect(removed.generation > set.generation)
    decision = try explain()
    #expect((decision.target, decision.generation) == (.nothing, removed.generation))

    let unchanged = try router.call(Wire.UpdateSceneCall(sceneHandle: scene.handle, isActive: false))
    #expect(unchanged.generation == removed.generation)
    let renamed = try router.call(Wire.UpdateSceneCall(sceneHandle: scene.handle, title: "New"))
    #expect(renamed.generation > removed.generation)
  }
}
