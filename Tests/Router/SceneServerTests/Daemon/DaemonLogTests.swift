import Foundation
import RouterInterface
import TestSupport
import Testing
import Varlink

@Suite struct DaemonLogTests {
  /// Plays an exchange that uses every kind of private text.
  private static func exchange(_ path: String) throws {
    let calls = try WireClient(path: path)
    let view = Registration(id: "view", preferring: ["secret-preferring"], allowing: ["*"])
    let context = SceneContext(applicationID: "app", title: "secret-title", registrations: [view])
    let scene = try WireClient(path: path)
    guard case .opened(let opened) = try scene.call(Wire.OpenSceneCall(context: context), .more) else {
      throw Overdue("No scene was opened.")
    }
    let kinds = [SceneDeclaration(id: "d", matching: ["secret-matching"])]
    let application = try WireClient(path: path)
    try application.call(Wire.DeclareApplicationCall(applicationID: "app", scenes: kinds), .more)
    let activity = Activity(
      activityType: "secret.type",
      targetContentIdentifier: "secret-target",
      webpageURL: "test:secret-page",
      title: "secret-activity-title",
      userInfo: UserInfo(bytes: Array(#"{"secret":"info"}"#.utf8))
    )
    for event in [Event(.url("test:secret-url")), Event(.activity(activity))] {
      try calls.send(Wire.SendEventCall(event: event, activationToken: "secret-token"))
      guard case .delivery(let delivery) = try scene.reply(to: Wire.OpenSceneCall.self) else {
        throw Overdue("No delivery came.")
      }
      let handle = opened.sceneHandle
      let decline = Wire.DeclineDeliveryCall(
        sceneHandle: handle,
        deliveryID: delivery.deliveryID,
        reason: "secret-reason"
      )
      try WireClient(path: path).call(decline)
      guard case .declined = try calls.failure() else { throw Overdue("It was taken.") }
    }
    try scene.leave()
  }

  private static func violate(_ path: String) throws {
    let client = try WireClient(path: path)
    try client.send(#"{"method":"secret.method","secret":"member"}"#)
    _ = try client.end()
  }

  private static func log(
    _ arguments: [String] = [],
    of work: (String) throws -> Void
  ) throws -> (processID: CInt, lines: [String]) {
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    let manager = try NotifySocket()
    let daemon = try SpawnedProgram(
      "scened",
      ["--socket", path] + arguments,
      environment: ["NOTIFY_SOCKET": manager.path]
    )
    try manager.message(with: "READY=1")
    try work(path)
    daemon.send(signal: SIGTERM)
    #expect(try daemon.waitForEnd() == .exit(0))
    #expect(daemon.outputText == "")
    return (daemon.processID, daemon.errorText.split(separator: "\n").map(String.init))
  }

  @Test(arguments: [[], ["--log-level", "notice"]])
  func nothingIsLoggedWhileAllIsWell(_ arguments: [String]) throws {
    #expect(try Self.log(arguments, of: Self.exchange).lines == ["scened: Ready.", "scened: Stopping."])
  }

  @Test(arguments: [
    (["--history=off"], ["", ""]), ([], [" 'test:secret-url'", " 'secret-target'"]),
  ])
  func infoHasALineForEachEvent(_ arguments: [String], _ events: [String]) throws {
    let lines = try Self.log(["--log-level", "info"] + arguments, of: Self.exchange).lines
    let ids = lines.map { $0.firstMatch(of: /[ds]\w{4}-\d+/).map { String($0.output) } ?? "" }
    #expect(lines.count == 4)
    for (index, (line, event)) in zip(lines.dropFirst(), events).enumerated() {
      let scene = "s" + ids[index + 1].dropFirst().prefix { $0 != "-" } + "-1"
      let event = "Event \(ids[index + 1])\(event)"
      #expect(line == "scened: \(event): declined by scene \(scene) of 'app' (allowing).")
    }
  }

  @Test func refusalIsLoggedWithItsReason() throws {
    let log = try Self.log { path in
      let client = try WireClient(path: path)
      let url = "test:" + String(repeating: "x", count: 40_000)
      for _ in 1...3 { _ = try client.failure(of: Wire.SendEventCall(event: Event(.url(url)))) }
    }
    let peer = "(process \(getpid()) of user \(geteuid()))"
    let refused = "A client was refused a call, because the limit 'urlLength' is 32768"
    #expect(log.lines.contains("scened: \(refused) \(peer)."))
    #expect(log.lines.count { $0.contains("urlLength") } == 2)
    #expect(log.lines.contains { $0.hasSuffix("32768, 2 more times \(peer).") })
  }

  @Test(arguments: ["warning", "error"])
  func lessIsLoggedIfAskedFor(_ level: String) throws {
    let log = try Self.log(["--log-level", level]) { path in
      try Self.exchange(path)
      try Self.violate(path)
    }
    #expect(log.lines == [])
  }

  @Test(arguments: ["notice", "info"])
  func violationIsLoggedWithoutWhatWasSaid(_ level: String) throws {
    let log = try Self.log(["--log-level", level], of: Self.violate)
    #expect(log.lines.count == 3)
    #expect(log.lines.count { $0.contains("process \(getpid()) of user \(geteuid())") } == 1)
    #expect(!log.lines.joined().contains("secret"))
  }

  /// The first violation is logged immediately.
  ///
  /// Each further line has the number of violations of one second.
  @Test func manyViolationsOfOnePeerAreCounted() throws {
    let log = try Self.log { path in for _ in 0..<500 { try Self.violate(path) } }
    let lines = log.lines.filter { $0.contains("broke the rules") }
    // The daemon logs at most one line a second about the same peer and reason, and may log one more line when it
    // stops. The bound of 60 lines has a large margin for a slow machine.
    #expect(lines.count < 60)
    let counts = lines.map { $0.firstMatch(of: /(\d+) more times/).flatMap { Int($0.output.1) } ?? 1 }
    #expect(counts.reduce(0, +) == 500, "\(lines)")
  }

  @Test func violationIsExplainedToWhoDebugs() throws {
    let log = try Self.log(["--log-level", "debug"], of: Self.violate)
    #expect(log.lines.contains("scened: The message has an unknown member 'secret'."))
  }

  /// Standard error is the journal if `JOURNAL_STREAM` names the device and inode of standard error.
  @Test(arguments: [
    ("$(stat -L -c %d:%i /proc/self/fd/2)", ["<5>Ready.", "<5>Stopping."]),
    ("1:1", ["scened: Ready.", "scened: Stopping."]),
  ])
  func journalGetsPriorities(_ stream: String, _ lines: [String]) throws {
    let directory = try TemporaryDirectory()
    let daemon = try SpawnedProgram(
      "/bin/sh",
      [
        "-c", #"JOURNAL_STREAM=\#(stream) exec "$0" "$@""#, SpawnedProgram.buildDirectory + "/scened",
        "--socket",
        directory.appending("router"),
      ]
    )
    try daemon.errorLine(containing: "Ready.")
    daemon.send(signal: SIGTERM)
    #expect(try daemon.waitForEnd() == .exit(0))
    #expect(daemon.errorText.split(separator: "\n").map(String.init) == lines)
  }

  /// The daemon goes on even if nobody reads its log any more.
  ///
  /// The test closes the reading end of the log. Then a client breaks a rule, which the daemon logs.
  @Test func nobodyHasToReadTheLog() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    let log = directory.appending("log")
    #expect(mkfifo(log, 0o600) == 0)
    let reader = open(log, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let manager = try NotifySocket()
    // `env` restores the default of SIGPIPE, because the daemon would inherit the setting of the test process.
    let command = #"exec "$0" --socket "$1" 2> "$2""#
    let program = SpawnedProgram.buildDirectory + "/scened"
    let daemon = try SpawnedProgram(
      "/usr/bin/env",
      ["--default-signal=PIPE", "/bin/sh", "-c", command, program, path, log],
      environment: ["NOTIFY_SOCKET": manager.path]
    )
    try manager.message(with: "READY=1")
    close(reader)
    try Self.violate(path)
    try WireClient(path: path).call(Wire.GetStatisticsCall())
    daemon.send(signal: SIGTERM)
    #expect(try daemon.waitForEnd() == .exit(0))
  }
}
