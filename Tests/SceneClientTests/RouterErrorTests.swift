import Glibc
import SceneClient
import ScriptedService
import Testing

@Suite(.timeLimit(.minutes(2)))
struct RouterErrorTests {
  @Test(arguments: [
    ("io.scened.Router.NoSuchScene", #"{"sceneId":"s"}"#, RouterError.Code.noSuchScene(id: "s")),
    ("io.scened.Router.NoSuchScene", "{}", .noSuchScene(id: nil)),
    ("io.scened.Router.NoSuchRegistration", #"{"registrationId":"r"}"#, .noSuchRegistration(id: "r")),
    ("io.scened.Router.NoSuchApplication", #"{"applicationId":"a"}"#, .noSuchApplication(id: "a")),
    ("io.scened.Router.NoSuchDelivery", #"{"deliveryId":"v"}"#, .noSuchDelivery(id: "v", result: nil)),
    (
      "io.scened.Router.NoSuchOpenRequest", #"{"openRequestId":"q","result":"opened"}"#,
      .noSuchOpenRequest(id: "q", result: .opened)
    ),
    (
      "io.scened.Router.SceneAlreadyOpen", #"{"applicationId":"a","sceneId":"s"}"#,
      .sceneAlreadyOpen(application: "a", scene: "s")
    ),
    (
      "io.scened.Router.ApplicationAlreadyDeclared", #"{"applicationId":"a","processId":1}"#,
      .applicationAlreadyDeclared(application: "a", process: 1)
    ),
    ("io.scened.Router.NoSuchEvent", #"{"eventId":"e"}"#, .noSuchEvent(id: "e")),
    ("io.scened.Router.ServiceStopping", "{}", .serviceStopping),
    (
      "io.scened.Router.LimitExceeded", #"{"limit":"urlLength","maximum":65536}"#,
      .limitExceeded(limit: "urlLength", maximum: 65536)
    ),
    ("io.scened.Router.NotRouted", #"{"decision":\#(Sample.decision)}"#, .protocolViolation),
    ("io.scened.Router.Newer", "{}", .unrecognized("io.scened.Router.Newer")),
    ("org.varlink.service.InvalidParameter", #"{"parameter":"a.b"}"#, .invalidParameter(path: "a.b")),
    ("org.varlink.service.PermissionDenied", "{}", .permissionDenied),
    (
      "org.varlink.service.MethodNotFound", #"{"method":"io.scened.Router.New"}"#,
      .notSupported("io.scened.Router.New")
    ),
    ("org.varlink.service.MethodNotImplemented", #"{"method":"m"}"#, .notSupported("m")),
    ("org.varlink.service.InterfaceNotFound", #"{"interface":"i"}"#, .notSupported("i")),
  ])
  func codeTellsTheErrorOfTheReply(name: String, parameters: String, code: RouterError.Code) async throws {
    try await withRouter { _, ordinary in
      _ = try ordinary.nextCall()
      try ordinary.send(#"{"error":"\#(name)","parameters":\#(parameters)}"#)
    } _: { router in
      let error = await #expect(throws: RouterError.self) { _ = try await router.statistics() }
      #expect(error?.code == code)
      #expect(error?.description.hasSuffix(".") == true)
    }
  }

  @Test func replyOfTheWrongTypeIsAProtocolViolation() async throws {
    try await withRouter { _, ordinary in
      _ = try ordinary.nextCall()
      try ordinary.reply("{}")
    } _: { router in
      let error = await #expect(throws: RouterError.self) { _ = try await router.statistics() }
      #expect(error?.code == .protocolViolation)
      #expect(
        error?.description
          == "The reply of the service is not as described. The parameter generation is missing."
      )
    }
  }

  @Test func messageThatNoRouterTakesIsALimit() async throws {
    try await withRouter { _, ordinary in
      try ordinary.expectEnd()
    } _: { router in
      let url = "x:" + String(repeating: "x", count: 1 << 20)
      let error = await #expect(throws: RouterError.self) { _ = try await router.explain(Event(url: url)) }
      #expect(error?.code == .limitExceeded(limit: "messageLength", maximum: 1 << 20))
      router.close()
    }
  }

  @Test func routerThatIsNotThereIsNamed() async throws {
    let error = await #expect(throws: RouterError.self) {
      _ = try await RouterConnection(socketPath: "/nowhere/io.scened.Router")
    }
    #expect(error?.code == .nobodyListens)
    #expect(
      error?.description == "The router cannot be reached. "
        + "The call connect failed for '/nowhere/io.scened.Router': No such file or directory."
    )
  }

  @Test(arguments: ["", "/dev/null/socket", "/" + String(repeating: "x", count: 200)])
  func socketThatCannotBeUsedIsAnotherError(path: String) async throws {
    let error = await #expect(throws: RouterError.self) { _ = try await RouterConnection(socketPath: path) }
    #expect(error?.code == .cannotConnect)
    #expect(error?.description.hasPrefix("The router cannot be reached. ") == true)
  }

  @Test func refusalNamesBothUsers() async throws {
    let denied = #"{"error":"org.varlink.service.PermissionDenied"}"#
    let sentence = "The router of user \(geteuid()) refuses user \(geteuid())."
    try await withRouter { listener, ordinary in
      _ = try ordinary.nextCall()
      try ordinary.send(denied)
      for _ in 0..<3 {
        let connection = try listener.accept()
        _ = try connection.nextCall()
        try connection.send(denied)
      }
    } _: { router in
      for call in [
        { () async throws in _ = try await router.statistics() },
        { () async throws in _ = try await router.scenes() },
        { () async throws in _ = try await router.send(Event(url: "x:1")) },
        { () async throws in for try await _ in try await router.sendUpdates(Event(url: "x:1")) {} },
      ] {
        let error = await #expect(throws: RouterError.self) { try await call() }
        #expect(error?.code == .permissionDenied)
        #expect(error?.description == sentence)
      }
    }
  }

  @Test func closedConnectionMakesNoMoreCalls() async throws {
    try await withRouter { _, ordinary in
      try ordinary.expectEnd()
    } _: { router in
      router.close()
      for call in [
        { () async throws in _ = try await router.statistics() },
        { () async throws in _ = try await router.send(Event(url: "x:1")) },
        { () async throws in _ = try await router.openScene(application: "a") },
      ] {
        let error = await #expect(throws: RouterError.self) { try await call() }
        #expect(error?.code == .connectionLost)
      }
    }
  }
}
