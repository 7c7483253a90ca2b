import SceneClient
import ScriptedService
import Testing

@Suite(.timeLimit(.minutes(20)))
struct DeclaredApplicationTests {
  private static let declared = #"{"declared":{"applicationHandle":"h1","generation":3}}"#

  private static func openRequest(_ id: String) -> String {
    #"{"openRequest":{"openRequestId":"\#(id)","decisionId":"d1","declarationId":"main","event":{"url":"x:1"},"#
      + #""eventId":"e","timeoutUSec":60000000}}"#
  }

  @Test func openRequestsAreAnsweredWithAScene() async throws {
    try await withRouter { listener, ordinary in
      let application = try listener.accept()
      try application.expect(
        "Router.DeclareApplication",
        #"{"applicationId":"a","scenes":[{"declarationId":"main","title":"T","matching":["x"]},"#
          + #"{"declarationId":"doc","kind":"documentGroup","supportedTypes":["png"],"isSingleton":true}],"#
          + #""claims":{"schemes":["x"],"hosts":["*.a.test","a.test/b"]},"isSingleScene":true}"#
      )
      try application.reply(Self.declared, continues: true)
      try application.reply(Self.openRequest("q1"), continues: true)
      let scene = try listener.accept()
      try scene.expect(
        "Router.OpenScene",
        #"{"context":{"applicationId":"a","declarationId":"main","title":"T"},"openRequestId":"q1"}"#
      )
      try scene.reply(#"{"opened":{"sceneId":"s1","sceneHandle":"h2","generation":4}}"#, continues: true)
      try application.reply(Self.openRequest("q2"), continues: true)
      try ordinary.expect(
        "Router.DeclineOpenRequest",
        #"{"applicationHandle":"h1","openRequestId":"q2","reason":"full"}"#
      )
      try ordinary.reply("{}")
      for (error, id) in [("NoSuchOpenRequest", "q3"), ("NoSuchApplication", "q4")] {
        try application.reply(Self.openRequest(id), continues: true)
        _ = try ordinary.nextCall()
        try ordinary.fail(error, #"{"openRequestId":"\#(id)","result":"timeout"}"#)
      }
      try application.expectEnd()
    } _: { router in
      let application = try await router.declareApplication(
        "a",
        scenes: [
          .windowGroup("main", title: "T", matching: ["x"]),
          .documentGroup("doc", supportedTypes: ["png"], isSingleton: true),
        ],
        claims: Claims(schemes: ["x"], hosts: ["*.a.test", "a.test/b"]),
        isSingleScene: true
      )
      #expect(application.generation == 3)
      var iterator = application.openRequests.makeAsyncIterator()
      let first = try #require(try await iterator.next())
      #expect(first.declarationID == "main")
      #expect(first.event == Event(url: "x:1"))
      #expect(first.eventID == "e")
      #expect(first.timeout == .seconds(60))
      #expect(try await first.openScene(title: "T").id == "s1")
      #expect(try await iterator.next()?.decline(reason: "full") == .accepted)
      #expect(try await iterator.next()?.decline() == .tooLate(.timeout))
      #expect(try await iterator.next()?.decline() == .tooLate(.launchFailed))
      application.close()
      #expect(try await iterator.next() == nil)
    }
  }

  @Test func messagesTellAllThatIsKnown() async throws {
    try await withRouter { listener, _ in
      let application = try listener.accept()
      _ = try application.nextCall()
      try application.reply(Self.declared, continues: true)
      try application.reply(Self.openRequest("q1"), continues: true)
      try application.reply(#"{"somethingNew":true}"#, continues: true)
      try application.reply(#"{"withdrawn":{"openRequestId":"q1","reason":"later"}}"#, continues: true)
      try application.reply(#"{"closed":"shutdown"}"#)
    } _: { router in
      let application = try await router.declareApplication("a", scenes: [])
      var messages: [String] = []
      for try await message in application.messages {
        switch message {
        case .openRequest(let request): messages.append("\(request.applicationID) \(request.id)")
        case .withdrawn(let withdrawal):
          messages.append("\(withdrawal.reason.rawValue) \(withdrawal.openRequestID ?? "")")
        case .closed(let reason): messages.append("closed \(reason == .shutdown)")
        }
      }
      #expect(messages == ["a q1", "later q1", "closed true"])
    }
  }
}
