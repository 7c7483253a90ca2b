import Foundation
import Glibc
import RandomNumbers
import SceneClient
import Synchronization
import TestSupport
import Testing

/// Restarts and kills of the daemon at random moments.
///
/// Meanwhile, Swift programs, Python programs and `scenectl` have windows and send events.
@Suite(.blocking) struct KillTests {
  /// The number of restarts; every second restart is a kill.
  private static let restarts = TestRun.isLong ? 40 : 10
  private static let restartsInARow = 5
  /// The numbers of windows of the Swift program, of the Python program, and of `scenectl`.
  ///
  /// The examples have five more windows.
  private static let windows =
    TestRun.isLong ? (swift: 14, python: 14, tool: 7) : (swift: 4, python: 3, tool: 2)

  private static let photos = ["harbour", "sunset"].map { "photos:?photoIdentifier=\($0)" }
  private static let contacts = ["1", "2"].map { "contact:3B1C6A52-4E0C-4D5A-9A54-6B5E1B0F1A0\($0)?" }

  @Test func everythingIsOpenAgainAndEveryEventHasAnEnd() async throws {
    var random = SplitMix64(seed: 15)
    let daemon = try SupervisedDaemon()
    let environment = ["SCENED_SOCKET": daemon.socket]
    let router = try await RouterConnection(socketPath: daemon.socket)
    let examples = try ["ContactList", "MyPhotos"].map { try SpawnedProgram($0, environment: environment) }
    for example in examples { try example.outputLine(containing: "is open") }
    for link in Self.photos + Self.contacts {
      while try await !router.send(Event(url: link)).isTaken {}
    }
    let python = try PythonProgram.start([
      PythonProgram.script("changing.py"), daemon.socket, "\(Self.windows.python)",
    ])
    try python.outputLine(containing: "open")
    func names(_ kind: String, _ count: Int) -> [String] { (0..<count).map { "\(kind)\($0)" } }
    let toolNames = names("ctl", Self.windows.tool)
    let tools = try toolNames.map { name in
      let arguments = ["scene", "--json", "--application", name, "--title", name, "--prefer", name + "/"]
      let tool = try SpawnedProgram("scenectl", arguments, environment: environment)
      try tool.outputLine(containing: "opened")
      return tool
    }
    let windows = try await ChangingWindows(
      RouterConnection(socketPath: daemon.socket),
      count: Self.windows.swift
    )
    var deliveries = windows.deliveries.makeAsyncIterator()

    let open = try await Self.open(router)
    let (swift, scripted) = (names("sw", Self.windows.swift), names("py", Self.windows.python))
    var wanted = [
      "org.example.ContactList": ["Ada", "Grace"],
      "org.example.MyPhotos": ["Photos", "Photo harbour", "Photo sunset"],
      "org.example.Python": scripted, ChangingWindows.application: swift,
    ]
    for name in toolNames { wanted[name] = [name] }
    #expect(open.mapValues { $0.map { $0.prefix { $0 != "[" }.dropLast().description } } == wanted)
    let recorded = swift + scripted + toolNames
    let targets = recorded.map { "x:\($0)/?" } + Self.photos.map { "\($0)&" } + Self.contacts
    var flows: [EventFlow] = []
    for number in 0..<2 {
      let sender = try await RouterConnection(socketPath: daemon.socket)
      flows.append(EventFlow(sender, name: "flow\(number)", to: targets.shuffled(using: &random)))
    }

    let sending = try PythonProgram.start([PythonProgram.script("sending.py"), daemon.socket] + recorded)
    let commands = CommandFlow(recorded, environment)

    var shown: [(window: String, url: String)] = []
    for round in 0..<(Self.restarts / Self.restartsInARow) {
      // Before the first restart of this round, the windows get these two events but do not settle them.
      let links = ["x:sw1/hold?\(round)", "x:sw2/hold?\(round)"]
      let held = zip(links, ["hold\(round)", nil]).map { link, id in
        Task {
          try await router.send(Event(url: link), options: SendOptions(eventID: id, timeout: .seconds(600)))
        }
      }
      var isAwaited = Set(links)
      while !isAwaited.isEmpty, let (title, delivery) = await deliveries.next() {
        shown.append((title, delivery.event.url ?? ""))
        isAwaited.remove(delivery.event.url ?? "")
      }
      for number in 0..<Self.restartsInARow {
        // Waits until each flow has sent an event, because on a busy machine all flows could be idle.
        for flow in flows { for await _ in flow.starts { break } }
        try await Task.sleep(for: .milliseconds(Int.random(in: 0..<300, using: &random)))
        try daemon.kill((round + number).isMultiple(of: 2) ? SIGTERM : SIGKILL)
        // Output is read here, because a program stops when the pipe of its output is full.
        for program in examples + tools + [python, sending] { _ = program.outputText }
      }
      let limit = Deadline(in: .seconds(120))
      while limit.millisecondsLeft > 0, try await Self.open(router) != open {}
      let now = try await Self.open(router)
      try #require(now == open)
      // These events count as taken, because their windows have told the next router that the events were shown.
      for event in held { #expect(try await event.value.isTaken) }
    }

    let results = await [flows[0].end(), flows[1].end(), commands.end()]
    sending.send(signal: SIGUSR1)
    _ = try sending.waitForEnd()
    #expect(results.flatMap(\.failures).isEmpty)
    #expect(
      !sending.outputText.contains("failed") && !sending.errorText.contains("Traceback"),
      "\(sending.errorText)"
    )
    try await windows.endChanges()
    python.send(signal: SIGUSR1)
    func first(_ application: String) async throws -> [String]? {
      try await router.scenes(application: application).first?.registrations.first?.preferring
    }
    #expect(try await first(ChangingWindows.application) == ["sw0/", "last"])
    while try await first("org.example.Python") != ["py0/", "last"] {}

    // Each event was shown once, and to the window that prefers it.
    windows.end()
    while let (title, delivery) = await deliveries.next() { shown.append((title, delivery.event.url ?? "")) }
    for match in python.outputText.matches(of: /(py\d+) took (\S+)\n/) {
      shown.append((String(match.1), String(match.2)))
    }
    for (name, tool) in zip(toolNames, tools) {
      for match in tool.outputText.matches(of: /"delivery":.*"url":"([^"]+)"/) {
        shown.append((name, String(match.1)))
      }
    }
    let astray = shown.filter { !$0.url.hasPrefix("x:\($0.window)/") }
    #expect(astray.isEmpty)
    let counts = Dictionary(shown.map { ($0.url, 1) }, uniquingKeysWith: +)
    let taken =
      results.flatMap(\.taken) + sending.outputText.matches(of: /(\S+) is taken/).map { String($0.1) }
    let lost = taken.filter { $0.hasPrefix("x:") && counts[$0] == nil }
    #expect(lost.isEmpty)
    let twice = counts.filter { $0.value > 1 }
    #expect(twice.isEmpty)
    #expect(!python.errorText.contains("never retrieved"), "\(python.errorText)")
    print(
      "\(Self.restarts) restarts, \(taken.count) events, \(shown.count) shown in windows that note them;",
      "longest: Swift \(results[0].longest), \(results[1].longest), scenectl \(results[2].longest),",
      "Python \(sending.outputText.split(separator: "\n").last ?? "")"
    )
  }

  /// Returns the windows of each application, in order, without the identifiers that change all the time.
  private static func open(_ router: RouterConnection) async throws -> [String: [String]] {
    var open: [String: [String]] = [:]
    for scene in try await router.scenes() {
      let sets = scene.registrations.map { "\($0.preferring.prefix(1)) \($0.allowing)" }
      open[scene.applicationID, default: []].append("\(scene.title ?? "") \(sets)")
    }
    return open
  }
}

/// Events that `scenectl open` sends one after the other.
private final class CommandFlow: Sendable {
  private let ends = Atomic(false)
  private let result = Mutex(EventFlow.Result())
  private let hasEnded: AsyncStream<Void>

  init(_ windows: [String], _ environment: [String: String]) {
    let (hasEnded, end) = AsyncStream.makeStream(of: Void.self)
    self.hasEnded = hasEnded
    // The flow has a thread of its own, because the flow waits for the commands.
    Thread.detachNewThread { [self] in
      var number = 0
      while !ends.load(ordering: .relaxed) {
        number += 1
        send("x:\(windows[number % windows.count])/?command-\(number)&", environment)
      }
      end.finish()
    }
  }

  /// Stops sending, waits for the end of the last event, and returns the fate of all events.
  func end() async -> EventFlow.Result {
    ends.store(true, ordering: .relaxed)
    for await _ in hasEnded {}
    return result.withLock(\.self)
  }

  private func send(_ url: String, _ environment: [String: String]) {
    let start = ContinuousClock.now
    var failure: String?
    do {
      let arguments = ["open", "--no-new-scene", "--timeout", "600", url]
      let command = try SpawnedProgram("scenectl", arguments, environment: environment)
      if try command.waitForEnd() != .exit(0) { failure = command.outputText + command.errorText }
    } catch {
      failure = "\(error)"
    }
    let time = start.duration(to: .now)
    result.withLock { result in
      result.longest = max(result.longest, time)
      if let failure { result.failures.append("\(url): \(failure)") } else { result.taken.append(url) }
    }
  }
}
