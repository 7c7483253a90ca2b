import Foundation
import TestSupport
import Testing

/// Programs started as units of a real user's manager.
@Suite(.blocking) struct LaunchedUnitTests {
  private let box: SystemBox

  init() throws {
    let libraries = try SystemBox.libraries()
    box = try SystemBox([SpawnedProgram.buildDirectory: "/opt/programs", libraries: libraries])
    try box.run("systemctl", "start", "user@1000.service")
    try box.run("mkdir", "--parents", "/home/person")
    try box.run("chown", "person:", "/home/person")
  }

  // MARK: Starting

  @Test func programIsAUnitWithItsArgumentsAndVariables() throws {
    try asPerson(
      "systemctl",
      "--user",
      "set-environment",
      "FROM=manager",
      "XDG_ACTIVATION_TOKEN=old",
      "SCENED_EVENT=old"
    )
    try asPerson("mkfifo", "/tmp/report")
    let exec = #"/opt/programs/ReportHowStarted /tmp/report "\\$HOME \\${FROM} %%n" "" %u"#
    try write("org.example.Reporting-1", exec, "Path=/usr/share")
    let reader = try box.start(["cat", "/tmp/report"])
    let url = #"x:$FROM${HOME}$(id)`id`;%f%%n%h"'\é -x"#
    let outcome = try launch("org.example.Reporting-1", "--event", "e", url)
    #expect(outcome.hasPrefix(#"started unit("app-org.example.Reporting\\x2d1@"#), "\(outcome)")

    try reader.outputLine(containing: "end")
    func reported(_ trait: String) -> [String] {
      reader.outputText.split(separator: "\n").filter { $0.hasPrefix(trait + " ") }
        .map { String($0.dropFirst(trait.count + 1)) }
    }
    #expect(
      reported("argument") == [
        "/opt/programs/ReportHowStarted", "$HOME ${FROM} %n", "",
        #"x:$FROM${HOME}$(id)`id`;%f%%n%h"'\\\xc3\xa9 -x"#,
      ]
    )
    #expect(reported("directory") == ["/usr/share"])
    let variables = reported("variable")
    #expect(variables.contains("FROM=manager"))
    #expect(variables.contains("SCENED_EVENT=e"))
    #expect(
      !variables.contains { $0.hasPrefix("XDG_ACTIVATION_TOKEN") || $0.hasPrefix("DESKTOP_STARTUP_ID") }
    )
    // A variable of the launching program is not passed on.
    #expect(!variables.contains { $0.hasPrefix("LAUNCHED_BY=") })
  }

  @Test func unitOutlivesWhoStartedIt() throws {
    try write("org.example.Long", "sleep infinity", "")
    try asPerson(
      "systemd-run",
      "--user",
      "--wait",
      "--collect",
      "--unit=starter",
      "--property=KillMode=control-group",
      "/opt/programs/LaunchDesktopEntry",
      "/home/person/org.example.Long.desktop"
    )
    let units = try asPerson(
      "systemctl",
      "--user",
      "list-units",
      "--plain",
      "--no-legend",
      "app-org.example.Long@*"
    )
    let unit = try #require(units.split(separator: " ").first.map(String.init))
    func property(_ name: String) throws -> String {
      try asPerson("systemctl", "--user", "show", unit, "--property=\(name)", "--value")
    }
    #expect(try property("ActiveState") == "active")
    #expect(try property("Slice") == "app.slice")
    #expect(try property("CollectMode") == "inactive-or-failed")
    #expect(try property("ExitType") == "cgroup")
    #expect(try property("Type") == "exec")
    #expect(try property("Description") == "App")
  }

  /// A program with the security settings of the daemon's own unit can start other programs.
  @Test func hardenedServiceLaunches() throws {
    try write("org.example.Long", "sleep infinity", "")
    let settings = try String(
      contentsOfFile: PackageDirectory.appending("systemd/user/scened.service"),
      encoding: .utf8
    )
    .split(separator: "[Service]")[1].split(separator: "[Install]")[0].split(separator: "\n")
      .filter { line in
        let isOther = ["Type", "ExecReload", "ExecStart", "Restart", "WatchdogSec"].contains(
          line.prefix { $0 != "=" }
        )
        return !isOther && !line.hasPrefix("#")
      }
      .map { "--property=\($0)" }
    #expect(settings.contains("--property=RestrictNamespaces=yes"))
    try box.run(
      [
        "runuser", "-u", "person", "--", "env", "XDG_RUNTIME_DIR=/run/user/1000", "systemd-run", "--user",
        "--wait",
      ]
        + settings
        + ["sh", "-c", "/opt/programs/LaunchDesktopEntry ~/org.example.Long.desktop | grep 'started unit'"]
    )
  }

  @Test func environmentIsThatOfTheManager() throws {
    try asPerson(
      "systemctl",
      "--user",
      "set-environment",
      "XDG_CURRENT_DESKTOP=sway",
      "PATH=/opt/own:/usr/bin"
    )
    #expect(try run("--environment", "XDG_CURRENT_DESKTOP") == "manager sway")
    try box.run("mkdir", "/opt/own")
    try box.run("cp", "/usr/bin/true", "/opt/own/only-there")
    try write("org.example.Found", "only-there", "")
    #expect(try launch("org.example.Found").hasPrefix("started unit"))
  }

  // MARK: Failures

  @Test func failureHasItsReason() throws {
    try box.run(
      "sh",
      "-c",
      #"printf '#!/no/such\n' > /opt/script; chmod 755 /opt/script; mkdir -m 700 /opt/closed"#
    )
    // After its output, a program sleeps for a moment, because the journal finds the unit of a process only while the
    // process runs.
    let failures = [
      ("no-such-program", "", "There is no program 'no-such-program'."),
      ("/etc/passwd", "", "'/etc/passwd' is not executable."),
      ("/opt/script", "", "'/opt/script' could not be executed: the system call execve failed."),
      ("true", "Path=/no/such", "'/usr/bin/true' cannot start in the directory '/no/such'."),
      ("true", "Path=/opt/closed", "'/usr/bin/true' cannot start in the directory '/opt/closed'."),
      ("sh -c \"exit 3\"", "", "'/usr/bin/sh' ended at once with status 3."),
      (
        #"sh -c "echo one; echo two >&2; sleep 0.3; exit 3""#, "",
        "'/usr/bin/sh' ended at once with status 3. It last wrote 'two'."
      ),
      (
        #"sh -c "echo Cannot open \\$0 >&2; sleep 0.3; exit 3" %u"#, "",
        "'/usr/bin/sh' ended at once with status 3. It last wrote 'Cannot open https://…example.org/a…'."
      ),
      ("sh -c \"exit 203\"", "", "'/usr/bin/sh' ended at once with status 203."),
      (#"sh -c "kill -KILL \\$\\$""#, "", "'/usr/bin/sh' was killed at once by signal 9 (Killed)."),
    ]
    for (exec, line, reason) in failures {
      try write("org.example.Failing", exec, line)
      #expect(try launch("org.example.Failing", "https://u:p@example.org/a?b") == "failed \(reason)")
    }
    try write("org.example.Failing", "sh -c \"echo one; echo two >&2; sleep 0.3; exit 3\"", "")
    let outcome = try run("/home/person/org.example.Failing.desktop")
    let more = try #require(
      outcome.firstMatch(of: /'two'\. More: (journalctl --user-unit '(app-org\.example\.Failing@.+)')/)
    )
    // The manager's own messages may stand between the program's lines.
    let written = try asPerson("sh", "-c", "\(more.1) --output cat").split(separator: "\n")
    #expect(written.contains("one") && written.contains("two"), "\(written)")
    #expect(
      try asPerson("systemctl", "--user", "list-units", "--all", "--no-legend", "app-org.example.*") == ""
    )
    // A program that ends with success has done its work, such as passing the URL on to a running program.
    try write("org.example.Failing", "true", "")
    #expect(try launch("org.example.Failing").hasPrefix("started unit"))
    // A shell makes an argument that D-Bus cannot carry.
    try write("org.example.Failing", "test %f = /", "")
    #expect(
      try launch("org.example.Failing", "file:///%FF").contains(
        "'/usr/bin/test' ended at once with status 1."
      )
    )
  }

  @Test func whatTheUserForbidsIsAFailure() throws {
    let script = #"""
      set -e
      cd ~person
      mkdir -p .config/systemd/user
      cd .config/systemd/user
      ln -s /dev/null app-org.example.Masked@.service
      mkdir app-org.example.Conditional@.service.d
      printf '[Unit]\nConditionPathExists=/no/such\n' > app-org.example.Conditional@.service.d/test.conf
      systemctl --user daemon-reload
      """#
    try asPerson("sh", "-c", script)
    for (name, reason) in [("Masked", "is masked."), ("Conditional", "a condition is not met.")] {
      try write("org.example.\(name)", "sh -c \"exit 1\"", "")
      let outcome = try launch("org.example.\(name)")
      #expect(outcome.hasPrefix("failed ") && outcome.hasSuffix(reason), "\(outcome)")
    }
  }

  // MARK: Services of the bus

  private static let service = "org.example.Service"

  /// Installs an application and its D-Bus service.
  ///
  /// The application is started through the service. systemd runs the service as a unit.
  private func install(_ exec: String, type: String = "dbus", _ lines: String = "") throws {
    // The tests start each unit more often than the default limit allows.
    let lines = lines.isEmpty ? "StartLimitIntervalSec=0" : lines
    let unit = "[Unit]\n\(lines)\n[Service]\nType=\(type)\nBusName=\(Self.service)\nExecStart=\(exec)\n"
    let file =
      "[D-BUS Service]\nName=\(Self.service)\nExec=/bin/false\nSystemdService=dbus-\(Self.service).service\n"
    let script = #"""
      set -e
      mkdir -p ~person/.config/systemd/user ~person/.local/share/dbus-1/services
      cd ~person/.config/systemd/user
      printf %s "$1" > example.service
      ln -sf example.service dbus-$0.service
      printf %s "$2" > ~person/.local/share/dbus-1/services/$0.service
      systemctl --user daemon-reload
      busctl --user call org.freedesktop.DBus / org.freedesktop.DBus ReloadConfig
      """#
    try asPerson("sh", "-c", script, Self.service, unit, file)
    try write(Self.service, "false", "DBusActivatable=true")
  }

  @Test func serviceFailsWithTheReasonOfItsUnit() throws {
    let failures = [
      ("/bin/false", "dbus", "'example.service' ended at once with status 1."),
      ("sh -c 'exit 3'", "exec", "'example.service' ended at once with status 3."),
      ("sh -c 'kill -KILL $$$$'", "dbus", "'example.service' was killed at once by signal 9 (Killed)."),
      ("/etc/passwd", "exec", "'example.service' could not be executed: the system call execve failed."),
      (
        "true", "dbus",
        "systemd did not start 'example.service': it ended without taking its name on the bus."
      ),
    ]
    for (exec, type, reason) in failures {
      try install(exec, type: type)
      // scened starts the unit first. After the unit has failed, scened does not call the service, because the bus
      // would wait for the service's name.
      for _ in 1...2 {
        let outcome = try launch(Self.service, "x:1")
        #expect(outcome == "failed \(reason)")
      }
    }
    try asPerson("touch", "/tmp/calls")
    try install("/opt/programs/ServeApplicationOnBus \(Self.service) /tmp/calls serve")
    for number in 1...2 {
      let outcome = try launch(Self.service, "x:\(number)")
      #expect(outcome == #"started service("org.example.Service")"#)
    }
    // The service does not get the calls of the failed launches later.
    #expect(try asPerson("cat", "/tmp/calls") == "/org/example/Service Open url=x:2")
  }

  @Test func serviceThatIsNotToStartIsAFailure() throws {
    try install("/bin/false", "StartLimitIntervalSec=1h\nStartLimitBurst=1")
    let reasons = [
      "'example.service' ended at once with status 1.",
      "'example.service' was started too often in a short time; systemd refuses to start it for a while.",
    ]
    for reason in reasons {
      let outcome = try launch(Self.service)
      #expect(outcome == "failed \(reason)")
    }
    try asPerson("systemctl", "--user", "reset-failed", "example.service")
    #expect(try launch(Self.service) == "failed \(reasons[0])")

    try install("/bin/false", "ConditionPathExists=/no/such")
    #expect(
      try launch(Self.service) == "failed systemd did not start 'example.service': a condition is not met."
    )
    try asPerson(
      "sh",
      "-c",
      "cd ~person/.config/systemd/user; ln -sf /dev/null dbus-$0.service; systemctl --user daemon-reload",
      Self.service
    )
    let masked = try launch(Self.service)
    #expect(masked == "failed 'dbus-org.example.Service.service' is masked.")
    try asPerson("sh", "-c", "cd ~person/.config/systemd/user; rm *example*; systemctl --user daemon-reload")
    #expect(
      try launch(Self.service)
        == "failed systemd did not start 'dbus-org.example.Service.service': Unit dbus-org.example.Service.service not found."
    )
  }

  @Test func serviceWhoseNameNeverAppearsIsAFailure() throws {
    try install("/opt/programs/ServeApplicationOnBus \(Self.service) /tmp/calls hide")
    let outcome = try launch(Self.service, "--limit", "1")
    #expect(outcome == "failed 'org.example.Service' did not answer on the bus in time.")
  }

  @Test func commandLineIsUsedWhereTheServiceIsNotThere() throws {
    try write("org.example.Absent", "sleep infinity", "DBusActivatable=true")
    try write("my-editor", "sleep infinity", "DBusActivatable=true")
    for id in ["org.example.Absent", "my-editor"] {
      let outcome = try launch(id, "x:1")
      #expect(outcome.hasPrefix("started unit"), "\(outcome)")
    }
  }

  // MARK: The manager

  /// The manager is on no session bus, as without `dbus-user-session`.
  @Test func programIsAUnitWithoutASessionBus() throws {
    try stopBus()
    try write("org.example.Long", "sleep infinity", "")
    let outcome = try launch("org.example.Long")
    #expect(outcome.hasPrefix("started unit"), "\(outcome)")
    try write("org.example.Failing", "sh -c \"exit 3\"", "")
    #expect(try launch("org.example.Failing") == "failed '/usr/bin/sh' ended at once with status 3.")
    // The connections to the manager end with their calls.
    try asPerson("systemctl", "--user", "set-environment", "XDG_CURRENT_DESKTOP=sway")
    #expect(try run("--environment", "XDG_CURRENT_DESKTOP") == "manager sway")
  }

  /// A session with a bus of its own, such as one under `dbus-run-session`, has an environment of its own too.
  @Test(arguments: [
    ("unix:path=/tmp/own-bus", "process"), ("unix:path=/run/user/1000/bus", "manager"),
    ("unix:path=/run/user/1000/bus,guid=0123456789abcdef0123456789abcdef", "manager"),
  ])
  func managerOfAnotherSessionStartsNothing(_ address: String, _ environment: String) throws {
    let found = try box.run(
      ["runuser", "-u", "person", "--", "env", "XDG_RUNTIME_DIR=/run/user/1000"]
        + [
          "DBUS_SESSION_BUS_ADDRESS=\(address)", "/opt/programs/LaunchDesktopEntry", "--environment", "HOME",
        ]
    )
    #expect(found == "\(environment) /home/person")
  }

  /// A name that systemd takes for no unit, or that is too long for it.
  @Test(arguments: ["org.example." + String(repeating: "a-", count: 100), String(repeating: "ü", count: 100)])
  func programWithALongNameIsAUnit(_ id: String) throws {
    try write(id, "sleep infinity", "")
    let outcome = try launch(id)
    #expect(outcome.hasPrefix("started unit"), "\(outcome)")
  }

  private func stopBus() throws {
    try asPerson(
      "sh",
      "-c",
      "systemctl --user mask dbus.socket && systemctl --user stop dbus.socket dbus.service"
    )
  }

  /// A launch waits for the user's systemd, which has just been restarted and has no name on the bus yet.
  @Test func managerIsWaitedFor() throws {
    try write("org.example.First", "sleep infinity", "")
    for _ in 1...3 {
      try box.run("systemctl", "restart", "user@1000.service")
      #expect(try launch("org.example.First").hasPrefix("started unit"))
    }
  }

  // MARK: The box

  /// Writes an entry into the user's home.
  private func write(_ id: String, _ exec: String, _ lines: String) throws {
    let text = "[Desktop Entry]\nType=Application\nName=App\nExec=\(exec)\n\(lines)\n"
    try asPerson("sh", "-c", #"printf %s "$1" > "$0""#, "/home/person/\(id).desktop", text)
  }

  /// Launches an entry of the user, and returns the outcome.
  ///
  /// The outcome may end with a `journalctl` command that shows more. This command is cut off.
  private func launch(_ id: String, _ arguments: String...) throws -> String {
    let outcome = try run(["/home/person/\(id).desktop"] + arguments)
    return String(outcome[..<(outcome.firstRange(of: " More: ")?.lowerBound ?? outcome.endIndex)])
  }

  private func run(_ arguments: String...) throws -> String { try run(arguments) }

  private func run(_ arguments: [String]) throws -> String {
    try box.run(
      ["runuser", "-u", "person", "--", "env", "XDG_RUNTIME_DIR=/run/user/1000", "LAUNCHED_BY=test"]
        + ["/opt/programs/LaunchDesktopEntry"] + arguments
    )
  }

  @discardableResult
  private func asPerson(_ arguments: String...) throws -> String {
    try box.run(["runuser", "-u", "person", "--", "env", "XDG_RUNTIME_DIR=/run/user/1000"] + arguments)
  }
}
