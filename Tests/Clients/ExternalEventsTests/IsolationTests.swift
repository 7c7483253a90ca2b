import Dispatch
import ExternalEvents
import QueueExecution
import SceneClient
import Synchronization
import Testing

/// An actor that runs on a queue of its own.
private actor Loop {
  static let key = DispatchSpecificKey<Bool>()
  private let executor = QueueExecutor(label: "loop")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func run(_ router: RouterConnection, _ calls: Calls) async throws {
    executor.queue.setSpecific(key: Self.key, value: true)
    try await TestApplication {
      WindowGroup { Observed(calls) }
    }
    .run(router)
  }
}

/// Notes the names of the closures that were called.
///
/// The value for a name is true if all calls of the closure ran on the queue of ``Loop``.
private final class Calls: Sendable {
  private let calls = Mutex<[String: Bool]>([:])

  var all: [String: Bool] { calls.withLock { $0 } }

  func note(_ name: String) {
    let isOnQueue = DispatchQueue.getSpecific(key: Loop.key) ?? false
    calls.withLock { $0[name] = isOnQueue && $0[name] ?? true }
  }
}

private final class Observed: WindowContent {
  let calls: Calls
  private var count = 0

  init(_ calls: Calls) {
    self.calls = calls
    calls.note("content")
  }

  var body: some WindowModifiers {
    calls.note("body")
    return Views()
      .handlesExternalEvents(preferring: [], allowing: ["*"])
      .onOpenURL { _ in
        self.calls.note("action")
        await Task.detached {}.value
        self.calls.note("rest of the action")
      }
      .onOpenURL { [self] _ in
        count += 1
        calls.note("action without await")
      }
      .onContinueUserActivity("a") { [self] _ in
        count += 1
        calls.note("continuation without await")
      }
  }

  func run() async throws {
    calls.note("run")
    await Task.detached {}.value
    calls.note("rest of run")
  }

  func raise(activationToken: String?) { calls.note("raise") }
}

@Suite(.timeLimit(.minutes(20))) struct IsolationTests {
  @Test(arguments: TestRouter.Kind.allCases)
  func everythingIsCalledWhereTheAuthorSays(_ kind: TestRouter.Kind) async throws {
    let router = try await TestRouter(kind)
    let (loop, calls) = (Loop(), Calls())
    let running = Task { try await loop.run(RouterConnection(socketPath: router.socket), calls) }
    try await router.connection.waitForScene { _ in true }
    try await router.connection.open("x:1")
    _ = try await router.connection.send(Event(activity: Activity("a")))
    while calls.all.count < 9 { await Task.yield() }
    #expect(calls.all.filter { !$0.value } == [:])
    running.cancel()
    try await running.value
  }
}
