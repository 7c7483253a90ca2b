import SceneClient
import ScriptedService
import Testing

/// How a client deals with its events after the router has restarted, so that no scene is shown an event twice.
@Suite(.timeLimit(.minutes(20)))
struct RestartTests {
  private static let decision = #"{"decisionId":"d1","generation":7,"target":"none"}"#

  private static func opened(_ id: String) -> String {
    #"{"opened":{"sceneId":"\#(id)","sceneHandle":"h-\#(id)","generation":3}}"#
  }

  private static func delivery(_ id: String, of event: String, decision: String = "d") -> String {
    #"{"delivery":{"deliveryId":"\#(id)","decisionId":"\#(decision)","event":{"url":"x:\#(event)"},"#
      + #""registrationIds":["r"],"eventId":"\#(event)","timeoutUSec":1}}"#
  }

  private static func openRequest(_ number: Int) -> String {
    #"{"openRequest":{"openRequestId":"r\#(number)","decisionId":"d\#(number)","declarationId":"main","#
      + #""event":{"url":"x:e\#(number)"},"eventId":"e\#(number)","timeoutUSec":1}}"#
  }

  private static func scene(taken ids: [String], title: String? = nil) -> String {
    let title = title.map { #","title":"\#($0)""# } ?? ""
    let taken = ids.isEmpty ? "" : #","takenEventIds":[\#(ids.map { #""\#($0)""# }.joined(separator: ","))]"#
    return #"{"context":{"applicationId":"a"\#(title)}\#(taken)}"#
  }

  /// The router ends before the outcome of the event is known.
  ///
  /// With the argument `nil`, the connection is lost. With the other arguments, the router says that it stops, and
  /// whether the event was shown to a scene.
  @Test(arguments: [nil, #"{"isShown":false}"#, #"{"isShown":true}"#])
  func eventIsSentAgainWithTheSameID(_ stopping: String?) async throws {
    try await withRouter(reconnects: true) { listener, ordinary in
      let events = try listener.accept()
      let first = try events.nextCall()
      #expect(first.parameters.contains(#""eventId":""#))
      if let stopping { try events.fail("ServiceStopping", stopping) }
      for peer in [events, ordinary] { peer.close() }
      let next = try listener.accept()
      let again = try listener.accept()
      #expect(try again.nextCall() == first)
      try again.fail("NotRouted", #"{"decision":\#(Self.decision)}"#)
      try next.expectEnd()
    } _: { router in
      let outcome = try await router.send(Event(url: "x:1"))
      #expect(!outcome.isTaken)
      router.close()
    }
  }

  @Test func stepsOfAnEventGoOnAtTheNextRouter() async throws {
    try await withRouter(reconnects: true) { listener, ordinary in
      let events = try listener.accept()
      let first = try events.nextCall()
      try events.reply(#"{"decision":\#(Sample.decision)}"#, continues: true)
      try events.fail("ServiceStopping", #"{"isShown":true}"#)
      for peer in [events, ordinary] { peer.close() }
      let next = try listener.accept()
      let again = try listener.accept()
      #expect(try again.nextCall() == first)
      try again.reply(
        #"{"decision":\#(Sample.decision),"settlement":\#(Sample.acknowledged),"#
          + #""attempts":[\#(Sample.acknowledged)]}"#
      )
      try next.expectEnd()
    } _: { router in
      var steps: [EventProgress] = []
      for try await step in try await router.sendUpdates(Event(url: "x:1")) { steps.append(step) }
      #expect(steps.count == 2)
      guard case .decision? = steps.first, case .ended(.taken)? = steps.last else {
        throw Unexpected(description: "\(steps)")
      }
      router.close()
    }
  }

  /// The scene gets four events.
  ///
  /// The scene acknowledges the first event and declines the second event. The router withdraws the third event, and,
  /// because it stops, the fourth event, which the scene has not settled and keeps.
  @Test func sceneTellsWhichEventsItWasShown() async throws {
    try await withRouter(reconnects: true) { listener, ordinary in
      let scene = try listener.accept()
      try scene.expect("Router.OpenScene", Self.scene(taken: []))
      try scene.reply(Self.opened("s1"), continues: true)
      for number in 1...4 { try scene.reply(Self.delivery("v\(number)", of: "e\(number)"), continues: true) }
      for withdrawal in [#""deliveryId":"v4","reason":"shutdown""#, #""deliveryId":"v3","reason":"timeout""#]
      {
        try scene.reply(#"{"withdrawn":{\#(withdrawal)}}"#, continues: true)
      }
      for method in ["AcknowledgeDelivery", "DeclineDelivery", "UpdateScene"] {
        #expect(try ordinary.nextCall().method == "io.scened.Router.\(method)")
        try ordinary.reply(method == "UpdateScene" ? #"{"generation":1}"# : "{}")
      }
      for peer in [ordinary, scene] { peer.close() }
      let next = try listener.accept()
      let again = try listener.accept()
      let call = try again.nextCall()
      #expect(call.parameters == Self.scene(taken: ["e1", "e4"], title: ""))
      try again.reply(Self.opened("s2"), continues: true)
      // The next router delivers "e4" again. The client acknowledges the delivery and does not pass "e4" to the scene a
      // second time.
      try again.reply(Self.delivery("w4", of: "e4"), continues: true)
      try next.expect("Router.AcknowledgeDelivery", #"{"sceneHandle":"h-s2","deliveryId":"w4"}"#)
      try again.reply(Self.delivery("w5", of: "e5"), continues: true)
      try next.expectEnd()
    } _: { router in
      let scene = try await router.openScene(application: "a")
      var messages = scene.messages.makeAsyncIterator()
      var deliveries: [Delivery] = []
      for _ in 1...4 {
        guard case .delivery(let delivery)? = try await messages.next() else {
          throw Unexpected(description: "No delivery")
        }
        deliveries.append(delivery)
      }
      guard case .withdrawn(let withdrawal)? = try await messages.next() else {
        throw Unexpected(description: "No withdrawal")
      }
      #expect(withdrawal.deliveryID == "v3")
      #expect(try await deliveries[0].acknowledge() == .accepted)
      #expect(try await deliveries[1].decline() == .accepted)
      try await scene.update(title: "")
      guard case .reopened? = try await messages.next(), case .delivery(let last)? = try await messages.next()
      else { throw Unexpected(description: "The scene is not opened again.") }
      #expect(last.eventID == "e5")
      // The router that delivered "e4" is gone, and the client has told the next router that "e4" is taken. It is too
      // late to decline "e4".
      #expect(try await deliveries[3].decline() == .tooLate(.acknowledged))
      #expect(try await deliveries[3].acknowledge() == .accepted)
      router.close()
    }
  }

  @Test func olderRouterIsNotToldWhatWasShown() async throws {
    try await withRouter(reconnects: true) { listener, ordinary in
      let scene = try listener.accept()
      _ = try scene.nextCall()
      try scene.reply(Self.opened("s1"), continues: true)
      try scene.reply(Self.delivery("v1", of: "e1"), continues: true)
      _ = try ordinary.nextCall()
      for peer in [ordinary, scene] { peer.close() }
      let next = try listener.accept()
      let refused = try listener.accept()
      try refused.expect("Router.OpenScene", Self.scene(taken: ["e1"]))
      try refused.send(
        #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"takenEventIds"}}"#
      )
      let again = try listener.accept()
      try again.expect("Router.OpenScene", Self.scene(taken: []))
      try again.reply(Self.opened("s2"), continues: true)
      try next.expectEnd()
    } _: { router in
      let scene = try await router.openScene(application: "a")
      var messages = scene.messages.makeAsyncIterator()
      guard case .delivery(let delivery)? = try await messages.next() else {
        throw Unexpected(description: "No delivery")
      }
      try await delivery.acknowledge()
      guard case .reopened? = try await messages.next() else {
        throw Unexpected(description: "Not opened again.")
      }
      router.close()
    }
  }

  /// The connection to the router is lost before the application answers the router's request to open a scene.
  @Test func requestOfALostRouterOpensOneSceneWithItsEvent() async throws {
    try await withRouter(reconnects: true) { listener, ordinary in
      let application = try listener.accept()
      _ = try application.nextCall()
      try application.reply(#"{"declared":{"applicationHandle":"h","generation":3}}"#, continues: true)
      // The application keeps the request that the router withdraws, because the router withdraws it only to stop.
      let withdrawn = #"{"withdrawn":{"openRequestId":"r1","reason":"shutdown"}}"#
      for reply in [Self.openRequest(1), withdrawn, Self.openRequest(2)] {
        try application.reply(reply, continues: true)
      }
      _ = try ordinary.nextCall()
      for peer in [ordinary, application] { peer.close() }
      let next = try listener.accept()
      let again = try listener.accept()
      let call = try again.nextCall()
      #expect(call.method == "io.scened.Router.DeclareApplication")
      #expect(call.parameters == #"{"applicationId":"a","scenes":[],"takenEventIds":["e1","e2"]}"#)
      try again.reply(#"{"declared":{"applicationHandle":"h","generation":3}}"#, continues: true)
      let scene = try listener.accept()
      try scene.expect(
        "Router.OpenScene",
        #"{"context":{"applicationId":"a","declarationId":"main"},"takenEventIds":["e1"]}"#
      )
      try scene.reply(Self.opened("s1"), continues: true)
      try next.expectEnd()
    } _: { router in
      let application = try await router.declareApplication("a", scenes: [])
      var requests = application.openRequests.makeAsyncIterator()
      guard let request = try await requests.next(), try await requests.next() != nil else {
        throw Unexpected(description: "No request")
      }
      var states = router.states.makeAsyncIterator()
      // The script ends the connection after this call.
      _ = try? await router.reload()
      while let state = await states.next(), state != .connected {}
      let scene = try await request.openScene()
      var deliveries = scene.deliveries.makeAsyncIterator()
      let delivery = try await deliveries.next()
      #expect(delivery?.event.url == "x:e1")
      try await delivery?.acknowledge()
      router.close()
    }
  }
}

private struct Unexpected: Error {
  let description: String
}
