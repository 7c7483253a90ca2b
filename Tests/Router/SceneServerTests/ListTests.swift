import Glibc
import RouterInterface
import SceneRouting
import TestSupport
import Testing
import Varlink

@Suite struct ListTests {
  @Test(arguments: RouterUnderTest.Kind.allCases)
  func listedSceneIsAllThatIsKnownOfIt(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let opened = try router.open("app", "kind", title: "Title", preferring: ["a", "b"], allowing: [])
    _ = try router.send("test:a")
    func list() throws -> SceneDescription {
      let reply = try router.call(Wire.ListScenesCall())
      #expect(try reply.generation == router.statistics().generation)
      return try #require(reply.scenes.first)
    }
    _ = try opened.delivery()
    var scene = try list()
    let view = Registration(id: "view", preferring: ["a", "b"], allowing: [])
    #expect(
      scene.context
        == SceneContext(
          applicationID: "app",
          declarationID: "kind",
          title: "Title",
          registrations: [view]
        )
    )
    #expect(scene.runtime.sceneID == opened.id)
    #expect(scene.runtime.processID == Int64(getpid()))
    #expect(scene.runtime.pendingDeliveries == 1)
    #expect(scene.runtime.activeUSec == nil)
    let now = Int64(time(nil)) * 1_000_000
    #expect(abs(scene.runtime.openedUSec - now) < 600_000_000)
    try router.call(Wire.UpdateSceneCall(sceneHandle: opened.handle, isActive: true))
    scene = try list()
    #expect((scene.runtime.activeUSec ?? 0) >= scene.runtime.openedUSec)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases, [CallMode.plain, .more])
  func allFiltersHaveToMatch(_ kind: RouterUnderTest.Kind, _ mode: CallMode) throws {
    let router = try RouterUnderTest(kind)
    let one = try router.open("first")
    let two = try router.open("second")
    let three = try router.open("first")
    let table: [(application: String?, scene: String?, listed: [String])] = [
      (nil, nil, [one.id, two.id, three.id]), ("first", nil, [one.id, three.id]), (nil, two.id, [two.id]),
      ("first", three.id, [three.id]), ("first", two.id, []), ("nobody", nil, []), (nil, "nonsense", []),
    ]
    for line in table {
      let call = Wire.ListScenesCall(applicationID: line.application, sceneID: line.scene)
      let calls = try router.calls()
      #expect(try calls.call(call, mode).scenes.map(\.runtime.sceneID) == line.listed, "\(line)")
      #expect(!calls.continues)
    }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases, [CallMode.plain, .more])
  func applicationsAreListedAsTheyWereDeclared(_ kind: RouterUnderTest.Kind, _ mode: CallMode) throws {
    let router = try RouterUnderTest(kind)
    let scenes = [
      SceneDeclaration(id: "none", kind: .windowGroup, matching: []),
      SceneDeclaration(id: "any", title: "Any", kind: .windowGroup, isSingleton: true),
      SceneDeclaration(
        id: "document",
        kind: .documentGroup,
        supportedTypes: ["png", "image/*"]
      ),
    ]
    let claims = Claims(
      schemes: ["mailto"],
      activityTypes: ["org.example"],
      mimeTypes: ["image/png"],
      hosts: ["Meet.example.org/", "*.example.org"]
    )
    let application = try router.declare("app", scenes, claims: claims, isSingleScene: true)
    let other = try router.declare("other", [])
    let calls = try router.calls()
    let all = try calls.call(Wire.ListApplicationsCall(), mode)
    #expect(all.applications.map(\.id) == ["app", "other"])
    #expect(all.generation == other.declared.generation)
    let listed = try #require(all.applications.first)
    #expect(listed.scenes.map(\.matching) == [[], nil, nil])
    #expect(listed.scenes.map(\.kind) == [.windowGroup, .windowGroup, .documentGroup])
    #expect(listed.scenes.map(\.isSingleton) == [false, true, false])
    #expect(listed.scenes.last?.supportedTypes == ["png", "image/*"])
    #expect(listed.claims == claims)
    #expect((listed.isSingleScene, listed.isRunning) == (true, true))
    #expect((listed.source, listed.path, listed.desktopID) == (.connection, nil, nil))
    #expect(try calls.call(Wire.ListApplicationsCall(applicationID: "app"), mode).applications == [listed])
    #expect(try calls.call(Wire.ListApplicationsCall(applicationID: "nobody"), mode).applications == [])
    withExtendedLifetime(application) {}
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func applicationsIDComesWithOrWithoutDesktop(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let application = try router.declare("app.desktop", [SceneDeclaration(id: "main")])
    let scene = try router.open("app.desktop.desktop")
    for id in ["app", "app.desktop"] {
      #expect(
        try router.call(Wire.ListScenesCall(applicationID: id)).scenes.map(\.runtime.sceneID) == [scene.id]
      )
      let listed = try router.call(Wire.ListApplicationsCall(applicationID: id)).applications
      #expect(listed.map(\.id) == ["app"] && listed.first?.desktopID == nil)
      let explained = try router.call(Wire.ExplainEventCall(event: Event(.url("x:a")), applicationID: id))
      #expect(explained.decision.applicationID == "app")
      #expect(
        try router.calls().failure(of: Wire.DeclareApplicationCall(applicationID: id, scenes: []), .more)
          == .applicationAlreadyDeclared(applicationID: "app", processID: Int64(getpid()))
      )
    }
    #expect(
      try router.failure(of: Wire.ExplainEventCall(event: Event(.url("x:a")), applicationID: "none.desktop"))
        == .noSuchApplication("none")
    )
    withExtendedLifetime((application, scene)) {}
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func longListComesInPiecesOrNotAtAll(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scenes = try (0..<20).map { try router.open(allowing: LargeText.identifiers($0)) }
    let tooLong = Wire.RouterErrorReply.limitExceeded(limit: "replySize", maximum: 1 << 20)
    #expect(try router.failure(of: Wire.ListScenesCall()) == tooLong)
    let calls = try router.calls()
    try calls.send(Wire.ListScenesCall(), .more)
    var pieces: [[SceneDescription]] = []
    repeat { pieces.append(try calls.reply(to: Wire.ListScenesCall.self).scenes) } while calls.continues
    #expect(pieces.count > 10)
    #expect(pieces.joined().map(\.runtime.sceneID) == scenes.map(\.id))
  }

  /// A list is refused if its reply is even one byte longer than the limit.
  @Test func listIsRefusedWhenTheReplyIsTooLong() throws {
    let length: Int
    do {
      let router = try RouterUnderTest()
      let scenes = try (0..<3).map { _ in try router.open() }
      try router.calls().send(Wire.ListScenesCall())
      length = try router.calls().message().count
      withExtendedLifetime(scenes) {}
    }
    for (limit, isRefused) in [(length, false), (length - 1, true)] {
      let router = try RouterUnderTest { $0.replySize = limit }
      let scenes = try (0..<3).map { _ in try router.open() }
      try router.calls().send(Wire.ListScenesCall())
      let reply = try router.calls().text()
      #expect(reply.contains("LimitExceeded") == isRefused, "\(reply)")
      withExtendedLifetime(scenes) {}
    }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func handlesAreNeverShown(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let application = try router.declare()
    for method in ["ListScenes", "ListApplications", "Monitor"] {
      let client = try router.connect()
      try client.send(#"{"method":"io.scened.Router.\#(method)","more":true}"#)
      let reply = try client.text()
      #expect(reply.contains("app"))
      for handle in [scene.handle, application.handle] {
        #expect(!reply.contains(handle))
        // A handle is too long to be guessed.
        #expect(handle.count == 32)
      }
    }
    let named = Wire.CloseSceneCall(sceneHandle: scene.id)
    #expect(try router.failure(of: named) == .noSuchScene(nil))
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func statisticsTellWhatIsThere(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let before = try router.statistics()
    #expect((before.scenes, before.applications, before.connections) == (0, 0, 1))
    let scene = try router.open()
    let application = try router.declare("quiet", [])
    let sender = try router.send("test:one")
    _ = try scene.delivery()
    let now = try router.statistics()
    #expect((now.scenes, now.applications, now.connections, now.pendingDeliveries) == (1, 1, 4, 1))
    #expect(now.startedUSec == before.startedUSec)
    #expect(now.generation == application.declared.generation)
    withExtendedLifetime(sender) {}
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func serviceDescribesItself(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let calls = try router.calls()
    try calls.send(#"{"method":"org.varlink.service.GetInfo"}"#)
    let information: GetInfo.Reply = try calls.reply()
    #expect((information.vendor, information.product) == ("scened", "scened"))
    #expect(information.interfaces == ["org.varlink.service", "io.scened.Router", "io.scened.Manager"])
    for (name, text) in [
      ("io.scened.Router", Wire.routerInterface), ("io.scened.Manager", Wire.managerInterface),
    ] {
      try calls.send(
        #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"\#(name)"}}"#
      )
      #expect(try calls.reply(as: GetInterfaceDescription.Reply.self).description == text)
    }
  }
}
