import SceneClient
import ScriptedService
import Testing
import Varlink

@Suite(.timeLimit(.minutes(20)))
struct OpenSceneTests {
  private static let opened = #"{"opened":{"sceneId":"s1","sceneHandle":"h1","generation":3}}"#

  private static func delivery(_ id: String) -> String {
    #"{"delivery":{"deliveryId":"\#(id)","decisionId":"d1","event":{"url":"x:\#(id)"},"registrationIds":["r"],"#
      + #""eventId":"e-\#(id)","activationToken":"t","timeoutUSec":10000000,"#
      + #""sender":{"processId":7,"name":"n","applicationId":"b"}}}"#
  }

  @Test func deliveriesComeInOrderAndAreAnswered() async throws {
    try await withRouter { listener, ordinary in
      let scene = try listener.accept()
      let call = try scene.nextCall()
      #expect(call.mode == .more)
      #expect(
        call.parameters
          == #"{"context":{"applicationId":"a","declarationId":"d","title":"T","registrations":"#
          + #"[{"registrationId":"r","preferring":["p"],"allowing":[]}]},"maxPendingDeliveries":4}"#
      )
      try scene.reply(Self.opened, continues: true)
      for id in ["v1", "v2", "v3"] { try scene.reply(Self.delivery(id), continues: true) }
      try ordinary.expect("Router.AcknowledgeDelivery", #"{"sceneHandle":"h1","deliveryId":"v1"}"#)
      try ordinary.reply("{}")
      try ordinary.expect("Router.DeclineDelivery", #"{"sceneHandle":"h1","deliveryId":"v2","reason":"no"}"#)
      try ordinary.fail("NoSuchDelivery", #"{"deliveryId":"v2","result":"timeout"}"#)
      #expect(try ordinary.nextCall().mode == .oneway)
      try scene.reply(#"{"closed":"shutdown"}"#)
    } _: { router in
      let scene = try await router.openScene(
        application: "a",
        declaration: "d",
        title: "T",
        registrations: [Registration(id: "r", preferring: ["p"])],
        maxPendingDeliveries: 4
      )
      #expect(scene.id == "s1")
      #expect(scene.generation == 3)
      var ids: [String] = []
      for try await delivery in scene.deliveries {
        ids.append(delivery.id)
        #expect(delivery.event == Event(url: "x:\(delivery.id)"))
        switch delivery.id {
        case "v1":
          #expect(delivery.registrationIDs == ["r"])
          #expect((delivery.activationToken, delivery.eventID) == ("t", "e-v1"))
          #expect(delivery.timeout == .seconds(10))
          #expect(delivery.sender?.json == #"{"processId":7,"name":"n","applicationId":"b"}"#)
          #expect((delivery.sender?.processID, delivery.sender?.name) == (7, "n"))
          #expect(delivery.sender?.applicationID == "b")
          #expect(try await delivery.acknowledge() == .accepted)
        case "v2":
          #expect(try await delivery.decline(reason: "no") == .tooLate(.timeout))
        default:
          try await delivery.acknowledgeOneway()
        }
      }
      #expect(ids == ["v1", "v2", "v3"])
    }
  }

  /// The client runs the example in the documentation of `RouterConnection`: a loop that acknowledges each delivery.
  @Test func lateAnswersDoNotEndTheLoop() async throws {
    try await withRouter { listener, ordinary in
      let scene = try listener.accept()
      _ = try scene.nextCall()
      try scene.reply(Self.opened, continues: true)
      for id in ["v1", "v2", "v3"] { try scene.reply(Self.delivery(id), continues: true) }
      for (error, id) in [("NoSuchDelivery", "v1"), ("NoSuchScene", "v2")] {
        try ordinary.expect("Router.AcknowledgeDelivery", #"{"sceneHandle":"h1","deliveryId":"\#(id)"}"#)
        try ordinary.fail(error, #"{"deliveryId":"\#(id)","result":"timeout"}"#)
      }
      try ordinary.expect("Router.AcknowledgeDelivery", #"{"sceneHandle":"h1","deliveryId":"v3"}"#)
      try ordinary.reply("{}")
      try scene.reply(#"{"closed":"requested"}"#)
    } _: { router in
      let scene = try await router.openScene(application: "a")
      var ids: [String] = []
      for try await delivery in scene.deliveries {
        ids.append(delivery.id)
        try await delivery.acknowledge()
      }
      #expect(ids == ["v1", "v2", "v3"])
    }
  }

  @Test func messagesTellAllThatIsKnown() async throws {
    try await withRouter { listener, _ in
      let scene = try listener.accept()
      _ = try scene.nextCall()
      try scene.reply(Self.opened, continues: true)
      try scene.reply(Self.delivery("v1"), continues: true)
      try scene.reply(#"{"withdrawn":{"deliveryId":"v1","reason":"timeout"}}"#, continues: true)
      try scene.reply(#"{"continued":{"activityType":"t","by":"laptop"}}"#, continues: true)
      try scene.reply(#"{"continued":{"activityType":"u"}}"#, continues: true)
      try scene.reply(#"{"somethingNew":true}"#, continues: true)
      try scene.reply(#"{"closed":"requested"}"#)
    } _: { router in
      let scene = try await router.openScene(application: "a")
      var messages: [String] = []
      for try await message in scene.messages {
        switch message {
        case .delivery(let delivery): messages.append("delivery \(delivery.id)")
        case .withdrawn(let withdrawal):
          messages.append("\(withdrawal.reason.rawValue) \(withdrawal.deliveryID ?? "")")
        case .continued(let continuation):
          messages.append("\(continuation.activityType) by \(continuation.taker ?? "nobody")")
        case .reopened: messages.append("reopened")
        case .closed(let reason): messages.append("closed \(reason == .requested)")
        }
      }
      #expect(messages == ["delivery v1", "timeout v1", "t by laptop", "u by nobody", "closed true"])
    }
  }

  @Test func changesGoOutUnderTheHandle() async throws {
    try await withRouter { listener, ordinary in
      let scene = try listener.accept()
      _ = try scene.nextCall()
      try scene.reply(Self.opened, continues: true)
      let calls = [
        (
          "SetRegistration",
          #""registration":{"registrationId":"r","preferring":["p"],"allowing":["*"]}"#
        ),
        (
          "SetRegistration",
          #""registration":{"registrationId":"r","preferring":[],"allowing":[],"showing":["x:1","x:2"]}"#
        ),
        ("RemoveRegistration", #""registrationId":"r""#),
        ("UpdateScene", #""title":"T""#),
        ("UpdateScene", #""isActive":true"#),
      ]
      for (index, (method, parameters)) in calls.enumerated() {
        try ordinary.expect("Router.\(method)", #"{"sceneHandle":"h1",\#(parameters)}"#)
        try ordinary.reply(#"{"generation":\#(index + 4)}"#)
      }
      for activity in [
        #","activity":{"activityType":"t","title":"\#(String(repeating: "é", count: 512))","#
          + #""userInfo":{"a" : 1},"isEligibleForHandoff":true}"#, "",
      ] {
        try ordinary.expect("Router.SetActivity", #"{"sceneHandle":"h1"\#(activity)}"#)
        try ordinary.reply("{}")
      }
      try ordinary.expect("Router.CloseScene", #"{"sceneHandle":"h1"}"#)
      try scene.reply(#"{"closed":"requested"}"#)
      try ordinary.reply(#"{"generation":9}"#)
    } _: { router in
      let scene = try await router.openScene(application: "a")
      #expect(try await scene.setRegistration("r", preferring: ["p"], allowing: ["*"]) == 4)
      #expect(try await scene.setRegistration("r", showing: ["x:1", "x:2"]) == 5)
      #expect(try await scene.removeRegistration("r") == 6)
      #expect(try await scene.update(title: "T") == 7)
      #expect(try await scene.becomeActive() == 8)
      let activity = Activity(
        "t",
        title: String(repeating: "é", count: 600),
        userInfo: try UserInfo(json: #"{"a" : 1}"#),
        isEligibleForHandoff: true
      )
      try await scene.setActivity(activity)
      try await scene.setActivity(nil)
      #expect(try await scene.close() == 9)
      var iterator = scene.deliveries.makeAsyncIterator()
      #expect(try await iterator.next() == nil)
    }
  }

  @Test func refusedSceneIsAnError() async throws {
    try await withRouter { listener, _ in
      let scene = try listener.accept()
      _ = try scene.nextCall()
      try scene.fail("SceneAlreadyOpen", #"{"applicationId":"a","sceneId":"s0"}"#)
      try scene.expectEnd()
    } _: { router in
      let error = await #expect(throws: RouterError.self) {
        _ = try await router.openScene(application: "a")
      }
      #expect(error?.code == .sceneAlreadyOpen(application: "a", scene: "s0"))
    }
  }

  @Test func cancelledIterationClosesTheScene() async throws {
    let isDelivered = Signal()
    try await withRouter { listener, _ in
      let scene = try listener.accept()
      _ = try scene.nextCall()
      try scene.reply(Self.opened, continues: true)
      try scene.reply(Self.delivery("v1"), continues: true)
      try scene.expectEnd()
    } _: { router in
      let scene = try await router.openScene(application: "a")
      let iteration = Task {
        for try await _ in scene.deliveries { isDelivered.fire() }
      }
      await isDelivered.wait()
      iteration.cancel()
      let result = await iteration.result
      let error = #expect(throws: RouterError.self) { try result.get() }
      #expect(error?.code == .cancelled)
    }
  }

  @Test func sceneThatNobodyHoldsIsClosed() async throws {
    try await withRouter { listener, _ in
      let scene = try listener.accept()
      _ = try scene.nextCall()
      try scene.reply(Self.opened, continues: true)
      try scene.expectEnd()
    } _: { router in
      _ = try await router.openScene(application: "a")
    }
  }

  @Test func lostConnectionIsAnError() async throws {
    try await withRouter { listener, _ in
      let scene = try listener.accept()
      _ = try scene.nextCall()
      try scene.reply(Self.opened, continues: true)
      scene.close()
    } _: { router in
      let scene = try await router.openScene(application: "a")
      var iterator = scene.messages.makeAsyncIterator()
      let error = await #expect(throws: RouterError.self) { _ = try await iterator.next() }
      #expect(error?.code == .connectionLost)
    }
  }
}
