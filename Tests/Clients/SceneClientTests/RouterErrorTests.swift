import Glibc
import SceneClient
import ScriptedService
import Testing

@Suite(.timeLimit(.minutes(20)))
struct RouterErrorTests {
  /// An error as the service sends it, and as the client throws it.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: RouterError.Code
    let sentence: String

    init(_ name: String, _ parameters: String, _ code: RouterError.Code, _ sentence: String) {
      let name = name.contains(".") ? name : "io.scened.Router." + name
      testDescription = #"{"error":"\#(name)","parameters":\#(parameters)}"#
      self.code = code
      self.sentence = sentence
    }

    /// Returns the parameters of an error that tells how an event ended, such as `Declined`.
    static func end(_ result: String, reason: String? = nil) -> String {
      let reason = reason.map { #","reason":"\#($0)""# } ?? ""
      let settlement = #"{"decisionId":"d1","result":"\#(result)"\#(reason)}"#
      return #"{"decision":\#(Sample.decision),"settlement":\#(settlement),"attempts":[\#(settlement)]}"#
    }
  }

  @Test(arguments: [
    Case(
      "NoSuchScene",
      #"{"sceneId":"s"}"#,
      .noSuchScene(id: "s"),
      "There is no scene 's'."
    ),
    Case("NoSuchScene", "{}", .noSuchScene(id: nil), "The scene is not open any more."),
    Case(
      "NoSuchRegistration",
      #"{"registrationId":"r"}"#,
      .noSuchRegistration(id: "r"),
      "The scene has no registration 'r'."
    ),
    Case(
      "NoSuchApplication",
      #"{"applicationId":"a"}"#,
      .noSuchApplication(id: "a"),
      "There is no application 'a'."
    ),
    Case(
      "NoSuchApplication",
      "{}",
      .noSuchApplication(id: nil),
      "The application is not declared any more."
    ),
    Case(
      "NoSuchDelivery",
      #"{"deliveryId":"v"}"#,
      .noSuchDelivery(id: "v", result: nil),
      "There is no delivery 'v'."
    ),
    Case(
      "NoSuchDelivery",
      #"{"deliveryId":"v","result":"declined"}"#,
      .noSuchDelivery(id: "v", result: .declined),
      "The delivery 'v' is settled already: declined."
    ),
    Case(
      "NoSuchOpenRequest",
      #"{"openRequestId":"q"}"#,
      .noSuchOpenRequest(id: "q", result: nil),
      "There is no open request 'q'."
    ),
    Case(
      "NoSuchOpenRequest",
      #"{"openRequestId":"q","result":"opened"}"#,
      .noSuchOpenRequest(id: "q", result: .opened),
      "The open request 'q' has ended already: opened."
    ),
    Case(
      "SceneAlreadyOpen",
      #"{"applicationId":"a","sceneId":"s"}"#,
      .sceneAlreadyOpen(application: "a", scene: "s"),
      "The application 'a' already has the one scene it can have, 's'."
    ),
    Case(
      "ApplicationAlreadyDeclared",
      #"{"applicationId":"a","processId":7}"#,
      .applicationAlreadyDeclared(application: "a", process: 7),
      "The application 'a' is already declared by process 7."
    ),
    Case(
      "ApplicationAlreadyDeclared",
      #"{"applicationId":"a"}"#,
      .applicationAlreadyDeclared(application: "a", process: nil),
      "The application 'a' is already declared over another connection."
    ),
    Case("NoSuchEvent", #"{"eventId":"e"}"#, .noSuchEvent(id: "e"), "No event 'e' is remembered."),
    Case(
      "LimitExceeded",
      #"{"limit":"urlLength","maximum":65536}"#,
      .limitExceeded(limit: "urlLength", maximum: 65536),
      "The limit 'urlLength' is exceeded: at most 65536."
    ),
    Case(
      "NotRouted",
      #"{"decision":\#(Sample.decision)}"#,
      .protocolViolation,
      "No rule found a target for the event."
    ),
    Case("Declined", Case.end("declined"), .protocolViolation, "The event was declined."),
    Case(
      "Declined",
      Case.end("declined", reason: "busy"),
      .protocolViolation,
      "The event was declined: busy."
    ),
    Case(
      "Declined",
      Case.end("sceneClosed"),
      .protocolViolation,
      "The scene was closed before it took the event."
    ),
    Case("TimedOut", Case.end("timeout"), .protocolViolation, "The event was not taken in time."),
    Case(
      "LaunchFailed",
      Case.end("launchFailed", reason: "declined"),
      .protocolViolation,
      "No scene was opened for the event: declined."
    ),
    Case(
      "ServiceStopping",
      "{}",
      .serviceStopping,
      "The router is stopping; the outcome of the event is not known."
    ),
    Case(
      "Newer",
      #"{"any":1}"#,
      .unrecognized("io.scened.Router.Newer"),
      "The service answered with the error 'io.scened.Router.Newer'."
    ),
    Case(
      "NoSuchEvent",
      #"{"eventId":1}"#,
      .unrecognized("io.scened.Router.NoSuchEvent"),
      "The service answered with the error 'io.scened.Router.NoSuchEvent'."
    ),
    Case(
      "org.varlink.service.InterfaceNotFound",
      #"{"interface":"a.b"}"#,
      .notSupported("a.b"),
      "The service has no interface 'a.b'."
    ),
    Case(
      "org.varlink.service.MethodNotFound",
      #"{"method":"a.b.C"}"#,
      .notSupported("a.b.C"),
      "The service has no method 'a.b.C'."
    ),
    Case(
      "org.varlink.service.MethodNotFound",
      "{}",
      .unrecognized("org.varlink.service.MethodNotFound"),
      "The service answered with the error 'org.varlink.service.MethodNotFound'."
    ),
    Case(
      "org.varlink.service.MethodNotImplemented",
      #"{"method":"a.b.C"}"#,
      .notSupported("a.b.C"),
      "The service does not implement the method 'a.b.C'."
    ),
    Case(
      "org.varlink.service.InvalidParameter",
      #"{"parameter":"event.url"}"#,
      .invalidParameter(path: "event.url"),
      "The service does not accept the parameter 'event.url'."
    ),
    Case(
      "org.varlink.service.PermissionDenied",
      "{}",
      .permissionDenied,
      "The router of user \(geteuid()) refuses user \(geteuid())."
    ),
    Case(
      "org.varlink.service.ExpectedMore",
      "{}",
      .protocolViolation,
      "The method needs the 'more' flag."
    ),
  ])
  func errorOfTheReplyIsThrown(_ sent: Case) async throws {
    try await withRouter { _, ordinary in
      _ = try ordinary.nextCall()
      try ordinary.send(sent.testDescription)
    } _: { router in
      let error = await #expect(throws: RouterError.self) { _ = try await router.statistics() }
      #expect(error?.code == sent.code)
      #expect(error?.description == sent.sentence)
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
          == "The reply of the service does not fit its interface. The parameter generation is missing."
      )
    }
  }

  @Test func messageThatNoRouterTakesIsALimit() async throws {
    try await withRouter { _, ordinary in
      try ordinary.expectEnd()
    } _: { router in
      let url = "x:" + String(repeating: "x", count: 256 << 10)
      let error = await #expect(throws: RouterError.self) { _ = try await router.explain(Event(url: url)) }
      #expect(error?.code == .limitExceeded(limit: "messageLength", maximum: 256 << 10))
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
