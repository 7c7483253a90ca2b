import Glibc
import SceneClient
import Synchronization
import TestSupport
import Testing

/// Restarts of the router while one program has open windows, with or without a handler that is running.
@Suite(.blocking, .timeLimit(.minutes(30))) struct RestartTests {

  /// Every window comes back, although all windows are handling events while the router is killed twice.
  ///
  /// The second kill can come before all windows are open again.
  @Test func windowsInsideHandlersAreBackAfterTwoKills() async throws {
    let daemon = try SupervisedDaemon()
    let windows = try await LoopingWindows(daemon.socket, count: TestRun.isLong ? 200 : 50)
    let sender = try await RouterConnection(socketPath: daemon.socket, reconnects: true)
    for round in 0..<(TestRun.isLong ? 40 : 5) {
      windows.hold()
      for number in 0..<windows.count {
        Task {
          try? await sender.send(
            Event(url: "x:w\(number)/\(round)"),
            options: SendOptions(timeout: .seconds(600))
          )
        }
      }
      await windows.waitUntilAllAreInsideHandlers()
      try daemon.kill()
      try await Task.sleep(for: .milliseconds(Int.random(in: 5...200)))
      try daemon.kill()
      windows.release()
      let missing = try await windows.missing(sender)
      #expect(missing.isEmpty, "round \(round): \(missing)")
    }
    #expect(windows.ends.isEmpty, "\(windows.ends)")
  }

  /// The documented loop over deliveries survives restarts of the router.
  ///
  /// The loop settles each delivery with `try`, so an error would end the loop.
  @Test func documentedLoopOutlivesTerminations() async throws {
    let daemon = try SupervisedDaemon()
    let windows = try await LoopingWindows(daemon.socket, count: 20)
    let sender = try await RouterConnection(socketPath: daemon.socket)
    // Each window has an event under way at any moment.
    let flows = (0..<windows.count).map { EndlessFlow(sender, to: "x:w\($0)/") }
    for _ in 0..<(TestRun.isLong ? 20 : 5) {
      let before = windows.taken
      await windows.waitUntilTaken(before + windows.count)
      try daemon.kill(SIGTERM)
    }
    for flow in flows { await flow.end() }
    #expect(try await windows.missing(sender).isEmpty)
    #expect(windows.ends.isEmpty, "\(windows.ends)")
  }

  /// After a restart, the client opens its scenes again before it repeats its declaration.
  ///
  /// If the declaration came first, the router would request scenes that are about to be opened again.
  @Test func declarationIsBackAfterItsScenes() async throws {
    let daemon = try SupervisedDaemon()
    let router = try await RouterConnection(socketPath: daemon.socket)
    let application = try await router.declareApplication("gallery", scenes: [.windowGroup("album")])
    let windows = try await LoopingWindows(router, count: 1, application: "gallery", declaration: "album")
    let answering = Task { try await windows.declineAll(application.openRequests) }
    var flows: [EndlessFlow] = []
    for _ in 0..<2 {
      flows.append(EndlessFlow(try await RouterConnection(socketPath: daemon.socket), to: "x:w0/"))
    }
    for _ in 0..<(TestRun.isLong ? 20 : 5) {
      let before = windows.taken
      await windows.waitUntilTaken(before + 2)
      try daemon.kill(SIGTERM)
    }
    for flow in flows { await flow.end() }
    #expect(windows.requests == 0)
    #expect(try await windows.missing(router).isEmpty)
    answering.cancel()
  }
}

/// Events that are sent one after the other, whatever their outcomes are.
private final class EndlessFlow: Sendable {
  private let ends = Atomic(false)
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ router: RouterConnection, to url: String) {
    let task = Task {
      while !ends.load(ordering: .relaxed) { _ = try? await router.send(Event(url: url)) }
    }
    self.task.withLock { $0 = task }
  }

  func end() async {
    ends.store(true, ordering: .relaxed)
    await task.withLock(\.self)?.value
  }
}

/// Windows that take events in the loop of the documentation.
private final class LoopingWindows: Sendable {
  private struct State {
    var inside: Set<Int> = []
    var taken = 0
    var requests = 0
    var ends: [String] = []
    var gate: AsyncStream<Void>?
    var opensGate: AsyncStream<Void>.Continuation?
  }

  let count: Int
  private let application: String
  private let state = Mutex(State())
  /// Yields when a window has got or taken an event.
  ///
  /// Only one task may wait for this stream.
  private let (progress, progressed) =
    AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  convenience init(_ socket: String, count: Int) async throws {
    try await self.init(RouterConnection(socketPath: socket), count: count, application: "looping")
  }

  init(_ router: RouterConnection, count: Int, application: String, declaration: String? = nil) async throws {
    self.count = count
    self.application = application
    for number in 0..<count {
      let scene = try await router.openScene(
        application: application,
        declaration: declaration,
        title: "w\(number)",
        registrations: [Registration(id: "r", preferring: ["w\(number)/"])]
      )
      Task { await self.take(number, from: scene) }
    }
  }

  /// The reasons for which loops have ended.
  var ends: [String] { state.withLock(\.ends) }
  var taken: Int { state.withLock(\.taken) }

  var requests: Int { state.withLock(\.requests) }

  /// Counts and declines requests for new windows.
  func declineAll(_ requests: RouterStream<OpenRequest>) async throws {
    for try await request in requests {
      state.withLock { $0.requests += 1 }
      try await request.decline()
    }
  }

  /// Makes each handler that starts from now on wait for `release()`.
  func hold() {
    state.withLock { state in
      let (gate, opensGate) = AsyncStream.makeStream(of: Void.self)
      (state.gate, state.opensGate) = (gate, opensGate)
    }
  }

  /// Lets all handlers go on.
  func release() {
    state.withLock { state in
      state.opensGate?.finish()
      (state.gate, state.opensGate, state.inside) = (nil, nil, [])
    }
  }

  func waitUntilAllAreInsideHandlers() async {
    await wait { $0.inside.count == count }
  }

  func waitUntilTaken(_ number: Int) async {
    await wait { $0.taken >= number }
  }

  private func wait(until isDone: (State) -> Bool) async {
    if isDone(state.withLock(\.self)) { return }
    for await _ in progress where isDone(state.withLock(\.self)) { return }
  }

  /// Waits at most a minute until each window is open once, and returns the titles of missing and repeated windows.
  func missing(_ router: RouterConnection) async throws -> [String] {
    let wanted = (0..<count).map { "w\($0)" }
    let limit = Deadline(in: .seconds(60))
    var open: [String] = []
    repeat {
      open = try await router.scenes(application: application).compactMap(\.title)
      if open == wanted { return [] }
    } while limit.millisecondsLeft > 0
    return wanted.filter { title in open.count { $0 == title } != 1 } + ["order: \(open)"]
  }

  private func take(_ number: Int, from scene: OpenScene) async {
    do {
      for try await delivery in scene.deliveries {
        let gate = state.withLock { state in
          if state.gate != nil { state.inside.insert(number) }
          return state.gate
        }
        progressed.yield()
        if let gate { for await _ in gate {} }
        try await delivery.acknowledge()
        state.withLock { $0.taken += 1 }
        progressed.yield()
      }
      state.withLock { $0.ends.append("w\(number) has ended") }
    } catch {
      state.withLock { $0.ends.append("w\(number): \(error)") }
    }
  }
}
