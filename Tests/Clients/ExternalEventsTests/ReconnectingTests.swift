import ExternalEvents
import Foundation
import Glibc
import SceneClient
import ScriptedService
import TestSupport
import Testing

/// A daemon that is killed and started again at the same socket.
private final class MortalDaemon: Sendable {
  let socket: String
  private let directory: TemporaryDirectory
  private let queue = OperationQueue()
  private nonisolated(unsafe) var program: SpawnedProgram?

  init() async throws {
    directory = try TemporaryDirectory()
    socket = directory.appending("router")
    queue.maxConcurrentOperationCount = 1
    try await start()
  }

  func start() async throws {
    try await onThread { [self] in
      // The daemon saves the number of its scenes and declarations in this directory. The next daemon reads the number.
      let state = ["RUNTIME_DIRECTORY": directory.path]
      program = try SpawnedProgram("scened", ["--system", "--socket", socket], environment: state)
      try program?.errorLine(containing: "Ready.")
    }
  }

  func kill() async throws {
    try await onThread { [self] in
      program?.send(signal: SIGKILL)
      try program?.waitForEnd()
    }
  }
}

@MainActor @Suite(.timeLimit(.minutes(20)))
struct ReconnectingTests {
  @Test func windowsAreOpenAgainAsTheyWere() async throws {
    let daemon = try await MortalDaemon()
    let pages = [Page(allowed: []), Page(allowed: []), Page(allowed: [])]
    var opened = 0
    let application = TestApplication {
      WindowGroup(id: "page") {
        defer { opened += 1 }
        return pages[opened]
      }
    }
    let router = try await RouterConnection(socketPath: daemon.socket)
    let running = Task { try await application.run(RouterConnection(socketPath: daemon.socket)) }
    try await router.waitForScene { _ in true }
    for number in 1..<3 {
      _ = try await router.send(Event(url: "x:new"))
      pages[number].name = "page \(number)"
    }
    for round in 0..<10 {
      pages[1].preferred = ["round\(round)"]
      pages[1].shown = "shown\(round)"
      // The number of yields varies, so that the router is killed before, during or after the report of the change.
      for _ in 0..<(round * 3) { await Task.yield() }
      try await daemon.kill()
      pages[2].preferred = ["second\(round)"]
      try await daemon.start()
      let scene = try await router.waitForScene { scene in
        scene.registrations.first?.preferring == ["second\(round)"] && scene.title == "page 2"
      }
      #expect(try await router.open("x:round\(round)") != scene.id)
      #expect(pages[1].links.last == "x:round\(round)")
      let scenes = try await router.scenes(application: "org.example.Test")
      #expect(scenes.map(\.title) == ["Page", "page 1", "page 2"])
      let activities = try await router.activities()
      #expect(activities.map(\.scene.title) == ["page 1"])
      #expect(activities.first?.activity.targetContentIdentifier == "shown\(round)")
    }
    running.cancel()
    try await running.value
  }

  @Test func windowHandlesEachEventOnceAndToItsEnd() async throws {
    let daemon = try await MortalDaemon()
    let page = Page()
    let (begins, goesOn) = (Signal(), Signal())
    page.action = { url in
      guard url.absoluteString == "x:slow" else { return }
      begins.fire()
      await goesOn.wait()
    }
    let application = TestApplication {
      WindowGroup { page }
        .handlesExternalEvents(matching: [])
    }
    let router = try await RouterConnection(socketPath: daemon.socket)
    let running = Task { try await application.run(RouterConnection(socketPath: daemon.socket)) }
    try await router.waitForScene { _ in true }
    // On a busy machine, the default timeout of an event could pass before the test kills the router.
    let time = Duration.seconds(600)
    let slow = Task { try await router.send(Event(url: "x:slow"), options: SendOptions(timeout: time)) }
    // Waits until the window has "x:slow", because "x:1" must come second.
    await begins.wait()
    let waiting = Task {
      try await router.send(Event(url: "x:1"), options: SendOptions(eventID: "e", timeout: time))
    }
    while try await router.scenes().first?.pendingDeliveries != 2 {}
    try await daemon.kill()
    let restarted = ContinuousClock.now
    try await daemon.start()
    try await router.waitForScene { _ in true }
    // The new router holds the events for at most 2 s, until the windows are open again. On a busy machine, the windows
    // can take longer to open. The test then does not require that the events are taken.
    let isInTime = restarted.duration(to: .now) < .seconds(2)
    #expect(try await slow.value.isTaken || !isInTime)
    goesOn.fire()
    #expect(try await waiting.value.isTaken || !isInTime)
    try await router.open("x:2")
    #expect(page.links == ["x:slow", "x:1", "x:2"])
    running.cancel()
    try await running.value
  }
}
