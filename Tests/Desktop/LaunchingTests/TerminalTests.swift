import DesktopEntries
import Foundation
import Launching
import TestSupport
import Testing

/// Programs that run in a terminal.
@Suite(.blocking) struct TerminalTests {
  private static let program = "\(SpawnedProgram.buildDirectory)/ReportHowStarted"

  /// Starts a program in a terminal, and returns the terminal's report of its own start.
  ///
  /// The terminals are scripts. Their directory is the only directory in `PATH`.
  private func report(
    ofTerminal name: String,
    variable: String?,
    _ others: [String] = []
  ) throws -> Report {
    let fixture = try LaunchFixture()
    for name in [name] + others {
      let line = "exec \(Self.program) \(fixture.report) \(name) \"$@\""
      try fixture.directory.writeScript("bin/\(name)", line)
    }
    let entry = fixture.directory.appending(LaunchFixture.entryID)
    try "[Desktop Entry]\nType=Application\nName=A\nExec=/bin/true --open %u\nTerminal=true\n"
      .write(toFile: entry, atomically: false, encoding: .utf8)
    var environment = [
      "PATH": fixture.directory.appending("bin"), "DBUS_SESSION_BUS_ADDRESS": LaunchFixture.noBus,
      "SCENED_EVENT": "old", "SCENED_OPEN_REQUEST": "old",
    ]
    environment["TERMINAL"] = variable.map { $0 == "PATH" ? fixture.directory.appending("bin/\(name)") : $0 }
    let reader = try SpawnedProgram("/bin/cat", [fixture.report])
    let launch = try SpawnedProgram.run(
      "LaunchDesktopEntry",
      [entry, "--event", "e", "--token", "t", "x:$HOME 1"],
      environment: environment
    )
    #expect(launch.output.hasPrefix("started process"), "\(launch.output)")
    try reader.outputLine(containing: "end")
    return Report(reader.outputText)
  }

  @Test(
    arguments: [
      ("xdg-terminal-exec", nil, []), ("xdg-terminal-exec", "kitty", []),
      ("x-terminal-emulator", nil, ["-e"]), ("x-terminal-emulator", "", ["-e"]),
      ("x-terminal-emulator", "no-such-terminal", ["-e"]),
      ("xterm", "xterm", ["-e"]), ("kitty", "PATH", ["-e"]), ("alacritty", "alacritty", ["-e"]),
      ("konsole", "konsole", ["-e"]), ("lxterminal", "lxterminal", ["-e"]), ("unknown", "unknown", ["-e"]),
      ("foot", "PATH", []), ("footclient", "footclient", []),
      ("xfce4-terminal", "xfce4-terminal", ["-x"]), ("gnome-terminal", "PATH", ["--"]),
      ("wezterm", "wezterm", ["start", "--"]),
    ] as [(String, String?, [String])]
  )
  func usualTerminalGetsTheCommandLine(_ name: String, _ variable: String?, _ arguments: [String]) throws {
    let report = try report(ofTerminal: name, variable: variable)
    #expect(
      report.arguments == [name] + arguments + [
        "env", "-u", "SCENED_OPEN_REQUEST", "-u", "SCENED_DECLARATION", "SCENED_EVENT=e",
        "XDG_ACTIVATION_TOKEN=t", "DESKTOP_STARTUP_ID=t", "/bin/true", "--open", "x:$HOME 1",
      ]
    )
    // The terminal itself gets the activation token, to raise its window. It gets no other variable of the launch, such
    // as `SCENED_EVENT`, because programs that are later started in the terminal would inherit the variable.
    #expect(Set(report.launchVariables) == ["XDG_ACTIVATION_TOKEN=t", "DESKTOP_STARTUP_ID=t"])
  }

  @Test(arguments: [
    ("xdg-terminal-exec", ["kitty", "x-terminal-emulator"]), ("kitty", ["x-terminal-emulator"]),
  ])
  func firstOfSeveralTerminalsIsUsed(_ name: String, _ others: [String]) throws {
    #expect(try report(ofTerminal: name, variable: "kitty", others).arguments.first == name)
  }

  @Test func optionNamesAnotherTerminal() async throws {
    let fixture = try LaunchFixture(terminal: ExecLine(parsing: #"env "A=b c""#))
    let entry = try fixture.reporting("%u", "Terminal=true")
    let (_, report) = try await fixture.launchReporting(LaunchRequest(entry, urls: ["x:1"]))
    #expect(report.arguments == ["x:1"])
    #expect(report["variable"].contains("A=b c"))
    let missing = try LaunchFixture.entry("/no/such", "Terminal=true")
    #expect(await fixture.launch(LaunchRequest(missing)) == .failed(.notFound(program: "/no/such")))
  }

  // MARK: Failures

  @Test(arguments: [
    (nil, "TERMINAL is not set"), ("no-such", "no program 'no-such', which TERMINAL names"),
  ])
  func missingTerminalIsAFailureThatEndsTheEvent(_ variable: String?, _ part: String) throws {
    let directory = try TemporaryDirectory()
    let entry = directory.appending(LaunchFixture.entryID)
    try "[Desktop Entry]\nType=Application\nName=A\nExec=/bin/true %u\nTerminal=true\n"
      .write(toFile: entry, atomically: false, encoding: .utf8)
    var environment = ["PATH": directory.appending("empty"), "DBUS_SESSION_BUS_ADDRESS": LaunchFixture.noBus]
    environment["TERMINAL"] = variable
    let launch = try SpawnedProgram.run("LaunchDesktopEntry", [entry, "x:1"], environment: environment)
    #expect(
      launch.output == """
        failed '/bin/true' needs a terminal, but there is no xdg-terminal-exec, no x-terminal-emulator and \(part); \
        install a terminal, such as xterm, or set TERMINAL in the environment of the session.

        """
    )
    #expect(LaunchFailure.noTerminal(program: "a", .usual(variable)).endsEvents)
  }

  @Test func missingTerminalOfTheOptionIsAFailure() async throws {
    let fixture = try LaunchFixture(terminal: ExecLine(parsing: "no-such -e"))
    let outcome = await fixture.launch(LaunchRequest(try LaunchFixture.entry("/bin/true", "Terminal=true")))
    #expect(outcome == .failed(.noTerminal(program: "/bin/true", .ofOption("no-such"))))
  }

  @Test func terminalThatEndsAtOnceIsTheFailureOfTheProgram() async throws {
    let fixture = try LaunchFixture(terminal: ExecLine(parsing: #"/bin/sh -c "exit 3""#))
    let outcome = await fixture.launch(LaunchRequest(try LaunchFixture.entry("/bin/true", "Terminal=true")))
    guard case .failed(let failure) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let reason =
      "The terminal for '/bin/true' failed: '/bin/sh' ended at once with status 3. Its messages are in the output of scened."
    #expect("\(failure)" == reason)
    #expect(!failure.endsEvents)
  }
}
