import Foundation
import SceneClient
import TestSupport
import Testing

/// The installed service of a user, stopped and killed by a real systemd.
///
/// Meanwhile, this test, a Python program and `scenectl` have forty windows together, and four senders send events.
@Suite(.blocking) struct RestartedServiceTests {
  /// The number of stops, and also the number of kills.
  private static let rounds = TestRun.isLong ? 20 : 2
  private static let manager = [
    "runuser", "-u", "person", "--", "env", "XDG_RUNTIME_DIR=/run/user/1000", "systemctl", "--user",
  ]

  @Test func everyEventIsShownOnceToItsWindow() async throws {
    let box = try SystemBox()
    // By default, systemd does not restart a service that was started five times in ten seconds.
    let setting = #"mkdir -p "$0" && printf '[Unit]\nStartLimitIntervalSec=0\n' >"$0/test.conf""#
    try box.run("sh", "-c", setting, "/run/systemd/user/scened.service.d")
    try box.run("systemctl", "start", "user@1000.service")
    try box.run(Self.manager + ["start", "scened.socket"])
    let socket = try box.root + "/run/user/1000/scened/io.scened.Router"

    let windows = try await ChangingWindows(RouterConnection(socketPath: socket), count: 34)
    let python = try PythonProgram.start([PythonProgram.script("changing.py"), socket, "4"])
    try python.outputLine(containing: "open")
    let toolNames = ["ctl0", "ctl1"]
    let tools = try toolNames.map { name in
      let arguments = ["scene", "--json", "--application", name, "--title", name, "--prefer", name + "/"]
      let tool = try SpawnedProgram("scenectl", arguments, environment: ["SCENED_SOCKET": socket])
      try tool.outputLine(containing: "opened")
      return tool
    }
    let names = (0..<34).map { "sw\($0)" } + (0..<4).map { "py\($0)" } + toolNames
    var flows: [EventFlow] = []
    for number in 0..<4 {
      let router = try await RouterConnection(socketPath: socket)
      flows.append(EventFlow(router, name: "flow\(number)", to: names.shuffled().map { "x:\($0)/?" }))
    }

    let started = ContinuousClock.now
    for _ in 0..<Self.rounds {
      for operation in [["restart"], ["kill", "--signal=KILL"]] {
        // Waits until each flow has had an answer since the service last ended. The first value of `starts` can be
        // older than that end. The second value comes only after the event of the first value has been answered.
        for _ in 1...2 { for flow in flows { for await _ in flow.starts { break } } }
        try await Task.sleep(for: .milliseconds(Int.random(in: 0..<200)))
        try box.run(Self.manager + operation + ["scened.service"])
        // Output is read here, because a program stops when the pipe of its output is full.
        for program in tools + [python] { _ = program.outputText }
      }
    }
    var results: [EventFlow.Result] = []
    for flow in flows { results.append(await flow.end()) }
    let time = started.duration(to: .now)
    #expect(results.flatMap(\.failures).isEmpty)
    let longest = results.map(\.longest).max() ?? .zero
    // On a busy machine, a short run says nothing about time.
    #expect(!TestRun.isLong || longest <= .seconds(3), "the longest event took \(longest)")

    try await windows.endChanges()
    windows.end()
    var shown: [String: [String]] = [:]
    for await (title, delivery) in windows.deliveries {
      shown[delivery.event.url ?? "", default: []].append(title)
    }
    for match in python.outputText.matches(of: /(py\d+) took (\S+)\n/) {
      shown[String(match.2), default: []].append(String(match.1))
    }
    for (name, tool) in zip(toolNames, tools) {
      for match in tool.outputText.matches(of: /"delivery":.*"url":"([^"]+)"/) {
        shown[String(match.1), default: []].append(name)
      }
    }
    let taken = results.flatMap(\.taken)
    let wrong = taken.filter { url in shown[url]?.count != 1 || !url.hasPrefix("x:\(shown[url]?[0] ?? "")/") }
    #expect(wrong.isEmpty, "\(wrong.prefix(10).map { "\($0): \(shown[$0] ?? [])" })")
    #expect(Set(shown.keys) == Set(taken))
    print(
      "\(2 * Self.rounds) ends of the service, \(taken.count) events, longest \(longest), in \(time)"
    )
  }
}
