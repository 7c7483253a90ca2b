import TestSupport
import Testing

/// The installed units for the whole system, run by a real systemd.
@Suite(.blocking) struct SystemServiceTests {
  private let box: SystemBox

  init() throws { box = try SystemBox() }

  @Test func startReturnsWhenReadyAndStopEndsInOrder() throws {
    try box.run("systemctl", "start", "scened.service")
    #expect(try box.property("ActiveState") == "active")
    #expect(try box.property("StatusText") == "0 scenes, 0 applications, 0 connections.")

    let monitor = try startMonitor()
    try box.run("systemctl", "stop", "scened.service")
    try monitor.outputLine(containing: #"{"closed":"shutdown"}"#)
    #expect(try monitor.waitForEnd() == .exit(0))
    #expect(try box.property("ActiveState") == "inactive")
    #expect(try box.property("Result") == "success")

    let journal = try box.journal("--unit=scened.service")
    #expect(journal.filter { $0.source == "scened" }.map(\.text) == ["Ready.", "Stopping."])
    #expect(journal.filter { $0.source == "scened" }.allSatisfy { $0.priority == "5" })
    // systemd reports the start and the stop of the service with the priority 6. A warning would have the priority 4.
    #expect(
      journal.filter { $0.source != "scened" }.allSatisfy { $0.source == "systemd" && $0.priority == "6" }
    )
  }

  @Test func eventIsInTheJournalWithItsFields() throws {
    let command = "ExecStart=\nExecStart=/usr/local/bin/scened --system --log-level info"
    try box.configure("scened.service", "Service", command)
    try box.run("systemctl", "start", "scened.service")
    #expect(try box.attempt("scenectl", "open", "--system", "test:a?b").ending == .exit(3))
    try box.run("journalctl", "--sync")
    let entry = try JSON(
      parsing: box.run("journalctl", "--output=json", "SCENED_RESULT=notRouted", "SYSLOG_IDENTIFIER=scened")
    )
    #expect(entry["SCENED_COMPARISON_STRING"] == "test:a")
    #expect(entry["PRIORITY"] == "6")
    #expect(entry["_SYSTEMD_UNIT"] == "scened.service")
    #expect(try box.journal("--unit=scened.service", "SYSLOG_IDENTIFIER=scened").count == 2)
  }

  @Test func firstClientStartsTheService() throws {
    try box.run("systemctl", "enable", "--now", "scened.socket")
    #expect(try box.property("ActiveState") == "inactive")
    #expect(try box.call(as: "root").ending == .exit(0))
    #expect(try box.property("ActiveState") == "active")
  }

  @Test func installedToolFindsTheService() throws {
    try box.run("systemctl", "start", "scened.socket")
    let status = ["scenectl", "status", "--system", "--json"]
    // The first client connects while systemd still listens on the socket.
    #expect(try JSON(parsing: box.run(status))["product"] == "scened")
    #expect(try JSON(parsing: box.run(status))["processId"] == JSON(parsing: box.property("MainPID")))
  }

  @Test func serviceComesBackAfterItWasKilled() throws {
    try box.run("systemctl", "start", "scened.service")
    let first = try box.property("MainPID")
    let monitor = try startMonitor()
    try box.run("systemctl", "kill", "--signal=KILL", "scened.service")
    #expect(try monitor.waitForEnd() == .exit(1))
    #expect(try box.call(as: "root").ending == .exit(0))
    #expect(try box.property("NRestarts") == "1")
    #expect(try box.property("MainPID") != first)
  }

  /// Because of `DynamicUser=`, the service can get a different user id at each start.
  @Test func historyOutlivesRestartsUntilTheServiceIsStopped() throws {
    func listed() throws -> [Substring] {
      try box.run("scenectl", "history", "--system", "--json").split(separator: "\n")
    }
    try box.configure("scened.socket", "Socket", "SocketMode=0666")
    try box.run("systemctl", "start", "scened.socket")
    for user in ["root", "person"] {
      let open = ["runuser", "-u", user, "--", "scenectl", "open", "--system", "test:\(user)"]
      #expect(try box.attempt(open).ending == .exit(3))
    }
    let records = try listed()
    #expect(try records.map { try JSON(parsing: $0)["senderName"] } == ["runuser", "runuser"])
    try box.run("systemctl", "restart", "scened.service")
    #expect(try listed() == records)
    try box.run("systemctl", "kill", "--signal=KILL", "scened.service")
    #expect(try listed() == records)
    try box.run("systemctl", "stop", "scened.service")
    #expect(try listed() == [])
    let journal = try box.journal("--unit=scened.service", "SYSLOG_IDENTIFIER=scened")
    #expect(Set(journal.map(\.text)) == ["Ready.", "Stopping."])
  }

  @Test func watchdogBitesOnlyWhoHangs() throws {
    try box.configure("scened.service", "Service", "WatchdogSec=1s")
    try box.run("systemctl", "start", "scened.service")
    let started = try #require(UInt64(box.property("ActiveEnterTimestampMonotonic")))
    // Without the watchdog's notifications the service would have been killed after a second.
    while try #require(UInt64(box.property("WatchdogTimestampMonotonic"))) < started + 1_500_000 {
      try #require(box.property("NRestarts") == "0")
    }

    let journal = try box.start([
      "journalctl", "--unit=scened.service", "--follow", "--lines=0", "--output=cat",
    ])
    try box.run("systemctl", "kill", "--signal=STOP", "scened.service")
    try journal.outputLine(containing: "Watchdog timeout")
    try journal.outputLine(containing: "Ready.")
    #expect(try box.property("NRestarts") == "1")
  }

  @Test func unitsAreSoundAndTight() throws {
    let verified = try box.attempt("systemd-analyze", "verify", "scened.service", "scened.socket")
    #expect(verified.ending == .exit(0))
    #expect(verified.output + verified.error == "")
    // The exposure is a number up to 100, and 100 is the worst. A unit without security settings has 96.
    let exposure = try box.attempt(
      "systemd-analyze",
      "security",
      "--offline=yes",
      "--threshold=5",
      "/usr/local/lib/systemd/system/scened.service"
    )
    #expect(exposure.ending == .exit(0), "\(exposure.output)")
  }

  @Test func onlyRootMayTalkToIt() throws {
    try box.run("systemctl", "start", "scened.socket")
    #expect(try box.call(as: "root").ending == .exit(0))
    #expect(try box.call(as: "stranger").error.contains("Permission denied"))
  }

  /// The service serves every user who can connect to the socket.
  @Test func modeOfTheSocketSaysWhoMayTalkToIt() throws {
    try box.configure("scened.socket", "Socket", "SocketMode=0666")
    try box.run("systemctl", "start", "scened.socket")
    #expect(try box.call(as: "root").ending == .exit(0))
    #expect(try box.call(as: "stranger").ending == .exit(0))
  }

  /// SocketUser= admits the programs of one user, as the unit file describes.
  @Test func userOfTheSocketMayTalkToIt() throws {
    try box.configure("scened.socket", "Socket", "SocketUser=person")
    try box.run("systemctl", "start", "scened.socket")
    #expect(try box.call(as: "person").ending == .exit(0))
    #expect(try box.call(as: "root").ending == .exit(0))
    #expect(try box.call(as: "stranger").error.contains("Permission denied"))
  }

  private func startMonitor() throws -> SpawnedProgram {
    let call = [
      "varlinkctl", "call", "-E", "--json=short", SystemBox.address, "io.scened.Router.Monitor", "{}",
    ]
    let monitor = try box.start(call)
    try monitor.outputLine(containing: "snapshot")
    return monitor
  }
}

extension SystemBox {
  fileprivate static let address = "unix:/run/scened/io.scened.Router"

  /// Calls a method of the daemon that runs for the whole system.
  fileprivate func call(as user: String) throws -> (
    ending: SpawnedProgram.Ending, output: String, error: String
  ) {
    try attempt(
      "runuser",
      "-u",
      user,
      "--",
      "varlinkctl",
      "call",
      Self.address,
      "io.scened.Manager.GetStatistics",
      "{}"
    )
  }
}
