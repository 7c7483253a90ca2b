import Foundation
import RouterInterface
import SceneRouting
import TestSupport
import Testing
import UnixSocket
import Varlink

@testable import SceneServer

/// Tests of the end of a service, and of the next service.
@Suite(.blocking) final class RestartTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var state: String { directory.appending("state") }
  private var file: String { RestartPage.path(in: state) }

  /// The number that the page holds.
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
    try first.call(Wire.CloseScene(sceneHandle: scenes[1].handle))
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
    #expect(try late.settlement().result == "acknowledged")
    _ = returned
  }

  /// A connection can be lost while it still waits in the queue of the socket.
  ///
  /// The library of the lost connection's program then connects again.
  @Test func eventsWaitForTheSceneBehindALostConnection() throws {
    try writePage(1)
    var limits = Limits()
    limits.returnUSec = 3_600_000_000
    let router = try RouterUnderTest(.inProcess, in: state, limits: limits)
    let sender = try router.send("test:one")
    #expect(try router.statistics().missing == 1)
    let view = Wire.Registration(registrationID: "view", preferring: [], allowing: ["*"])
    let context = Wire.SceneContext(applicationID: "app", registrations: [view])
    let lost = try router.connect()
    try router.whileBusy {
      try lost.send(Wire.OpenScene(context: context), .more)
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
    #expect(try one.outcome().settlement.result == "acknowledged")
    guard case .notRouted = try other.failure() else { throw Overdue("Somebody took it.") }
    #expect(try count == 1)
  }

  /// Calls that wait for the first decision about a held event are charged like other waiting calls.
  @Test func bytesOfCallsThatWaitForAHeldEventAreLimited() throws {
    try writePage(2)
    var limits = Limits()
    limits.bytesPerUser = 5000
    limits.returnUSec = 3_600_000_000
    let router = try RouterUnderTest(.inProcess, in: state, limits: limits)
    let large = try router.open("large", preferring: [String(repeating: "a", count: 1000)], allowing: [])
    let event = Wire.Event(url: "test:one")
    let call = Wire.SendEvent(event: event, waitFor: .decision, eventID: "one")
    let refusal = Wire.RouterError.limitExceeded(limit: "bytesPerUser", maximum: 5000)
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
    // The last scene that the router waits for needs room.
    try router.call(Wire.RemoveRegistration(sceneHandle: large.handle, registrationID: "view"))
    let scene = try router.open()
    for client in waiting { #expect(try client.decision().sceneID == scene.id) }
    try scene.acknowledgeNext()
    // The charges are given back, so that calls can wait for the next event.
    let sender = try router.send(Wire.SendEvent(event: event, eventID: "two"))
    let delivery = try scene.delivery()
    let others = try waiting.dropFirst(waiting.count / 2).map { _ in
      let client = try router.connect()
      try client.send(Wire.AwaitEvent(eventID: "two"), .more)
      #expect(try client.decision().sceneID == scene.id)
      return client
    }
    try router.call(scene.acknowledgement(of: delivery))
    for client in others { #expect(try client.settlement().result == "acknowledged") }
    _ = try sender.outcome()
  }

  /// A thousand scenes; with `SCENED_LONG_CHECKS`, as many scenes as the limits of a user and of descriptors allow.
  @Test func manyScenesReturnAtOnce() throws {
    let isLong = getenv("SCENED_LONG_CHECKS") != nil
    let senderCount = 10
    // Each scene takes a descriptor of this process, and other tests need descriptors too. The daemon keeps a quarter
    // of its own descriptors.
    let scenes =
      isLong
      ? min(Limits().scenesPerUser, try DescriptorLimit.set(soft: .max).soft / 4 * 3 - senderCount - 2) : 1000
    try writePage(scenes)
    let router = try RouterUnderTest(.daemon, in: state)
    let senders = try (0..<senderCount).map { number in
      let event = Wire.Event(url: "test:\(number)")
      return try router.send(Wire.SendEvent(event: event, timeoutUSec: 3_600_000_000))
    }
    let started = ContinuousClock.now
    let returned = try (0..<scenes).map { number in
      let client = try router.connect()
      let view = Wire.Registration(registrationID: "view", preferring: ["\(number)"], allowing: [])
      let context = Wire.SceneContext(applicationID: "app", registrations: [view])
      let taken = (0..<256).map { "\(number) \($0)" }
      try client.send(Wire.OpenScene(context: context, takenEventIDs: taken), .more)
      return client
    }
    var decided: Set<String> = []
    for (number, client) in returned.enumerated() {
      guard case .opened(let opened) = try client.reply(to: Wire.OpenScene.self) else {
        throw Overdue("The scene has not opened.")
      }
      guard number < senderCount else { continue }
      guard case .delivery(let delivery) = try client.reply(to: Wire.OpenScene.self) else {
        throw Overdue("The scene has no delivery.")
      }
      let id = delivery.deliveryID
      try router.call(Wire.AcknowledgeDelivery(sceneHandle: opened.sceneHandle, deliveryID: id))
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
    func call(_ id: String) -> Wire.SendEvent {
      Wire.SendEvent(event: Wire.Event(url: "test:one"), eventID: id)
    }
    let early = try router.send(call("early"))
    let waiting = try router.connect()
    try waiting.send(Wire.AwaitEvent(eventID: "early"), .more)
    #expect(try router.statistics().missing == 1)
    let scene = try router.open("viewer", taken: ["early", "late"])
    let late = try router.send(call("late"))
    for sender in [early, late] {
      let outcome = try sender.outcome()
      #expect((outcome.decision.target, outcome.decision.sceneID) == ("scene", scene.id))
      #expect((outcome.decision.rule, outcome.decision.applicationID) == (nil, "viewer"))
      #expect((outcome.settlement.result, outcome.settlement.sceneID) == ("acknowledged", scene.id))
    }
    #expect(try waiting.decision().sceneID == scene.id)
    #expect(try waiting.settlement().result == "acknowledged")
    let another = try router.send(call("another"))
    #expect(try scene.acknowledgeNext().eventID == "another")
    _ = try another.outcome()
    let records = try router.call(Wire.ListRecords()).records
    #expect(records.map(\.eventID) == ["another", "early"])
    #expect(records.map { $0.attempts.map(\.result) } == [["acknowledged"], ["acknowledged"]])
  }

  // MARK: The page

  /// Shell commands that replace the file of the page, `$0`.
  ///
  /// None of the new files contains a number for the service. The service therefore waits for no scene, and writes its
  /// own page into the file.
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

  /// Any number is safe, because the wait for the return of scenes ends after a fixed time.
  @Test func aPageMaySayAnything() throws {
    try writePage(.max)
    let router = try RouterUnderTest(.inProcess, in: state)
    #expect(try router.statistics().missing == Int64.max)
    guard case .notRouted = try router.failure(of: Wire.SendEvent.url("test:one")) else {
      throw Overdue("Somebody took it.")
    }
    #expect(try count == 0)
  }

  /// A file system without room for the page, mounted in a namespace of its own.
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
    let scene = try client.call(Wire.OpenScene(context: Wire.SceneContext(applicationID: "app")), .more)
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
    try waiting.send(Wire.SendEvent.url("test:waiting"))
    // The router answers this call after it has received the event.
    #expect(try router.statistics().pendingDeliveries >= 1)
    try router.connect().call(Wire.GetStatistics())
    router.stop()
    guard case .serviceStopping(.some, isShown: false) = try waiting.failure() else {
      throw Overdue("The event was shown.")
    }
    guard case .serviceStopping(nil, isShown: false) = try router.failure(of: Wire.SendEvent.url("test:new"))
    else { throw Overdue("The event was taken.") }
    // The late call waits in the listening socket for the next service, if the socket is kept.
    let late = try router.connect()
    try late.send(Wire.GetStatistics())
    try router.call(scene.acknowledgement(of: delivery))
    #expect(try shown.outcome().settlement.result == "acknowledged")
    #expect(try scene.next() == .closed("shutdown"))
    #expect(try scene.client.end() == [])
    #expect(kind == .daemon || !late.hasInput)
  }

  @Test(arguments: RouterUnderTest.Kind.allCases)
  func aSceneThatWasRequestedMayOpenWhileTheServiceStops(_ kind: RouterUnderTest.Kind) throws {
    let router = try RouterUnderTest(kind)
    let application = try router.declare()
    let scene = try router.connect()
    try scene.call(Wire.GetStatistics())
    let sender = try router.send("test:one")
    let request = try application.request()
    _ = try router.statistics()
    router.stop()
    let context = Wire.SceneContext(applicationID: "app")
    let call = Wire.OpenScene(context: context, openRequestID: request.openRequestID)
    guard case .opened(let opened) = try scene.call(call, .more),
      case .delivery(let delivery) = try scene.reply(to: Wire.OpenScene.self)
    else { throw Overdue("The scene has not opened, or has no delivery.") }
    let id = delivery.deliveryID
    try router.call(Wire.AcknowledgeDelivery(sceneHandle: opened.sceneHandle, deliveryID: id))
    #expect(try sender.outcome().settlement.sceneID == opened.sceneID)
    #expect(try scene.reply(to: Wire.OpenScene.self) == .closed("shutdown"))
  }
}
