import Foundation
import RouterInterface
import TestSupport
import Testing
import Varlink

@Suite struct DaemonLifeTests {
  @Test(arguments: [SIGTERM, SIGINT])
  func signalEndsItInOrder(_ signal: CInt) throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    let daemon = try SpawnedProgram("scened", ["--socket", path])
    try daemon.errorLine(containing: "Ready.")
    let scene = try WireClient(path: path)
    try scene.call(Wire.OpenSceneCall(context: SceneContext(applicationID: "app")), .more)
    let sender = try WireClient(path: path)
    var call = Wire.SendEventCall.url("test:one")
    call.applicationID = "app"
    guard case .notRouted = try sender.failure(of: call) else { throw Overdue("It was routed.") }
    daemon.send(signal: signal)
    #expect(try scene.reply(to: Wire.OpenSceneCall.self) == .closed("shutdown"))
    #expect(try scene.end() == [])
    #expect(try sender.end() == [])
    #expect(try daemon.waitForEnd() == .exit(0))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func signalRightAfterItIsReadyIsHeard() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    for _ in 0..<20 {
      let daemon = try SpawnedProgram("scened", ["--socket", path])
      try daemon.errorLine(containing: "Ready.")
      daemon.send(signal: SIGTERM)
      #expect(try daemon.waitForEnd() == .exit(0))
    }
  }

  /// The daemon answers SIGHUP, with which systemd asks for a reload.
  ///
  /// With `--system`, the daemon answers although there is nothing to reload.
  @Test(arguments: [[], ["--system"]])
  func hangUpIsAnsweredToTheServiceManager(_ options: [String]) throws {
    let directory = try TemporaryDirectory()
    let manager = try NotifySocket()
    let daemon = try SpawnedProgram(
      "scened",
      ["--socket", directory.appending("router")] + options,
      environment: ["NOTIFY_SOCKET": manager.path, "HOME": directory.path, "XDG_DATA_DIRS": directory.path]
    )
    try manager.message(with: "READY=1")
    let before = DispatchTime.now().uptimeNanoseconds / 1000
    daemon.send(signal: SIGHUP)
    let message = try manager.message(with: "RELOADING=1")
    let time = try #require(message.last?.split(separator: "=").last.flatMap { UInt64($0) })
    #expect(message.last?.hasPrefix("MONOTONIC_USEC=") == true && time >= before)
    #expect(try manager.nextMessage() == ["READY=1"])
    daemon.send(signal: SIGTERM)
    #expect(try daemon.waitForEnd() == .exit(0))
  }

  /// While the daemon waits for a locked directory, it does not handle SIGHUP yet, but the signal stays pending.
  @Test func hangUpWhileItStartsDoesNotEndIt() throws {
    let directory = try TemporaryDirectory()
    let lock = open(directory.path, O_RDONLY | O_CLOEXEC)
    try #require(flock(lock, LOCK_EX) == 0)
    let daemon = try SpawnedProgram("scened", ["--socket", directory.appending("router")])
    try daemon.errorLine(containing: "locked")
    daemon.send(signal: SIGHUP)
    #expect(close(lock) == 0)
    try daemon.errorLine(containing: "Ready.")
    daemon.send(signal: SIGTERM)
    #expect(try daemon.waitForEnd() == .exit(0))
  }

  /// The watchdog of systemd ends a service with SIGABRT.
  @Test func signalToAbortEndsItAtOnce() throws {
    let directory = try TemporaryDirectory()
    let daemon = try SpawnedProgram(
      "scened",
      ["--socket", directory.appending("router")],
      // In a debug build the Swift runtime would take time to print a backtrace.
      environment: ["SWIFT_BACKTRACE": "enable=no"]
    )
    try daemon.errorLine(containing: "Ready.")
    daemon.send(signal: SIGABRT)
    #expect(try daemon.waitForEnd() == .signal(SIGABRT))
  }

  @Test func clientThatDoesNotReadDelaysTheEndOnlyForAWhile() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    let daemon = try SpawnedProgram("scened", ["--socket", path])
    try daemon.errorLine(containing: "Ready.")
    let client = try WireClient(path: path)
    for _ in 0..<100 { try client.send(LargeText.callForDescription) }
    try WireClient.waitForInput([client])
    daemon.send(signal: SIGTERM)
    #expect(try daemon.waitForEnd() == .exit(0))
  }

  @Test func serviceManagerIsToldOfEachStep() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    let manager = try NotifySocket()
    let daemon = try SpawnedProgram(
      "scened",
      ["--socket", path],
      environment: ["NOTIFY_SOCKET": manager.path]
    )
    #expect(try manager.nextMessage() == ["READY=1", "STATUS=0 scenes, 0 applications, 0 connections."])
    let scene = try WireClient(path: path)
    try scene.call(Wire.OpenSceneCall(context: SceneContext(applicationID: "app")), .more)
    #expect(try manager.nextMessage() == ["STATUS=1 scenes, 0 applications, 1 connections."])
    let application = try WireClient(path: path)
    try application.call(Wire.DeclareApplicationCall(applicationID: "app", scenes: []), .more)
    #expect(try manager.nextMessage() == ["STATUS=1 scenes, 1 applications, 2 connections."])
    daemon.send(signal: SIGTERM)
    #expect(try manager.nextMessage() == ["STOPPING=1", "STATUS=Stopping."])
    #expect(try daemon.waitForEnd() == .exit(0))
  }

  @Test func serviceManagerThatWatchesIsToldThatAllIsWell() throws {
    let directory = try TemporaryDirectory()
    let manager = try NotifySocket()
    let daemon = try SpawnedProgram(
      "scened",
      ["--socket", directory.appending("router")],
      environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "100000"]
    )
    for _ in 0..<3 { try manager.message(with: "WATCHDOG=1") }
    withExtendedLifetime(daemon) {}
  }

  @Test func serviceManagerThatDoesNotReadDelaysNobody() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    let manager = try NotifySocket()
    let daemon = try SpawnedProgram(
      "scened",
      ["--socket", path],
      environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "100000"]
    )
    try manager.message(with: "READY=1")
    try manager.fill()
    // Opening a scene changes the status that the daemon reports to the manager. The manager's socket is full, so it
    // takes no message about the change.
    let scene = try WireClient(path: path)
    try scene.call(Wire.OpenSceneCall(context: SceneContext(applicationID: "app")), .more)
    daemon.send(signal: SIGTERM)
    #expect(try scene.reply(to: Wire.OpenSceneCall.self) == .closed("shutdown"))
    #expect(try daemon.waitForEnd() == .exit(0))
  }
}
