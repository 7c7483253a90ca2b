import Foundation
import SceneClient
import Synchronization
import TestSupport
import Testing

/// The installed service of a user, stopped and killed by a real systemd while programs of every kind have windows and
/// four senders send events.
@Suite(.blocking) struct RestartedServiceTests {
  /// Whether `SCENED_LONG_CHECKS` is set.
  private static let isLong = getenv("SCENED_LONG_CHECKS") != nil

  @Test func everyEventIsShownOnceToItsWindow() async throws {
    let box = try SystemBox()
    // systemd gives up on a service that is started five times in ten seconds.
    let setting = #"mkdir -p "$0" && printf '[Unit]\nStartLimitIntervalSec=0\n' >"$0/test.conf""#
    try box.run("sh", "-c", setting, "/run/systemd/user/scened.service.d")
    try box.run("systemctl", "start", "user@1000.service")
    let manager = [
      "runuser", "-u", "person", "--", "env", "XDG_RUNTIME_DIR=/run/user/1000", "systemctl", "--user",
    ]
    try box.run(manager + ["start", "scened.socket"])
    let socket = try box.root + "/run/user/1000/scened/io.scened.Router"

    let windows = try await CountingWindows(RouterConnection(socketPath: socket), count: 35)
    let python = try PythonProgram.start([PythonProgram.script("changing.py"), socket])
    try python.outputLine(containing: "open")
    let tools = try ["ctl0", "ctl1"].map { name in
      let arguments = ["scene", "--json", "--application", name, "--title", name, "--prefer", name + "/"]
      let tool = try SpawnedProgram("scenectl", arguments, environment: ["SCENED_SOCKET": socket])
      try tool.outputLine(containing: "opened")
      return tool
    }
    let names = windows.names + ["py0", "py1", "py2", "ctl0", "ctl1"]
    var senders: [CountedSender] = []
    for number in 0..<4 {
      let router = try await RouterConnection(socketPath: socket)
      senders.append(CountedSender(router, name: "s\(number)", to: names.shuffled()))
    }

    for _ in 0..<(Self.isLong ? 20 : 2) {
      for operation in [["restart"], ["kill", "--signal=KILL"]] {
        // Each sender gets an answer between two ends of the service.
        for sender in senders { await sender.goOn() }
        try await Task.sleep(for: .milliseconds(Int.random(in: 0..<200)))
        try box.run(manager + operation + ["scened.service"])
        for program in tools + [python] { _ = program.outputText }
      }
    }
    for sender in senders { await sender.goOn() }
    var sent: [String: String] = [:]
    for sender in senders {
      let (events, failures, longest) = await sender.end()
      #expect(failures.isEmpty, "\(failures)")
      // On a busy machine, the short form says nothing about time.
      #expect(!Self.isLong || longest <= .seconds(3), "the longest event took \(longest)")
      sent.merge(events) { $1 }
    }

    // Each event was shown to the window of its URL, and to none twice.
    var shown = windows.shown
    for match in python.outputText.matches(of: /took x:(\w+)\/\S* with the id (\S+)\n/) {
      shown[String(match.2), default: []].append(String(match.1))
    }
    for (number, tool) in tools.enumerated() {
      for match in tool.outputText.matches(of: /"url":"[^"]*id=([^"]+)"/) {
        shown[String(match.1), default: []].append("ctl\(number)")
      }
    }
    let wrong = sent.filter { id, name in shown[id] != [name] }
    #expect(wrong.isEmpty, "\(wrong.map { "\($0.key) to \($0.value): \(shown[$0.key] ?? [])" }.prefix(10))")
    #expect(sent.count >= 4 * 5)
  }
}

/// Windows of a Swift program that count the events that they are shown.
private final class CountingWindows: Sendable {
  let names: [String]
  private let state = Mutex<[String: [String]]>([:])

  init(_ router: RouterConnection, count: Int) async throws {
    names = (0..<count).map { "sw\($0)" }
    for name in names {
      let registration = Registration(id: "r", preferring: [name + "/"])
      let scene = try await router.openScene(application: "swift", title: name, registrations: [registration])
      Task {
        for try await delivery in scene.deliveries {
          state.withLock { $0[delivery.eventID ?? "none", default: []].append(name) }
          try await delivery.acknowledge()
        }
      }
    }
  }

  /// The names of the windows to which each event was shown.
  var shown: [String: [String]] { state.withLock(\.self) }
}

/// Events with ids that are sent one after the other.
private final class CountedSender: Sendable {
  private struct State {
    var sent: [String: String] = [:]
    var failures: [String] = []
    var longest = Duration.zero
  }

  /// Yields at the end of an event; at most one signal is kept.
  private let ended: AsyncStream<Void>
  private let state = Mutex(State())
  private let ends = Atomic(false)
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ router: RouterConnection, name: String, to targets: [String]) {
    let (ended, note) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.ended = ended
    let task = Task {
      var number = 0
      while !ends.load(ordering: .relaxed) {
        let (id, target) = ("\(name)-\(number)", targets[number % targets.count])
        let start = ContinuousClock.now
        var failure: String?
        do {
          let outcome = try await router.send(
            Event(url: "x:\(target)/?id=\(id)"),
            options: SendOptions(eventID: id)
          )
          if !outcome.isTaken { failure = "\(id): \(outcome)" }
        } catch {
          failure = "\(id): \(error)"
        }
        let time = ContinuousClock.now - start
        state.withLock { state in
          state.sent[id] = target
          if let failure { state.failures.append(failure) }
          state.longest = max(state.longest, time)
        }
        number += 1
        note.yield()
      }
    }
    self.task.withLock { $0 = task }
  }

  /// Waits for the end of an event that is sent from now on.
  func goOn() async { for _ in 0..<3 { for await _ in ended { break } } }

  /// Stops sending; returns the target of each event, what failed, and the longest time of an event.
  func end() async -> (sent: [String: String], failures: [String], longest: Duration) {
    ends.store(true, ordering: .relaxed)
    await task.withLock(\.self)?.value
    return state.withLock { ($0.sent, $0.failures, $0.longest) }
  }
}
