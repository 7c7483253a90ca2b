import Foundation
import Glibc
import SceneClient
import TestSupport
import Testing

/// Kills of the daemon at random moments, while programs of every kind have windows and send events.
@Suite(.blocking) struct KillTests {
  /// The number of kills; higher if `SCENED_LONG_CHECKS` is set.
  private static let kills = getenv("SCENED_LONG_CHECKS") != nil ? 50 : 10
  private static let killsInARow = 5

  private static let photos = ["harbour", "sunset"].map { "photos:?photoIdentifier=\($0)" }
  private static let contacts = ["1", "2"].map { "contact:3B1C6A52-4E0C-4D5A-9A54-6B5E1B0F1A0\($0)?" }

  @Test func everythingIsOpenAgainAndEveryEventHasAnEnd() async throws {
    var random = SeededGenerator(state: 15)
    let daemon = try SupervisedDaemon()
    let environment = ["SCENED_SOCKET": daemon.socket]
    let router = try await RouterConnection(socketPath: daemon.socket)
    let examples = try ["ContactList", "MyPhotos"].map { try SpawnedProgram($0, environment: environment) }
    for example in examples { try example.outputLine(containing: "is open") }
    for link in Self.photos + Self.contacts {
      while try await !router.send(Event(url: link)).isTaken {}
    }
    let python = try PythonProgram.start([PythonProgram.script("changing.py"), daemon.socket])
    try python.outputLine(containing: "open")
    let tools = try ["ctl0", "ctl1"].map { name in
      let arguments = ["scene", "--json", "--application", name, "--title", name, "--prefer", name + "/"]
      let tool = try SpawnedProgram("scenectl", arguments, environment: environment)
      try tool.outputLine(containing: "opened")
      return tool
    }
    let windows = try await ChangingWindows(RouterConnection(socketPath: daemon.socket))
    var deliveries = windows.deliveries.makeAsyncIterator()

    let open = try await Self.open(router)
    #expect(
      open.mapValues { $0.map { $0.prefix { $0 != "[" } } } == [
        "org.example.ContactList": ["Ada ", "Grace "],
        "org.example.MyPhotos": ["Photos ", "Photo harbour ", "Photo sunset "],
        "org.example.Python": ["py0 ", "py1 ", "py2 "], "ctl0": ["ctl0 "], "ctl1": ["ctl1 "],
        ChangingWindows.application: ["sw0 ", "sw1 ", "sw2 ", "sw3 "],
      ]
    )
    let names = ["sw0", "sw1", "sw2", "sw3", "py0", "py1", "py2", "ctl0", "ctl1"]
    let targets = names.map { "x:\($0)/?" } + Self.photos + Self.contacts
    var flows: [EventFlow] = []
    for number in 0..<3 {
      let sender = try await RouterConnection(socketPath: daemon.socket)
      flows.append(EventFlow(sender, name: "flow\(number)", to: targets.shuffled(using: &random)))
    }

    var sentAgain: [String] = []
    var came: [(url: String, id: String?)] = []
    for round in 0..<(Self.kills / Self.killsInARow) {
      // These events are delivered before the first kill but not settled.
      let links = ["x:sw1/hold?&id=hold\(round)", "x:sw2/hold?\(round)&id=none"]
      func options(_ id: String?) -> SendOptions { SendOptions(eventID: id, timeout: .seconds(600)) }
      let known = Task { try await router.send(Event(url: links[0]), options: options("hold\(round)")) }
      let unknown = Task { try await router.send(Event(url: links[1]), options: options(nil)) }
      var isAwaited = Set(links)
      while !isAwaited.isEmpty, let delivery = await deliveries.next() {
        came.append((delivery.event.url ?? "", delivery.eventID))
        isAwaited.remove(delivery.event.url ?? "")
      }
      for _ in 0..<Self.killsInARow {
        // Each flow must have sent an event since the last kill, because on a busy machine all flows may be idle.
        for flow in flows { for await _ in flow.starts { break } }
        try await Task.sleep(for: .milliseconds(Int.random(in: 0..<300, using: &random)))
        try daemon.kill()
        // Output is read here, because a program stops when the pipe of its output is full.
        for program in examples + tools + [python] { _ = program.outputText }
      }
      let limit = Deadline(in: .seconds(120))
      while limit.millisecondsLeft > 0, try await Self.open(router) != open {}
      let now = try await Self.open(router)
      try #require(now == open)
      let result = await unknown.result
      let error = #expect(throws: RouterError.self) { try result.get() }
      #expect(error?.code == .outcomeUnknown)
      // If it was taken, it was delivered twice. It is not taken if its window came back later than the event.
      if try await known.value.isTaken { sentAgain.append("hold\(round)") }
    }

    var count = EventFlow.Count()
    for flow in flows { count += await flow.end() }
    #expect(count.taken > 0 && count.unknown > 0, "\(count)")
    try await windows.endChanges()
    python.send(signal: SIGUSR1)
    func first(_ application: String) async throws -> [String]? {
      try await router.scenes(application: application).first?.registrations.first?.preferring
    }
    #expect(try await first(ChangingWindows.application) == ["sw0/", "last"])
    while try await first("org.example.Python") != ["py0/", "last"] {}

    // Each event arrived with the id with which it was sent. An event that was sent again has the same id both times.
    windows.end()
    while let delivery = await deliveries.next() { came.append((delivery.event.url ?? "", delivery.eventID)) }
    for (url, id) in came { #expect(url.hasSuffix("&id=" + (id ?? "none"))) }
    #expect(!sentAgain.isEmpty && sentAgain.allSatisfy { id in came.count { $0.id == id } >= 2 })
    let noted = python.outputText.matches(of: /took \S*&id=(\S+) with the id (\S+)\n/)
    #expect(!noted.isEmpty && noted.allSatisfy { $0.1 == $0.2 })
    let shown = tools.flatMap { $0.outputText.matches(of: /"url":"[^"]*&id=([^"]+)"/) }
    #expect(!shown.isEmpty)
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

/// A generator with the same numbers in each run.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var number = state
    number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
    return number ^ (number >> 31)
  }
}
