import RouterInterface
import SceneRouting
import TestSupport
import Testing
import Varlink

/// Peers that do not read.
@Suite struct SlowPeerTests {
  /// Opens a scene that reads no delivery, and sends events to the scene.
  ///
  /// The deliveries of these events do not all fit into the kernel's buffers.
  private func stuckScene(_ router: RouterUnderTest) throws -> (scene: OpenedScene, sender: WireClient) {
    let scene = try router.open(preferring: ["test:"])
    let sender = try router.connect()
    for _ in 0..<16 { try sender.send(Wire.SendEventCall.url(LargeText.url)) }
    while try router.statistics().pendingDeliveries < 16 {}
    return (scene, sender)
  }

  private func expectAllGoOn(to scene: OpenedScene, _ sender: WireClient) throws {
    for _ in 0..<16 {
      try scene.acknowledgeNext()
      #expect(try sender.outcome().attempts.map(\.result) == [.sceneClosed, .acknowledged])
    }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func violationEndsAConnectionThatIsNotRead(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let bystander = try router.open()
    let (scene, sender) = try stuckScene(router)
    for _ in 0..<17 { try scene.client.send("{}") }
    try expectAllGoOn(to: bystander, sender)
    withExtendedLifetime(scene) {}
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func endOfInputEndsAStreamThatIsNotRead(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let bystander = try router.open()
    let (scene, sender) = try stuckScene(router)
    scene.client.endInput()
    try expectAllGoOn(to: bystander, sender)
    withExtendedLifetime(scene) {}
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func clientThatNeverReadsIsCutOff(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open()
    let client = try router.connect()
    var count = 0
    while try client.send(LargeText.callForDescription) { count += 1 }
    // The router cuts a client off when more than 16 MiB of replies wait in the client's queue. The kernel's buffers
    // hold some more replies. So the replies to all calls are longer than 16 MiB, but shorter than 32 MiB.
    let size = Wire.routerInterface.utf8.count
    #expect(count * size > 16 << 20 && count * size < 32 << 20)
    let sender = try router.send("test:one")
    try scene.acknowledgeNext()
    #expect(try sender.outcome().settlement.result == .acknowledged)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func monitorThatDoesNotReadMissesSomeAndGoesOn(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let monitor = try router.monitor()
    let scene = try router.open()
    let sender = try router.connect()
    let rounds = 120
    for _ in 0..<rounds {
      try sender.send(Wire.SendEventCall.url(LargeText.url))
      try scene.acknowledgeNext()
      _ = try sender.outcome()
    }
    var seen = 0
    var dropped: Int64 = 0
    while dropped == 0 {
      switch try monitor.next() {
      case .dropped(let count): dropped = count
      case .decision, .settlement: seen += 1
      default: break
      }
    }
    #expect(seen > 0)
    #expect(seen + Int(dropped) == 2 * rounds)
    try sender.send(Wire.SendEventCall.url("test:two"))
    guard case .decision(let routed) = try monitor.next() else {
      throw Overdue("The monitor does not go on.")
    }
    #expect(routed.event.url == "test:two")
  }

  /// Starts a monitor that does not read, so that most of its snapshot cannot be sent yet.
  private func stuckMonitor(_ router: RouterUnderTest) throws -> (WireClient, [OpenedScene]) {
    let scenes = try (0..<8).map { _ in
      try router.open(allowing: (0..<3).flatMap { LargeText.identifiers($0) })
    }
    let monitor = try router.connect()
    try monitor.send(Wire.MonitorCall(), .more)
    // The snapshot has begun when the first reply is there.
    try WireClient.waitForInput([monitor])
    return (monitor, scenes)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func snapshotAndWhatFollowsAddUpToWhatIsThere(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    var known = try router.declare("known")
    let (monitor, scenes) = try stuckMonitor(router)
    try known.client.leave()
    known = try router.declare("known")
    var new = try router.declare("new")
    try new.client.leave()
    new = try router.declare("new")
    let gone = try router.declare("gone")
    try gone.client.leave()
    for scene in [scenes[0], scenes[3]] { try scene.close() }
    for number in 0..<300 {
      try router.call(Wire.UpdateSceneCall(sceneHandle: scenes[1].handle, title: "\(number)"))
    }
    let last = try router.open("last")
    _ = try router.send("test:last")
    var seen = SeenRegistry()
    // Changes are reported in order, after the snapshot.
    try seen.read(monitor) { $0.urls == ["test:last"] }
    #expect(seen.scenes == Set((scenes[1...2] + scenes[4...] + [last]).map(\.id)))
    #expect(seen.applications == ["known", "new"])
    #expect(seen.dropped == 0)
    withExtendedLifetime((known, new)) {}
  }

  @Test func whatFollowsASnapshotIsNotKeptForEver() throws {
    let router = try RouterUnderTest { $0.pendingBytesPerMonitor = 64 << 10 }
    let (monitor, scenes) = try stuckMonitor(router)
    let rounds = 300
    let client = try router.connect()
    let call = Wire.OpenSceneCall(context: SceneContext(applicationID: "app"))
    for _ in 0..<rounds {
      guard case .opened(let opened) = try client.call(call, .more) else { throw Overdue("No scene.") }
      try router.call(Wire.CloseSceneCall(sceneHandle: opened.sceneHandle))
      _ = try client.reply(to: Wire.OpenSceneCall.self)
    }
    var seen = SeenRegistry()
    try seen.read(monitor) { $0.dropped > 0 }
    #expect(seen.dropped < 2 * Int64(rounds))
    let last = try router.open("last")
    try seen.read(monitor) { $0.scenes.contains(last.id) }
    #expect(seen.scenes == Set((scenes + [last]).map(\.id)))
  }
}

extension SlowPeerTests {
  /// The cost of a change does not depend on the number of applications still to be reported to the monitor.
  @Test func changesCostNoMoreWhileASnapshotIsNotRead() throws {
    // The names differ only at their ends, so that each comparison takes long.
    let name = String(repeating: "x", count: 1000)
    let router = try RouterUnderTest(.daemon)
    let applications = try (0..<3000).map { try router.declare(name + "\($0)", []) }
    let times = try [false, true].map { isMonitored in
      let monitor = try isMonitored ? stuckMonitor(router) : nil
      let before = try router.processorTime
      for _ in 0..<500 { try router.declare(name, []).client.leave() }
      let after = try router.processorTime
      withExtendedLifetime(monitor) {}
      return after - before
    }
    withExtendedLifetime(applications) {}
    #expect(times[1] < times[0] * 2, "\(times)")
  }
}

/// The scenes and applications that a monitor has learned from its replies.
private struct SeenRegistry {
  var scenes: Set<String> = []
  var applications: Set<String> = []
  var urls: [String] = []
  var dropped: Int64 = 0

  /// Reads replies until enough of the registry is known.
  mutating func read(_ monitor: WireClient, until isEnough: (SeenRegistry) -> Bool) throws {
    while !isEnough(self) {
      switch try monitor.reply(to: Wire.MonitorCall.self) {
      case .snapshot(let part):
        scenes.formUnion(part.scenes.map(\.runtime.sceneID))
        applications.formUnion(part.applications.map(\.id))
      case .sceneChanged(let scene): scenes.insert(scene.runtime.sceneID)
      case .sceneClosed(let id): scenes.remove(id)
      case .applicationChanged(let application): applications.insert(application.id)
      case .applicationGone(let id): applications.remove(id)
      case .decision(let routed): urls.append(routed.event.url ?? "")
      case .dropped(let count): dropped += count
      default: break
      }
    }
  }
}
