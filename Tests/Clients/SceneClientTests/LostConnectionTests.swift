import CuttingProxy
import Glibc
import SceneClient
import ScriptedService
import Synchronization
import TestSupport
import Testing

/// A client that loses its connections to a real router.
///
/// Many sessions run, each with two faults: moments at which connections are lost. The sessions differ in the number of
/// messages before the first fault, and between the two faults. So connections are lost at every point of a session.
@Suite(.timeLimit(.minutes(20)))
struct LostConnectionTests {
  /// The largest number of messages before the first fault.
  ///
  /// A session without a fault has at most this number of messages.
  private static let session = 24
  /// The largest number of messages between the two faults; enough to open everything again.
  private static let reopening = 14
  /// The number of sessions that run at the same time.
  ///
  /// The number is below 16, because each session has a monitor and the router allows a user 16 monitors.
  private static let width = 12

  @Test(arguments: CuttingProxy.Fault.allCases)
  func allIsOpenInTheEndAndEveryCallHasEnded(_ fault: CuttingProxy.Fault) async throws {
    let directory = try TemporaryDirectory()
    let socket = directory.appending("router")
    let daemon = try await onThread {
      let daemon = try SpawnedProgram("scened", ["--system", "--socket", socket])
      try daemon.errorLine(containing: "Ready.")
      nonisolated(unsafe) let started = daemon
      return Held(started)
    }
    let direct = try await RouterConnection(socketPath: socket)
    let all = (1...Self.session).flatMap { first in (1...Self.reopening).map { [first, $0] } }
    // A pair has the number of messages before the first fault, and the number between the two faults. A short run uses
    // only some pairs, but each possible number occurs in at least one pair.
    let pairs = TestRun.isLong ? all : all.filter { ($0[0] + 2 * $0[1]) % 13 == 0 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, pair) in pairs.enumerated() {
        if index >= Self.width { try await group.next() }
        group.addTask {
          let proxy = try CuttingProxy(to: socket, fault, after: pair)
          defer { proxy.close() }
          let name = "\(fault)-\(pair[0])-\(pair[1])"
          await #expect(throws: Never.self, "\(name)") { try await Session(name, proxy).run(direct) }
        }
      }
      try await group.waitForAll()
    }
    daemon.program.send(signal: SIGTERM)
  }

  private struct Held: Sendable {
    nonisolated(unsafe) let program: SpawnedProgram
    init(_ program: SpawnedProgram) { self.program = program }
  }
}

/// A client with three scenes, a declaration and a monitor, which loses its connections to the router.
private final class Session: Sendable {
  private let application: String
  private let proxy: CuttingProxy
  /// The links that the scenes have got.
  private let links = Mutex<[String]>([])
  /// The newest title, as a number, that the monitor has reported for the last of the three scenes.
  ///
  /// The session gives this scene the titles 1, 2, 3 and so on.
  private let lastChange = Mutex(0)

  init(_ application: String, _ proxy: CuttingProxy) {
    self.application = application
    self.proxy = proxy
  }

  func run(_ direct: RouterConnection) async throws {
    let client = try await RouterConnection(socketPath: proxy.path)
    var scenes: [OpenScene] = []
    for number in 0..<3 {
      scenes.append(
        try await client.openScene(
          application: application,
          declaration: number == 2 ? "only" : nil,
          title: number == 2 ? "only" : "\(number)",
          registrations: [Registration(id: "r", preferring: ["\(application)/\(number)/"])]
        )
      )
    }
    let declared = try await client.declareApplication(
      application,
      scenes: [.windowGroup("only", matching: [], isSingleton: true)]
    )
    let monitor = try await client.monitor(showsDecisions: false)
    let following =
      [
        Task { for try await _ in declared.openRequests {} },
        Task { try await self.follow(monitor) },
      ] + scenes.map { scene in Task { try await self.take(from: scene) } }
    try await scenes[0].update(title: "a")
    try await scenes[1].setRegistration("s", allowing: ["\(application)/other/"])
    // The link can get lost together with the connection. The call of `send` has to end all the same.
    _ = try await client.send(
      Event(url: "x:\(application)/1/early"),
      options: SendOptions(eventID: "\(application)-early", timeout: .seconds(2))
    )

    // The loop waits until everything is open again and the monitor has reported a title that was set after the last
    // fault. The report shows that the client has noticed the end of every lost connection.
    let limit = Deadline()
    var changes = 0
    var firstAfterFaults: Int?
    var open: [SceneDescription] = []
    var isWell = false
    while !isWell, limit.millisecondsLeft > 0 {
      changes += 1
      if firstAfterFaults == nil, proxy.isDone { firstAfterFaults = changes }
      try await scenes[2].update(title: "\(changes)")
      open = try await direct.scenes(application: application)
      let isDeclared = try await direct.applications(id: application).first?.isRunning == true
      isWell =
        isDeclared && open.count == 3 && firstAfterFaults.map { $0 <= lastChange.withLock(\.self) } ?? false
    }
    try #require(isWell, "\(application): \(open.map(\.json))")
    #expect(open.prefix(2).map(\.title) == ["a", "1"], "\(application)")
    #expect(open.map(\.registrations.count) == [1, 2, 1], "\(application)")
    for number in 0..<3 {
      let outcome = try await direct.send(Event(url: "x:\(application)/\(number)/late"))
      #expect(outcome.attempts.map(\.result) == [.acknowledged], "\(application): \(outcome)")
    }
    let late = links.withLock { $0.filter { $0.hasSuffix("late") } }
    #expect(late == (0..<3).map { "x:\(application)/\($0)/late" }, "\(application)")
    for task in following { task.cancel() }
    for task in following {
      let result = await task.result
      let error = #expect(throws: RouterError.self) { try result.get() }
      #expect(error?.code == .cancelled, "\(application)")
    }
    client.close()
  }

  private func follow(_ monitor: RouterStream<RouterChange>) async throws {
    for try await change in monitor {
      let scenes: [SceneDescription] =
        switch change {
        case .snapshot(let snapshot): snapshot.scenes
        case .sceneChanged(let scene): [scene]
        default: []
        }
      for scene in scenes where scene.applicationID == application && scene.declarationID == "only" {
        lastChange.withLock { $0 = scene.title.flatMap(Int.init) ?? $0 }
      }
    }
  }

  private func take(from scene: OpenScene) async throws {
    for try await delivery in scene.deliveries {
      links.withLock { $0.append(delivery.event.url ?? "") }
      try await delivery.acknowledge()
    }
  }
}
