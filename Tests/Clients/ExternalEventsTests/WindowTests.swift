import ExternalEvents
import SceneClient
import ScriptedService
import Testing

@MainActor @Suite(.timeLimit(.minutes(20)))
struct WindowTests {
  /// The pages that were opened, with their values.
  private final class Opened {
    var pages: [(value: Int?, page: Page)] = []
    var bindings: [Binding<Int?>] = []
    var main: Page { pages[0].page }
  }

  private let opened = Opened()

  private func page(_ value: Int? = nil) -> Page {
    opened.pages.append((value, Page()))
    return opened.pages.last!.page
  }

  private var application: TestApplication<SceneDeclarationList> {
    TestApplication {
      WindowGroup(id: "main") { page() }
      WindowGroup(id: "photo", for: Int.self) { $number in
        opened.bindings.append($number)
        return page(number)
      }
      Window("Settings", id: "settings") { page(-1) }
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func openWindowOpensOrRaises(_ kind: TestRouter.Kind) async throws {
    let application = application
    try await application.run(kind) { router in
      /// Performs `action`, and returns the values of all opened pages.
      ///
      /// The function waits until the pages have been opened or raised `count` times since the beginning of the test.
      @MainActor func windows(_ count: Int, _ action: (OpenWindowAction) -> Void) async throws -> [Int?] {
        action(opened.main.openWindow)
        while opened.pages.count + opened.pages.flatMap(\.page.raised).count < count { await Task.yield() }
        return opened.pages.map(\.value)
      }
      #expect(try await windows(2) { $0(id: "main") } == [nil, nil])
      #expect(try await windows(3) { $0(id: "photo", value: 1) } == [nil, nil, 1])
      #expect(try await windows(4) { $0(value: 2) } == [nil, nil, 1, 2])
      // The window that already has the value is raised.
      #expect(try await windows(5) { $0(id: "photo", value: 1) } == [nil, nil, 1, 2])
      #expect(try await windows(6) { $0(id: "settings") } == [nil, nil, 1, 2, -1])
      #expect(try await windows(7) { $0(id: "settings") } == [nil, nil, 1, 2, -1])
      #expect(opened.pages.map(\.page.raised.count) == [0, 0, 1, 0, 1])
      // A window's content can change the value of the window.
      opened.bindings[0].wrappedValue = 3
      #expect(try await windows(8) { $0(value: 3) } == [nil, nil, 1, 2, -1])
      #expect(try await windows(9) { $0(value: 1) } == [nil, nil, 1, 2, -1, 1])
      try await router.waitForScene { $0.declarationID == "photo" }
      opened.main.openWindow(id: "nothing")
      opened.main.openWindow(value: "text")
      while application.reports.all.count < 2 { await Task.yield() }
      #expect(
        application.reports.all[0] == """
          The application has no window with the id 'nothing'. Declare it in its body, or choose one that is there: \
          main, photo, settings.
          """
      )
      #expect(application.reports.all[1].hasPrefix("The application has no window for values of String."))
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func dismissWindowClosesByIdOrByValue(_ kind: TestRouter.Kind) async throws {
    let application = TestApplication {
      WindowGroup(id: "main") { page() }
      WindowGroup(id: "photo", for: Int.self) { $number in page(number).title("photo \(number ?? 0)") }
      WindowGroup(id: "note", for: Int.self) { $number in page(number).title("note \(number ?? 0)") }
    }
    try await application.run(kind) { router in
      let main = opened.main
      @MainActor func open(_ id: String, _ value: Int) async throws -> String {
        main.openWindow(id: id, value: value)
        return try await router.waitForScene { $0.title == "\(id) \(value)" }.id
      }
      /// Waits until these scenes are closed, and returns the titles of all others.
      @MainActor func left(without ids: String...) async throws -> [String?] {
        for id in ids { try await router.waitForEnd(of: id) }
        return try await router.scenes().map(\.title)
      }
      let (photo1, note1) = try await (open("photo", 1), open("note", 1))
      let (photo2, note2) = try await (open("photo", 2), open("note", 2))
      main.dismissWindow(id: "photo", value: 1)
      #expect(try await left(without: photo1) == ["Page", "note 1", "photo 2", "note 2"])
      main.dismissWindow(value: 2)
      #expect(try await left(without: photo2, note2) == ["Page", "note 1"])
      let note3 = try await open("note", 3)
      main.dismissWindow(id: "note")
      #expect(try await left(without: note1, note3) == ["Page"])
      main.dismissWindow(id: "note")
      main.dismissWindow(id: "nothing")
      main.dismissWindow(value: "text")
      while application.reports.all.count < 2 { await Task.yield() }
      #expect(application.reports.all[0].hasPrefix("The application has no window with the id 'nothing'."))
      #expect(application.reports.all[1].hasPrefix("The application has no window for values of String."))
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func presentedWindowsOpenInsteadOfTheFirst(_ kind: TestRouter.Kind) async throws {
    let application = TestApplication {
      WindowGroup(id: "main") { page(0) }
      Window(id: "welcome") { page(1) }
        .defaultLaunchBehavior(.presented)
      WindowGroup(id: "photo") { page(2) }
        .handlesExternalEvents(matching: ["photo="])
        .defaultLaunchBehavior(.presented)
      WindowGroup(id: "never") { page(3) }
        .defaultLaunchBehavior(.suppressed)
    }
    try await application.run(kind) { router in
      try #require(opened.pages.map(\.value) == [1, 2])
      try await router.waitForScene { $0.declarationID == "welcome" }
      try await router.waitForScene { $0.declarationID == "photo" }
    }
  }

  /// The program waits for a link without a window, and ends with the window of the link.
  @Test(arguments: TestRouter.Kind.allCases)
  func suppressedFirstWindowOpensForALink(_ kind: TestRouter.Kind) async throws {
    let application = TestApplication {
      WindowGroup(id: "main") { page(0) }
        .defaultLaunchBehavior(.suppressed)
      WindowGroup(id: "other") { page(1) }
    }
    let router = try await TestRouter(kind)
    let running = Task { try await application.run(RouterConnection(socketPath: router.socket)) }
    while try await router.connection.applications().isEmpty {}
    #expect(opened.pages.isEmpty)
    try await router.connection.open("x:1")
    #expect(opened.pages.map(\.page.links) == [["x:1"]])
    opened.main.dismiss()
    try await running.value
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func applicationEndsWithItsLastWindow(_ kind: TestRouter.Kind) async throws {
    let router = try await TestRouter(kind)
    let running = Task { try await application.run(RouterConnection(socketPath: router.socket)) }
    let first = try await router.connection.waitForScene { _ in true }
    opened.main.openWindow(id: "settings")
    let second = try await router.connection.waitForScene { $0.declarationID == "settings" }
    opened.main.dismiss()
    try await router.connection.waitForEnd(of: first.id)
    #expect(try await router.connection.scenes(id: second.id).count == 1)
    opened.pages[1].page.dismiss()
    try await running.value
    // The router lists the ended application until it notices the end of the application's connection.
    while try await !router.connection.applications().isEmpty {}
  }

  /// The event of a window that is closed while it opens does not wait for the window.
  @Test func windowClosedBeforeItIsOpenDeclinesItsRequest() async throws {
    let listener = try ScriptedListener()
    let isOpening = Signal()
    let script = Task.immediate {
      try await onThread {
        let ordinary = try listener.accept()
        let application = try listener.accept()
        _ = try application.nextCall()
        try application.send(
          #"{"parameters":{"declared":{"applicationHandle":"A","generation":1}},"continues":true}"#
        )
        let first = try listener.accept()
        _ = try first.nextCall()
        try first.send(
          #"{"parameters":{"opened":{"sceneId":"s","sceneHandle":"h","generation":1}},"continues":true}"#
        )
        try application.send(
          #"{"parameters":{"openRequest":{"openRequestId":"q","decisionId":"d","#
            + #""declarationId":"main","event":{"url":"x:1"},"timeoutUSec":60000000}},"continues":true}"#
        )
        let second = try listener.accept()
        #expect(try second.nextCall().parameters.contains(#""openRequestId":"q""#))
        isOpening.fire()
        try second.expectEnd()
        let call = try ordinary.nextCall()
        #expect(call.method == "io.scened.Router.DeclineOpenRequest")
        #expect(call.parameters.contains(#""openRequestId":"q""#))
        for peer in [ordinary, application, first] { peer.close() }
      }
    }
    let router = try await RouterConnection(socketPath: listener.path, reconnects: false)
    let running = Task { try await application.run(router) }
    await isOpening.wait()
    opened.pages[1].page.dismiss()
    try await script.value
    await #expect(throws: SceneApplicationError.self) { try await running.value }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func runLivesAsLongAsTheWindow(_ kind: TestRouter.Kind) async throws {
    final class Worker: WindowContent {
      let begins = Signal()
      let ends = Signal()
      let fails: Bool
      init(fails: Bool) { self.fails = fails }
      var body: some WindowModifiers { Views() }
      func run() async throws {
        begins.fire()
        if fails { throw Refusal() }
        await Signal().wait()
        ends.fire()
      }
    }
    for fails in [false, true] {
      let worker = Worker(fails: fails)
      let application = TestApplication { WindowGroup(id: "w") { worker } }
      let router = try await TestRouter(kind)
      let running = Task { try await application.run(RouterConnection(socketPath: router.socket)) }
      await worker.begins.wait()
      if !fails {
        running.cancel()
        await worker.ends.wait()
      }
      try await running.value
      #expect(application.reports.all == (fails ? ["The window 'w' has failed and is closed: busy"] : []))
    }
  }

  @Test(arguments: TestRouter.Kind.allCases)
  func endOfTheRouterIsAnError(_ kind: TestRouter.Kind) async throws {
    var router: TestRouter? = try await TestRouter(kind)
    let socket = try #require(router?.socket)
    let running = Task { try await application.run(RouterConnection(socketPath: socket, reconnects: false)) }
    try await router?.connection.waitForScene { _ in true }
    router = nil
    let result = await running.result
    #expect(throws: SceneApplicationError.self) { try result.get() }
  }
}
