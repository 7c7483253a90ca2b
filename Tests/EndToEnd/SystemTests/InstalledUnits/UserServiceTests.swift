import TestSupport
import Testing

/// The installed units for one user, run by the user's own systemd.
@Suite(.blocking) struct UserServiceTests {
  private let box: SystemBox

  init() throws {
    box = try SystemBox()
    try box.run("systemctl", "start", "user@1000.service")
  }

  @Test func serviceLivesFromTheFirstClientToTheEnd() throws {
    try asPerson("systemctl", "--user", "enable", "--now", "scened.socket")
    #expect(try property("ActiveState") == "inactive")
    let monitor = try box.start(
      command("varlinkctl", "call", "-E", "--json=short", address, "io.scened.Router.Monitor", "{}")
    )
    try monitor.outputLine(containing: "snapshot")
    #expect(try property("ActiveState") == "active")
    #expect(try property("StatusText").hasPrefix("0 scenes, 0 applications, "))

    try asPerson("systemctl", "--user", "stop", "scened.service", "scened.socket")
    try monitor.outputLine(containing: #"{"closed":"shutdown"}"#)
    #expect(try monitor.waitForEnd() == .exit(0))
    #expect(try property("Result") == "success")

    let journal = try box.journal("_UID=1000", "SYSLOG_IDENTIFIER=scened")
    #expect(journal.map(\.text) == ["Ready.", "Stopping."])
    #expect(journal.allSatisfy { $0.priority == "5" })
  }

  @Test func installedToolFindsTheService() throws {
    try asPerson("systemctl", "--user", "start", "scened.socket")
    let status = try asPerson("/home/person/.local/bin/scenectl", "status", "--json")
    #expect(status.contains(#""processId":\#(try property("MainPID")),"#), "\(status)")
  }

  /// The directory of the desktop entry is set in systemd's environment after the start of the socket unit.
  ///
  /// The service finds the entry all the same, because it asks systemd for the directories of entries when it starts.
  @Test func linkStartsAnApplicationThatOutlivesTheService() throws {
    try asPerson("systemctl", "--user", "start", "scened.socket")
    try asPerson("systemctl", "--user", "set-environment", "XDG_DATA_DIRS=/home/person/desktop")
    let entry = """
      [Desktop Entry]
      Type=Application
      Name=App
      Exec=sh -c "exec sleep infinity" %u
      MimeType=x-scheme-handler/x;
      """
    let script = #"mkdir -p ~/desktop/applications; printf %s "$1" > ~/desktop/applications/"$0".desktop"#
    try asPerson("sh", "-c", script, "org.example.Long", entry)
    let opened = try asPerson("/home/person/.local/bin/scenectl", "open", "--json", "x:1")
    #expect(opened.contains(#""result":"launched""#), "\(opened)")

    let units = try asPerson(
      "systemctl",
      "--user",
      "list-units",
      "--plain",
      "--no-legend",
      "app-org.example.Long@*"
    )
    let unit = try #require(units.split(separator: " ").first.map(String.init))
    func properties() throws -> String {
      try asPerson("systemctl", "--user", "show", unit, "--property=Slice,ActiveState,MainPID")
    }
    let before = try properties()
    #expect(before.contains("Slice=app.slice") && before.contains("ActiveState=active"), "\(before)")
    try asPerson("systemctl", "--user", "restart", "scened.service")
    #expect(try properties() == before)
  }

  /// The units have names like those that desktops, Flatpak and Snap choose.
  @Test(arguments: [
    ("app-gnome-org.example.Chat-4711.scope", "org.example.Chat", "scenectl"),
    ("app-org.example.Chat@4711.service", "org.example.Chat", "scenectl"),
    (#"app-firefox\x2desr-4711.scope"#, "firefox-esr", "scenectl"),
    ("app-flatpak-org.mozilla.firefox-2891.scope", "org.mozilla.firefox", "scenectl"),
    ("snap.chat.chat-2f1a7c56-4d0e-4a43-9a39-0f1a5f6f0c11.scope", "chat_chat", "scenectl"),
    // These units tell nothing about the sender. The portal passes on the links of other programs, and KIO starts
    // `scened-open` in a unit of its own.
    ("xdg-desktop-portal.service", nil, "xdg-desktop-portal"),
    (#"app-scened\x2dopen@4711.service"#, nil, "scened-open"),
    ("trial.service", nil, "scenectl"),
  ])
  func senderIsTheApplicationOfItsUnit(_ unit: String, _ application: String?, _ name: String) throws {
    try asPerson("systemctl", "--user", "start", "scened.socket")
    let kind = unit.hasSuffix(".scope") ? "--scope" : "--wait"
    let sent = try box.attempt(
      command(
        "systemd-run",
        "--user",
        kind,
        "--unit=\(unit)",
        "/home/person/.local/bin/scenectl",
        "open",
        "test:x"
      )
    )
    #expect(sent.ending == .exit(3), "\(sent.error)")
    let record = try JSON(parsing: asPerson("/home/person/.local/bin/scenectl", "history", "--json"))
    #expect(record["senderApplicationId"] == application.map { .string($0) } ?? .null)
    #expect(record["senderName"] == .string(name))
  }

  /// A link from the chat program goes to another application than the same link from other programs.
  @Test func linksOfOneApplicationGoWhereItsUserChose() throws {
    let scenectl = "/home/person/.local/bin/scenectl"
    // `~/.local` is mounted read-only. The entries, the user's choices and the state are in `~/desktop` instead.
    let places = ["XDG_DATA_DIRS", "XDG_CONFIG_HOME", "XDG_STATE_HOME"].map { "\($0)=/home/person/desktop" }
    try box.run(command("systemctl", "--user", "set-environment") + places)
    for name in ["first", "second", "org.example.Chat"] {
      let lines =
        #"[Desktop Entry]\nType=Application\nName=\#(name)\nExec=sh -c true %u\nMimeType=x-scheme-handler/x;\n"#
      let script = #"mkdir -p ~/desktop/applications; printf %b "$1" > ~/desktop/applications/"$0".desktop"#
      try asPerson("sh", "-c", script, name, lines)
    }
    try asPerson("systemctl", "--user", "start", "scened.socket")
    for choice in [["first"], ["second", "--from", "org.example.Chat.desktop"]] {
      try box.run(command("env") + places + [scenectl, "handler", "set", "x"] + choice)
    }
    for (unit, target) in [
      ("app-org.example.Chat@1.service", "handed to second: your choice for links of this sender"),
      ("app-org.example.Mail@1.service", "handed to first: your default for x"),
    ] {
      try asPerson("systemd-run", "--user", "--wait", "--unit=\(unit)", scenectl, "open", "x:1")
      let reason = try asPerson(scenectl, "why", "last")
      #expect(reason.contains(target), "\(reason)")
    }
    let reason = try asPerson(scenectl, "why", "x:1")
    #expect(reason.contains("Sent by"), "\(reason)")
  }

  /// systemd removes the directory of the history when the service is stopped; the socket stays.
  @Test func historyOutlivesRestartsUntilTheServiceIsStopped() throws {
    func listed() throws -> [Substring] {
      try asPerson("/home/person/.local/bin/scenectl", "history", "--json").split(separator: "\n")
    }
    try asPerson("systemctl", "--user", "start", "scened.socket")
    for number in 1...2 {
      #expect(
        try box.attempt(command("/home/person/.local/bin/scenectl", "open", "test:\(number)")).ending
          == .exit(3)
      )
    }
    let records = try listed()
    #expect(records.count == 2)
    try asPerson("systemctl", "--user", "restart", "scened.service")
    #expect(try listed() == records)
    try asPerson("systemctl", "--user", "kill", "--signal=KILL", "scened.service")
    #expect(try listed() == records)
    #expect(
      try asPerson("stat", "--format=%a %U", "/run/user/1000/scened/state/history") == "600 person"
    )
    try asPerson("systemctl", "--user", "stop", "scened.service")
    #expect(try asPerson("ls", "/run/user/1000/scened") == "io.scened.Router")
    #expect(try listed() == [])
    let journal = try box.journal("_UID=1000", "SYSLOG_IDENTIFIER=scened")
    #expect(Set(journal.map(\.text)) == ["Ready.", "Stopping."])
  }

  @Test func unitsAreSound() throws {
    let verify = command("systemd-analyze", "--user", "verify", "scened.service", "scened.socket")
    let verified = try box.start(verify)
    #expect(try verified.waitForEnd() == .exit(0))
    #expect(verified.outputText + verified.errorText == "")
  }

  @Test func unitIsTight() throws {
    // The exposure is a number up to 100, and 100 is the worst. A unit without security settings has 98. Most settings
    // need a privilege or a namespace, which the manager of a user may not have.
    let unit = "/home/person/.local/share/systemd/user/scened.service"
    let exposure = try box.start(
      command("systemd-analyze", "--user", "security", "--offline=yes", "--threshold=61", unit)
    )
    #expect(try exposure.waitForEnd() == .exit(0), "\(exposure.outputText)")
  }

  /// The desktop makes itself known after the start of the service, in different ways, and again and again.
  @Test func sessionThatStartsLaterCounts() throws {
    let scenectl = "/home/person/.local/bin/scenectl"
    let script = #"""
      set -e
      cd
      app() {
        mkdir -p "$1/applications"
        printf '[Desktop Entry]\nType=Application\nName=A\nExec=true %%u\nMimeType=x-scheme-handler/x;\n%s\n' "$3" \
          >"$1/applications/$2.desktop"
      }
      list() { mkdir -p "${1%/*}"; printf '[Default Applications]\nx-scheme-handler/x=%s.desktop\n' "$2" >"$1"; }
      app one first; app one second; app two third; app one own TryExec=only-there
      list .config/mimeapps.list first; list .config/sway-mimeapps.list second
      list xdg/late-mimeapps.list second; list config/mimeapps.list own
      mkdir bin; cp /bin/true bin/only-there
      """#
    try asPerson("sh", "-c", script)
    try asPerson("systemctl", "--user", "set-environment", "XDG_DATA_DIRS=/home/person/one")
    try asPerson("systemctl", "--user", "start", "scened.socket")
    func wait(for application: String) throws {
      try Deadline().wait("\(application) does not get the link.") {
        try asPerson(scenectl, "explain", "--json", "x:1").contains(#""applicationId":"\#(application)""#)
      }
    }
    try wait(for: "first")
    let changes = [
      ("set-environment", "XDG_CURRENT_DESKTOP=sway", "second"),
      ("unset-environment", "XDG_CURRENT_DESKTOP", "first"),
      ("set-environment", "XDG_DATA_DIRS=/home/person/two", "third"),
      ("set-environment", "XDG_DATA_DIRS=/home/person/one", "first"),
      ("set-environment", "XDG_CONFIG_HOME=/home/person/config", "first"),
      ("set-environment", "PATH=/home/person/bin:/usr/bin:/bin", "own"),
    ]
    for (command, variable, application) in changes {
      try asPerson("systemctl", "--user", command, variable)
      try wait(for: application)
    }
    // The service got these variables at its start; without them in the manager, they do not count any more.
    try asPerson("systemctl", "--user", "restart", "scened.service")
    try wait(for: "own")
    try asPerson("systemctl", "--user", "unset-environment", "XDG_CONFIG_HOME")
    try wait(for: "first")
    let loop = "for i in $(seq 50); do systemctl --user set-environment XDG_CURRENT_DESKTOP=d$i; done"
    try asPerson("sh", "-c", loop + "; systemctl --user set-environment XDG_CURRENT_DESKTOP=sway")
    try wait(for: "second")
  }

  /// Root may connect.
  @Test func rootMayTalkToTheUsersService() throws {
    try asPerson("systemctl", "--user", "start", "scened.socket")
    for call in [["varlinkctl"], command("varlinkctl")] {
      try box.run(call + ["call", address, "io.scened.Manager.GetStatistics", "{}"])
    }
  }

  private let address = "unix:/run/user/1000/scened/io.scened.Router"

  private func command(_ command: String...) -> [String] {
    ["runuser", "-u", "person", "--", "env", "XDG_RUNTIME_DIR=/run/user/1000"] + command
  }

  @discardableResult
  private func asPerson(_ arguments: String...) throws -> String {
    try box.run(["runuser", "-u", "person", "--", "env", "XDG_RUNTIME_DIR=/run/user/1000"] + arguments)
  }

  private func property(_ name: String) throws -> String {
    try asPerson("systemctl", "--user", "show", "scened.service", "--property=\(name)", "--value")
  }
}
