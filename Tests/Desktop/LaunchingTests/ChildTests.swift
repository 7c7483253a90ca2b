import DesktopEntries
import Foundation
import Launching
import QueueExecution
import TestSupport
import Testing

/// Programs started as children, where no manager of the user's services runs.
@Suite(.blocking) struct ChildTests {
  // MARK: Arguments

  @Test(arguments: [
    ("%u", ["x:1"], ["x:1"]),
    ("%U", ["x:1", "x:2"], ["x:1", "x:2"]),
    ("%f", ["file:///a%20b"], ["/a b"]),
    ("%F", ["file:///a", "file:///b"], ["/a", "/b"]),
    ("%i", [], ["--icon", "app-icon"]),
    ("%c", [], ["An App"]),
    ("%k", [], ["/entries/app.desktop"]),
    ("a%%b", [], ["a%b"]),
    ("--open=%u", ["x:1"], ["--open=x:1"]),
    (#""a b" "\\$HOME" "\\`id\\`" "" "\\\\""#, [], ["a b", "$HOME", "`id`", "", #"\\"#]),
    (
      "%u", ["x:$(touch%20/tmp/no)$HOME${PATH}`id`;|&%f%u\"'\\"],
      [#"x:$(touch%20/tmp/no)$HOME${PATH}`id`;|&%f%u"'\\"#]
    ),
    ("%f", ["file:///-a%0Ab%22%27$%28id%29%25f%FF"], [#"/-a\nb"'$(id)%f\xff"#]),
    ("-- %u", ["--help:x"], ["--", "--help:x"]),
  ])
  func argumentsArriveExactly(line: String, urls: [String], arguments: [String]) async throws {
    let fixture = try LaunchFixture()
    let request = LaunchRequest(try fixture.reporting(line), location: "/entries/app.desktop", urls: urls)
    let (outcome, report) = try await fixture.launchReporting(request)
    #expect(report.arguments == arguments)
    guard case .started(let programs) = outcome, case .process? = programs.first, programs.count == 1 else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test(arguments: [("%u", 3, false), ("%f", 3, false), ("%U", 1, true), ("%F", 1, true), ("", 1, true)])
  func severalURLsAreOneStartEachOrOneForAll(code: String, count: Int, isOne: Bool) async throws {
    let fixture = try LaunchFixture()
    let request = LaunchRequest(
      try LaunchFixture.entry("true \(code)"),
      urls: ["file:///1", "file:///2", "file:///3"]
    )
    #expect(request.entry.opensAllAtOnce == isOne)
    guard case .started(let programs) = await fixture.launch(request) else {
      Issue.record("It was not started.")
      return
    }
    #expect(Set(programs).count == count)
  }

  @Test func actionHasItsOwnCommandLine() async throws {
    let fixture = try LaunchFixture()
    let actions = """
      Actions=new;
      [Desktop Action new]
      Name=New
      Exec=\(SpawnedProgram.buildDirectory)/ReportHowStarted \(fixture.report) new %u
      X-Scened-Matching=new
      """
    let entry = try fixture.reporting("main %u", actions)
    for id in ["main", "new"] {
      let request = LaunchRequest(entry, declarationID: id, urls: ["x:1"])
      #expect(try await fixture.launchReporting(request).1.arguments == [id, "x:1"])
    }
  }

  // MARK: What a program inherits

  @Test func childIsFreeOfItsParent() async throws {
    // This process ignores SIGPIPE, like the daemon. The launcher has to reset the signal for its children.
    signal(SIGPIPE, SIG_IGN)
    let leaked = open("/dev/null", O_RDONLY)
    defer { close(leaked) }
    let fixture = try LaunchFixture()
    let (_, report) = try await fixture.launchReporting(
      LaunchRequest(fixture.reporting("", "Path=/usr/share"))
    )
    #expect(report["descriptor"] == ["0", "1", "2"])
    #expect(report["session"] == ["own"])
    #expect(report["directory"] == ["/usr/share"])
    #expect(report["input"] == ["/dev/null"])
    for mask in ["SigBlk", "SigIgn"] {
      #expect(report.lines.contains("\(mask):\t0000000000000000"))
    }
  }

  /// A child gets what the launching program had got, before that program raised its limit and changed its mask.
  @Test func childHasTheLimitAndTheMaskOfThePersonsSession() throws {
    let fixture = try LaunchFixture()
    let entry = fixture.directory.appending(LaunchFixture.entryID)
    let exec = "\(SpawnedProgram.buildDirectory)/ReportHowStarted \(fixture.report)"
    try "[Desktop Entry]\nType=Application\nName=A\nExec=\(exec)\n"
      .write(toFile: entry, atomically: false, encoding: .utf8)
    for (limit, mask) in [(256, "0022"), (4096, "0007")] {
      let reader = try SpawnedProgram("/bin/cat", [fixture.report])
      let launch = try SpawnedProgram.run(
        "/bin/sh",
        ["-c", #"umask "$1"; ulimit -Sn "$2"; exec "$3" --raised "$0""#, entry, mask, "\(limit)"]
          + ["\(SpawnedProgram.buildDirectory)/LaunchDesktopEntry"],
        environment: ["DBUS_SESSION_BUS_ADDRESS": LaunchFixture.noBus]
      )
      #expect(launch.output.hasPrefix("started process"))
      try reader.outputLine(containing: "end")
      let report = Report(reader.outputText)
      #expect(report["limit"] == ["\(limit)"])
      #expect(report.lines.contains("Umask:\t\(mask)"))
    }
  }

  @Test func variablesAreForTheOneProgram() async throws {
    let inherited = [
      "XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID", "SCENED_OPEN_REQUEST", "SCENED_DECLARATION",
      "SCENED_EVENT",
      "NOTIFY_SOCKET", "LISTEN_FDS", "INVOCATION_ID", "KEPT",
    ]
    let fixture = try LaunchFixture()
    let entry = fixture.directory.appending(LaunchFixture.entryID)
    let exec = "\(SpawnedProgram.buildDirectory)/ReportHowStarted \(fixture.report)"
    try "[Desktop Entry]\nType=Application\nName=A\nExec=\(exec)\n"
      .write(toFile: entry, atomically: false, encoding: .utf8)
    func report(_ arguments: String...) throws -> Report {
      let reader = try SpawnedProgram("/bin/cat", [fixture.report])
      let launch = try SpawnedProgram.run(
        "LaunchDesktopEntry",
        [entry] + arguments,
        environment: Dictionary(uniqueKeysWithValues: inherited.map { ($0, "daemon") })
          .merging(["DBUS_SESSION_BUS_ADDRESS": LaunchFixture.noBus]) { $1 }
      )
      #expect(launch.output.hasPrefix("started process"))
      try reader.outputLine(containing: "end")
      return Report(reader.outputText)
    }
    #expect(try report()["variable"].filter { $0.hasSuffix("=daemon") } == ["KEPT=daemon"])
    let own = try report("--token", "t", "--event", "e")
    #expect(Set(own.launchVariables) == ["XDG_ACTIVATION_TOKEN=t", "DESKTOP_STARTUP_ID=t", "SCENED_EVENT=e"])
    #expect(try report("--event", "a\u{1}b").launchVariables == [])
  }

  @Test func awareApplicationGetsAllVariables() async throws {
    let fixture = try LaunchFixture()
    let variables = LaunchVariables(socket: "/s", openRequestID: "r", declarationID: "d", eventID: "e")
    let request = LaunchRequest(try fixture.reporting(), variables: variables)
    let (_, report) = try await fixture.launchReporting(request)
    #expect(
      Set(report.launchVariables)
        == ["SCENED_SOCKET=/s", "SCENED_OPEN_REQUEST=r", "SCENED_DECLARATION=d", "SCENED_EVENT=e"]
    )
  }

  @Test(arguments: [(29, true), (31, false)])
  func oldTokenIsDropped(seconds: Int, isPassedOn: Bool) async throws {
    let fixture = try LaunchFixture()
    let token = ActivationToken("t", received: .now - .seconds(seconds))
    let request = LaunchRequest(try fixture.reporting(), activationToken: token)
    let (_, report) = try await fixture.launchReporting(request)
    #expect(report["variable"].contains("XDG_ACTIVATION_TOKEN=t") == isPassedOn)
    #expect(report["variable"].contains("DESKTOP_STARTUP_ID=t") == isPassedOn)
  }

  // MARK: Failures

  @Test(arguments: [
    ("no-such-program", "There is no program 'no-such-program'."),
    ("/no/such/program", "There is no program '/no/such/program'."),
    ("../../../../../../../../usr/bin/true", "There is no program '../../../../../../../../usr/bin/true'."),
    ("/etc/passwd", "'/etc/passwd' is not executable."),
    ("/etc", "'/etc' is not executable."),
    (
      "/bin/sh -c \"exit 3\"",
      "'/bin/sh' ended at once with status 3. Its messages are in the output of scened."
    ),
    (
      "/bin/sh -c \"kill -SEGV \\\\$\\\\$\"",
      "'/bin/sh' was killed at once by signal 11 (Segmentation fault). Its messages are in the output of scened."
    ),
    ("true %f", "'true' opens only files, and the link names no file of this machine."),
  ])
  func failureHasItsReason(exec: String, reason: String) async throws {
    let fixture = try LaunchFixture()
    let outcome = await fixture.launch(LaunchRequest(try LaunchFixture.entry(exec), urls: ["x:1"]))
    guard case .failed(let failure) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect("\(failure)" == reason)
  }

  @Test(arguments: [
    ("#!/no/such/interpreter", "No such file or directory"), ("no program", "Exec format error"),
  ])
  func refusalOfTheSystemIsAFailure(contents: String, reason: String) async throws {
    let fixture = try LaunchFixture()
    let path = fixture.directory.appending("program")
    // Another process writes the program. If this process wrote the program, a child of another test could inherit the
    // open file. The system does not execute a file that is open for writing.
    _ = try SpawnedProgram.run("/bin/sh", ["-c", #"printf %s "$1" > "$0"; chmod 700 "$0""#, path, contents])
    let outcome = await fixture.launch(LaunchRequest(try LaunchFixture.entry(path)))
    #expect(outcome == .failed(.notExecuted(path: path, reason: reason)))
  }

  @Test(arguments: ["/no/such/directory", "usr", "~"])
  func directoryHasToBeThere(path: String) async throws {
    let fixture = try LaunchFixture()
    let outcome = await fixture.launch(LaunchRequest(try LaunchFixture.entry("/bin/true", "Path=\(path)")))
    #expect(outcome == .failed(.noWorkingDirectory(program: "/bin/true", path: path)))
  }

  @Test func failureOfOneStartIsTheFailureOfAll() async throws {
    let fixture = try LaunchFixture()
    let entry = try LaunchFixture.entry(#"/bin/sh -c "exit \\${1#x:}" sh %u"#)
    let outcome = await fixture.launch(LaunchRequest(entry, urls: ["x:0", "x:4"]))
    #expect(outcome == .failed(.ofChild(.exited(program: "/bin/sh", status: 4))))
  }

  @Test func programThatFailsLaterWasStarted() async throws {
    let fixture = try LaunchFixture(settlingTime: .milliseconds(0))
    let outcome = await fixture.launch(
      LaunchRequest(try LaunchFixture.entry("sh -c \"read line < \(fixture.report); exit 3\""))
    )
    guard case .started(let programs) = outcome, case .process(let process)? = programs.first else {
      Issue.record("\(outcome)")
      return
    }
    // Lets the program end. The launcher reaps the process, so that the process id becomes unused.
    try "go\n".write(toFile: fixture.report, atomically: false, encoding: .utf8)
    while kill(process, 0) == 0 { await Task.yield() }
  }
}
