import TestSupport
import Testing

/// What a program finds when scened starts it, compared with a start by `gio launch`.
@Suite(.blocking) struct StartedProgramTests {
  /// The ways to start a program; each is a command of the person's session, before the path of the entry.
  enum Way: String, CaseIterable {
    case gio, unit, unitWithoutBus, child
  }

  /// The variables that only say who started the program.
  private static let origins: Set<String> = [
    "DESKTOP_STARTUP_ID", "GIO_LAUNCHED_DESKTOP_FILE", "GIO_LAUNCHED_DESKTOP_FILE_PID", "INVOCATION_ID",
    "JOURNAL_STREAM", "MANAGERPID", "MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE", "PWD",
    "SYSTEMD_EXEC_PID", "XDG_ACTIVATION_TOKEN",
  ]

  /// The lines in which the ways are compared: a table whose columns are equal.
  ///
  /// On purpose not compared: the session and the input. A program of scened never shares a terminal with it.
  private static let traits = [
    "argument", "descriptor", "directory", "limit", "Umask:", "SigPnd", "SigBlk", "SigIgn", "SigCgt", "Max ",
  ]

  @Test func programFindsWhatItFindsUnderGIO() throws {
    let libraries = try SystemBox.libraries()
    let box = try SystemBox(
      [SpawnedProgram.buildDirectory: "/opt/programs", libraries: libraries],
      release: "trixie+libglib2.0-bin"
    )
    try box.run("systemctl", "start", "user@1000.service")
    try box.run("install", "--directory", "--owner=person", "/home/person")
    func asPerson(_ words: String...) throws -> String {
      try box.run(["runuser", "-u", "person", "--", "env", "XDG_RUNTIME_DIR=/run/user/1000"] + words)
    }
    let script = #"""
      cd
      mkfifo report
      exec='/opt/programs/ReportHowStarted /home/person/report "a  b" %f'
      printf '[Desktop Entry]\nType=Application\nName=A\nExec=%s\n' "$exec" >a.desktop
      systemctl --user set-environment OF=manager
      """#
    _ = try asPerson("sh", "-c", script)
    var reports: [Way: [String]] = [:]
    for way in Way.allCases {
      if way == .unitWithoutBus {
        _ = try asPerson(
          "sh",
          "-c",
          "systemctl --user mask dbus.socket && systemctl --user stop dbus.socket dbus.service"
        )
      }
      let reader = try box.start(["cat", "/home/person/report"])
      let launch =
        switch way {
        case .gio: "gio launch"
        case .unit, .unitWithoutBus: "/opt/programs/LaunchDesktopEntry --raised"
        case .child:
          "env -u DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR=/none /opt/programs/LaunchDesktopEntry --raised"
        }
      // A session of the person, in which nothing ignores a signal.
      let session =
        "systemd-run --user --quiet --collect -p Type=oneshot -p IgnoreSIGPIPE=no -p KillMode=process -- "
        + "sh -c '\(launch) /home/person/a.desktop file:///%FFa%0A%20b'"
      // Without a bus, the session is that of another program of the box.
      _ = try asPerson(
        "sh",
        "-c",
        way == .unitWithoutBus ? "cd; \(launch) a.desktop file:///%FFa%0A%20b" : session
      )
      try reader.outputLine(containing: "end")
      // The box ignores the two signals of the C library, as the tests do, and each way passes on others of the two.
      reports[way] = reader.outputText.split(separator: "\n").map { line in
        let isMask = line.hasPrefix("SigIgn:")
        let mask = isMask ? UInt64(line.suffix(16), radix: 16) : nil
        return mask.map { "SigIgn: \($0 & ~(0b11 << 31))" } ?? String(line)
      }
    }
    let expected = try #require(reports[.gio])
    for way in Way.allCases {
      let report = try #require(reports[way])
      for trait in Self.traits {
        #expect(
          report.filter { $0.hasPrefix(trait) } == expected.filter { $0.hasPrefix(trait) },
          "\(way.rawValue): \(trait)"
        )
      }
      // Without a runtime directory and bus, the child has neither of these variables.
      let own: Set<String> = way == .child ? ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"] : []
      #expect(
        Self.variables(report).subtracting(own) == Self.variables(expected).subtracting(own),
        "\(way.rawValue)"
      )
      #expect(Self.variables(report).contains("OF"))
    }
  }

  private static func variables(_ report: [String]) -> Set<String> {
    Set(
      report.filter { $0.hasPrefix("variable ") }
        .map { String($0.dropFirst("variable ".count).prefix { $0 != "=" }) }
    )
    .subtracting(origins)
  }
}
