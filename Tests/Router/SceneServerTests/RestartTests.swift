import Foundation
import RouterInterface
import SceneRouting
import TestSupport
import Testing
import UnixSocket
import Varlink

@testable import SceneServer

/// Tests how a service stops, and how the next service waits for the scenes of the stopped service.
@Suite(.blocking) final class RestartTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var state: String { directory.appending("state") }
  private var file: String { RestartPage.path(in: state) }

  /// The number in the restart page: how many scenes and declarations the next service waits for.
  private var count: Int {
    get throws { try RestartPage(in: state).count }
  }

  private func writePage(_ count: Int) throws { try RestartPage(in: state).write(count) }

  // MARK: Returning

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func eventsWaitForWhatWasOpenBefore(_ kind: RouterUnderTest.Kind) throws {
    let first = try RouterUnderTest(kind, in: state)
    #expect(try first.statistics().missing == nil)
    let scenes = try [first.open("one"), first.open("two")]
    let application = try first.declare("one")
    try first.call(Wire.CloseSceneCall(sceneHandle: scenes[1].handle))
    first.end()
    _ = application
    #expect(try count == 2)

    let second = try RouterUnderTest(kind, in: state)
    let (early, late) = (try second.send("test:early"), try second.send(.url("test:late"), .more))
    #expect(try second.statistics().missing == 2)
    let back = try second.open("one")
    #expect(try second.statistics().missing == 1)
    #expect(!early.hasInput && !late.hasInput && !back.client.hasInput)
    let returned = try second.declare("one")
    #expect(try second.statistics().missing == nil)
    for _ in 1...2 { try back.acknowledgeNext() }
    #expect(try early.outcome().settlement.sceneID == back.id)
    #expect(try late.decision().sceneID == back.id)
    #expect(try late.settlement().result == .acknowledged)
    _ = returned
  }

  /// Events go on waiting for a scene whose connection ends before the router reads the call that opens the scene.
  ///
  /// The router opens such a scene, and then closes the scene. The router still waits for the scene, because the client
  /// library connects a second time.
  @Test func eventsWaitForTheSceneBehindALostConnection() throws {
    try writePage(1)
    var limits = Limits()
    limits.returnUSec = 3_600_000_000
    let router = try RouterUnderTest(.inProcess, in: state, limits: limits)
    let sender = try router.send("test:one")
    #expect(try router.statistics().missing == 1)
    let view = Registration(id: "view", preferring: [], allowing: ["*"])
    let context = SceneContext(applicationID: "app", registrations: [view])
    let lost = try router.connect()
    try router.whileBusy {
      try lost.send(Wire.OpenSceneCall(context: context), .more)
      lost.endInput()
    }
    // The router ends the connection after it has opened and closed the scene.
    let received = String(decoding: try lost.end(), as: UTF8.self)
    try #require(!received.contains("delivery"))
    let missing = try router.statistics().missing
    try #require(missing == 1)
    #expect(!sender.hasInput)
    let back = try router.open()
    try back.acknowledgeNext()
    #expect(try sender.outcome().settlement.sceneID == back.id)
  }

  @Test func aDaemonThatIsKilledWhileItStartsChangesNothing() throws {
    let first = try RouterUnderTest(.daemon, in: state)
    let scene = try first.open()
    try first.kill()
    for number in 1...10 {
      let path = directory.appending("router")
      let daemon = try SpawnedProgram(
        "scened",
        ["--socket", path],
        environment: ["RUNTIME_DIRECTORY": state]
      )
      if number.isMultiple(of: 2) { try daemon.errorLine(containing: "Ready.") }
      daemon.send(signal: SIGKILL)
      #expect(try daemon.waitForEnd() == .signal(SIGKILL))
      #expect(try count == 1)
    }
    let last = try RouterUnderTest(.daemon, in: state)
    #expect(try last.statistics().missing == 1)
    let sender = try last.send("test:one")
    let back = try last.open()
    try back.acknowledgeNext()
    #expect(try sender.outcome().settlement.sceneID == back.id)
    _ = scene
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func clientsThatNeverComeBackAreWaitedForOnlyForAWhile(_ kind: RouterUnderTest.Kind) throws {
    try writePage(3)
    let router = try RouterUnderTest(kind, in: state)
    let scene = try router.open(preferring: ["one"], allowing: [])
    let (one, other) = (try router.send("test:one"), try router.send("test:other"))
    #expect(try router.statistics().missing == 2)
    try scene.acknowledgeNext()
    #expect(try router.statistics().missing == nil)
    #expect(try one.outcome().settlement.result == .acknowledged)
    guard case .notRouted = try other.failure() else { throw Overdue("Somebody took it.") }
    #expect(try count == 1)
  }

  /// A call that waits for the first decision about an event counts against the quota.
  ///
  /// The router holds the event until the scenes from before the restart have returned.
  @Test func bytesOfCallsThatWaitForAHeldEventAreLimited() throws {
    try writePage(2)
    var limits = Limits()
    limits.bytesPerUser = 5000
    limits.returnUSec = 3_600_000_000
    let router = try RouterUnderTest(.inProcess, in: state, limits: limits)
    let large = try router.open("large", preferring: [String(repeating: "a", count: 1000)], allowing: [])
    let event = Event(.url("test:one"))
    let call = Wire.SendEventCall(event: event, waitFor: .decision, eventID: "one")
    let refusal = Wire.RouterErrorReply.limitExceeded(limit: "bytesPerUser", maximum: 5000)
    let first = try router.connect()
    try first.send(call, .oneway)
    try first.waitUntilRead()
    var waiting: [WireClient] = []
    var refused: WireClient?
    while refused == nil, waiting.count < 200 {
      let client = try router.connect()
      try client.send(call)
      // When the router answers `statistics`, the router has read the call of `client`.
      try client.waitUntilRead()
      _ = try router.statistics()
      if client.hasInput { refused = client } else { waiting.append(client) }
    }
    #expect(try refused?.failure() == refusal)
    #expect(waiting.count > 20)
    // The waiting calls have used up the quota. Removing a registration frees enough for the scene that the router
    // still waits for.
    try router.call(Wire.RemoveRegistrationCall(sceneHandle: large.handle, registrationID: "view"))
    let scene = try router.open()
    for client in waiting { #expect(try client.decision().sceneID == scene.id) }
    try scene.acknowledgeNext()
    // The calls about the first event no longer count against the quota, so that calls about the second event can wait.
    let sender = try router.send(Wire.SendEventCall(event: event, eventID: "two"))
    let delivery = try scene.delivery()
    let others = try waiting.dropFirst(waiting.count / 2).map { _ in
      let client = try router.connect()
      try client.send(Wire.AwaitEventCall(eventID: "two"), .more)
      #expect(try client.decision().sceneID == scene.id)
      return client
    }
    try router.call(scene.acknowledgement(of: delivery))
    for client in others { #expect(try client.settlement().result == .acknowledged) }
    _ = try sender.outcome()
  }

  /// Opens a thousand scenes at once.
  ///
  /// With `SCENED_LONG_CHECKS`, the test opens more scenes: as many as the router's limit for one user and the system's
  /// limit on descriptors allow.
  @Test func manyScenesReturnAtOnce() throws {
    let isLong = TestRun.isLong
    let senderCount = 10
    // Each scene takes a descriptor of this process and one of the daemon. Other tests in this process need
    // descriptors too. The daemon uses at most three quarters of its descriptors for connections.
    let scenes =
      isLong
      ? min(Limits().scenesPerUser, try DescriptorLimit.set(soft: .max).soft / 4 * 3 - senderCount - 2) : 1000
    try writePage(scenes)
    let router = try RouterUnderTest(.daemon, in: state)
    let senders = try (0..<senderCount).map { number in
      let event = Event(.url("test:\(number)"))
      return try router.send(Wire.SendEventCall(event: event, timeoutUSec: 3_600_000_000))
    }
    let started = ContinuousClock.now
    let returned = try (0..<scenes).map { number in
      let client = try router.connect()
      let view = Registration(id: "view", preferring: ["\(number)"], allowing: [])
      let context = SceneContext(applicationID: "app", registrations: [view])
      let taken = (0..<256).map { "\(number) \($0)" }
      try client.send(Wire.OpenSceneCall(context: context, takenEventIDs: taken), .more)
      return client
    }
    var decided: Set<String> = []
    for (number, client) in returned.enumerated() {
      guard case .opened(let opened) = try client.reply(to: Wire.OpenSceneCall.self) else {
        throw Overdue("The scene has not opened.")
      }
      guard number < senderCount else { continue }
      guard case .delivery(let delivery) = try client.reply(to: Wire.OpenSceneCall.self) else {
        throw Overdue("The scene has no delivery.")
      }
      let id = delivery.deliveryID
      try router.call(Wire.AcknowledgeDeliveryCall(sceneHandle: opened.sceneHandle, deliveryID: id))
      decided.insert(opened.sceneID)
    }
    #expect(Set(try senders.map { try $0.outcome().settlement.sceneID ?? "" }) == decided)
    #expect(try router.statistics().scenes == scenes)
    if isLong { print("\(scenes) scenes returned in \(started.duration(to: .now))") }
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func anEventThatASceneHasTakenIsNotRoutedAgain(_ kind: RouterUnderTest.Kind) throws {
    try writePage(1)
    let router = try RouterUnderTest(kind, in: state)
    func call(_ id: String) -> Wire.SendEventCall {
      Wire.SendEventCall(event: Event(.url("test:one")), eventID: id)
    }
    let early = try router.send(call("early"))
    let waiting = try router.connect()
    try waiting.send(Wire.AwaitEventCall(eventID: "early"), .more)
    #expect(try router.statistics().missing == 1)
    let scene = try router.open("viewer", taken: ["early", "late"])
    let late = try router.send(call("late"))
    for sender in [early, late] {
      let outcome = try sender.outcome()
      #expect((outcome.decision.target, outcome.decision.sceneID) == (.scene, scene.id))
      #expect((outcome.decision.rule, outcome.decision.applicationID) == (nil, "viewer"))
      #expect((outcome.settlement.result, outcome.settlement.sceneID) == (.acknowledged, scene.id))
    }
    #expect(try waiting.decision().sceneID == scene.id)
    #expect(try waiting.settlement().result == .acknowledged)
    let another = try router.send(call("another"))
    #expect(try scene.acknowledgeNext().eventID == "another")
    _ = try another.outcome()
    let records = try router.call(Wire.ListRecordsCall()).records
    #expect(records.map(\.eventID) == ["another", "early"])
    #expect(records.map { $0.attempts.map(\.statedResult) } == [[.acknowledged], [.acknowledged]])
  }

  // MARK: The page

  /// Shell commands that replace the file of the restart page, `$0`, by a file without a valid number.
  ///
  /// The service then waits for no scene, and writes a new page into the file.
  @Test(arguments: [
    ": > $0", "printf x > $0", "head -c 9 /dev/urandom > $0", "head -c 4096 /dev/urandom > $0",
    "head -c 100000 /dev/zero > $0", "printf 'scened\\0\\2\\7\\0\\0\\0\\0\\0\\0\\0' > $0",
    "truncate -s 1G $0", "printf 'scened\\0\\1' > $0",
  ])
  func aPageThatSaysNothingIsWrittenAnew(_ command: String) throws {
    try make(command)
    let log = RecordedLog()
    let router = try RouterUnderTest(.inProcess, in: state, log: log.logger)
    #expect(try router.statistics().missing == nil)
    let scene = try router.open()
    #expect(try count == 1)
    #expect(log.messages.filter { $0.contains("restart") } == [])
    _ = scene
  }

  @Test(arguments: [
    ("ln -s /etc/passwd $0", "'FILE' is a symbolic link, and is not used."),
    ("mkfifo $0", "'FILE' is not a regular file, and is not used."),
    ("mkdir $0", "The call open failed for 'FILE': Is a directory."),
    ("rmdir $(dirname $0); touch $(dirname $0)", "The call open failed for 'FILE': Not a directory."),
  ])
  func aPageThatCannotBeUsedIsReportedOnce(_ command: String, _ message: String) throws {
    try make(command)
    let log = RecordedLog()
    let router = try RouterUnderTest(.inProcess, in: state, log: log.logger)
    let scene = try router.open()
    let sender = try router.send("test:one")
    try scene.acknowledgeNext()
    _ = try sender.outcome()
    let messages = log.messages.filter { $0.contains("restart") }
    #expect(messages.count == 1)
    #expect(messages.first?.hasSuffix(message.replacing("FILE", with: file)) == true, "\(messages)")
  }

  /// A restart page with the largest possible number does no harm.
  ///
  /// The router waits for that number of scenes to return, but only for a fixed time.
  @Test func aPageMaySayAnything() throws {
    try writePage(.max)
    let router = try RouterUnderTest(.inProcess, in: state)
    #expect(try router.statistics().missing == Int64.max)
    guard case .notRouted = try router.failure(of: Wire.SendEventCall.url("test:one")) else {
      throw Overdue("Somebody took it.")
    }
    #expect(try count == 0)
  }

  /// Runs the daemon with a state directory on a full file system.
  ///
  /// The file system is mounted in a mount namespace of its own, so that no other process sees it.
  @Test(.enabled(if: geteuid() == 0, "Only root can mount."))
  func aFullDiskDoesNotStopTheDaemon() throws {
    let mounted = directory.appending("mounted")
    let script = """
      mkdir "$0" && mount -t tmpfs -o size=4k none "$0" && head -c 4096 /dev/zero > "$0/other" || exit 77
      exec "$1" --socket "$2"
      """
    let path = directory.appending("router")
    let daemon = try SpawnedProgram(
      "/usr/bin/unshare",
      ["--mount", "/bin/sh", "-c", script, mounted, SpawnedProgram.buildDirectory + "/scened", path],
      environment: ["RUNTIME_DIRECTORY": mounted]
    )
    let message = try daemon.errorLine(containing: "restart")
    #expect(
      message.hasSuffix("The call posix_fallocate failed for '\(mounted)/open': No space left on device.")
    )
    try daemon.errorLine(containing: "Ready.")
    let client = try WireClient(path: path)
    let scene = try client.call(Wire.OpenSceneCall(context: SceneContext(applicationID: "app")), .more)
    guard case .opened = scene else { throw Overdue("The scene has not opened.") }
    daemon.send(signal: SIGTERM)
    #expect(try daemon.waitForEnd() == .exit(0))
  }

  private func make(_ command: String) throws {
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    #expect(try SpawnedProgram.run("/bin/sh", ["-c", command, file]).ending == .exit(0))
  }

  // MARK: The orderly end

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func whatIsShownCanBeSettledWhileTheServiceStops(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let scene = try router.open(credit: 1)
    let (shown, waiting) = (try router.send("test:shown"), try router.connect())
    let delivery = try scene.delivery()
    try waiting.send(Wire.SendEventCall.url("test:waiting"))
    // The router answers this call after it has received the event.
    #expect(try router.statistics().pendingDeliveries >= 1)
    try router.connect().call(Wire.GetStatisticsCall())
    router.stop()
    guard case .serviceStopping(.some, isShown: false) = try waiting.failure() else {
      throw Overdue("The event was shown.")
    }
    guard
      case .serviceStopping(nil, isShown: false) = try router.failure(of: Wire.SendEventCall.url("test:new"))
    else { throw Overdue("The event was taken.") }
    // The router no longer accepts this connection. While any process keeps the listening socket open, the call waits
    // in that socket for the next service. A router in this process keeps its socket open until `router` is released.
    let late = try router.connect()
    try late.send(Wire.GetStatisticsCall())
    try router.call(scene.acknowledgement(of: delivery))
    #expect(try shown.outcome().settlement.result == .acknowledged)
    #expect(try scene.next() == .closed("shutdown"))
    #expect(try scene.client.end() == [])
    #expect(kind == .daemon || !late.hasInput)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func aSceneThatWasRequestedMayOpenWhileTheServiceStops(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let application = try router.declare()
    let scene = try router.connect()
    try scene.call(Wire.GetStatisticsCall())
    let sender = try router.send("test:one")
    let request = try application.request()
    _ = try router.statistics()
    router.stop()
    let context = SceneContext(applicationID: "app")
    let call = Wire.OpenSceneCall(context: context, openRequestID: request.openRequestID)
    guard case .opened(let opened) = try scene.call(call, .more),
      case .delivery(let delivery) = try scene.reply(to: Wire.OpenSceneCall.self)
    else { throw Overdue("The scene has not opened, or has no delivery.") }
    let id = delivery.deliveryID
    try router.call(Wire.AcknowledgeDeliveryCall(sceneHandle: opened.sceneHandle, deliveryID: id))
    #expect(try sender.outcome().settlement.sceneID == opened.sceneID)
    #expect(try scene.reply(to: Wire.OpenSceneCall.self) == .closed("shutdown"))
  }
}
