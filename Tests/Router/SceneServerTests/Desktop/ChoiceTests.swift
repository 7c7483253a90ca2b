import Foundation
import RouterInterface
import TestSupport
import Testing
import UnixSocket
import Varlink

/// `scenectl handler` beside a running daemon.
@Suite(.blocking) struct ChoiceTests {
  private let desktop: DesktopDaemon

  init() throws {
    desktop = try DesktopDaemon()
    try desktop.install("a", "MimeType=x-scheme-handler/https;")
  }

  @discardableResult
  private func handler(_ arguments: String..., environment: [String: String] = [:]) throws -> String {
    let own = desktop.environment.merging(["SCENED_SOCKET": desktop.socket]) { _, own in own }
    let (ending, output, error) = try SpawnedProgram.run(
      "scenectl",
      ["handler"] + arguments,
      environment: own.merging(environment) { _, own in own }
    )
    try #require(ending == .exit(0), "\(error)")
    return output
  }

  private func application(for url: String) throws -> String? {
    try desktop.explain(url).applicationID
  }

  /// Installs an application that reports its arguments; returns the reader of the reports.
  private func installReporter(_ name: String) throws -> SpawnedProgram {
    let reports = desktop.path("\(name)-reports")
    guard mkfifo(reports, 0o600) == 0 else { throw Overdue("There is no FIFO.") }
    try desktop.install(
      name,
      exec: "\(SpawnedProgram.buildDirectory)/ReportHowStarted \(reports) %u",
      "MimeType=x-scheme-handler/https;"
    )
    // The FIFO stays open for several reports.
    return try SpawnedProgram("/bin/sh", ["-c", "exec cat <> '\(reports)'"])
  }

  @Test func choiceIsInForceWhenTheCommandEnds() throws {
    try desktop.install("b", "MimeType=x-scheme-handler/https;")
    try desktop.start()
    for round in 1...5 {
      let host = "h\(round).example.org"
      try handler("set", host, "b")
      #expect(try application(for: "https://\(host)/") == "b")
      try handler("unset", host)
      #expect(try application(for: "https://\(host)/") == "a")
    }
  }

  @Test func profileTakesTheLinksOfAHost() throws {
    try desktop.install("firefox-esr", exec: "/bin/true %u")
    try desktop.write("home/.mozilla/firefox/profiles.ini", "[Profile0]\nName=My; Work\n")
    try desktop.start()
    try handler("set", "forge.example.org", "firefox-esr", "--profile", "My; Work")
    #expect(
      try application(for: "https://forge.example.org/x") == "scened-profile-firefox-esr-My_3B_20Work"
    )
    #expect(try application(for: "https://example.org/") == "a")
    try handler("unset", "forge.example.org")
    #expect(try application(for: "https://forge.example.org/x") == "a")
  }

  /// Writes a program that chooses the line with the first of the texts that a line contains.
  private func menu(choosing texts: String...) throws {
    let shown = desktop.path("shown")
    let choices = texts.map { "printf '%s\\n' \"$lines\" | grep -F '\($0)'" }.joined(separator: " || ")
    try desktop.write(
      "menu",
      "echo menu \"$@\" >>'\(shown)'\nlines=$(tee -a '\(shown)')\n\(choices)\n"
    )
  }

  @Test func menuAsksForEachLinkUntilTheAnswerIsForAlways() throws {
    let reader = try installReporter("b")
    try desktop.start()
    let asking = "/bin/sh \(desktop.path("menu"))"
    try handler("set", "example.org", "--ask", "--menu", asking)
    for (text, next) in [("b (b)", "scened-ask"), ("Always for", "b")] {
      try menu(choosing: text, "b (b)")
      let outcome = try desktop.connect().call(Wire.SendEventCall.url("https://example.org/\(next)"))
      #expect(outcome.settlement?.result == .launched)
      try reader.outputLine(containing: "argument https://example.org/\(next)")
      // The user's answer in the menu leads to a new event, and `b` is started for this event. If the menu had failed,
      // `b` would have been started for the event that the test sent.
      let event = try reader.outputLine(containing: "variable SCENED_EVENT=")
      let asked = try #require(outcome.decision?.decisionID)
      #expect(!event.hasSuffix("=\(asked)"))
      try desktop.wait(for: next, toGet: "https://example.org/")
    }
    let shown = try String(contentsOfFile: desktop.path("shown"), encoding: .utf8)
    let lines = ["menu", "a (a)", "b (b)", "Always for example.org …"]
    #expect(
      shown.split(separator: "\n").map(String.init) == lines + lines + ["menu", "a (a)", "b (b)"],
      "Each application is there once, and a second menu is for always."
    )
    try handler("unset", "example.org")
    #expect(try application(for: "https://example.org/") == "scened-ask")
    try handler("unset", "example.org")
    #expect(try application(for: "https://example.org/") == "a")
  }

  /// The desktop gives the link to `scenectl handler ask` instead of to the router.
  ///
  /// The link still goes to windows before the user is asked, and the user is asked once.
  @Test func askingForASchemeAsksOnceAndOffersTheLinkToWindows() throws {
    let reader = try installReporter("b")
    try menu(choosing: "b (b)")
    try desktop.start()
    let asking = "/bin/sh \(desktop.path("menu"))"
    try handler("set", "https", "--ask", "--menu", asking)
    let output = try handler("ask", "--offer", "--menu", asking, "https://example.org/1")
    #expect(output.contains("https://example.org/1"))
    try reader.outputLine(containing: "argument https://example.org/1")
    try reader.outputLine(containing: "variable SCENED_SOCKET=\(desktop.socket)")
    let shown = try String(contentsOfFile: desktop.path("shown"), encoding: .utf8)
    #expect(shown.split(separator: "\n").count { $0 == "menu" } == 1)
  }

  /// A user who leaves the menu wants no program to open the link.
  @Test func linkOpensNowhereWithoutAnAnswer() throws {
    try menu(choosing: "no such line")
    try desktop.start()
    try handler("set", "https", "--ask", "--menu", "/bin/sh \(desktop.path("menu"))")
    let outcome = try desktop.connect().call(Wire.SendEventCall.url("https://example.org/3"))
    #expect(outcome.decision?.applicationID == "scened-ask")
    #expect(outcome.attempts.map(\.result) == [.launched])
  }

  @Test func linkIsNotLostWithoutAMenu() throws {
    let reader = try installReporter("A")
    let bus = try MessageBus()
    let notifications = try SpawnedProgram("PrintNotifications", environment: bus.environment)
    try notifications.outputLine(containing: "ready")
    try desktop.start(with: bus.environment)
    try handler("set", "https", "--ask", "--menu", "/nonexistent/menu")
    let outcome = try desktop.connect().call(Wire.SendEventCall.url("https://example.org/2"))
    #expect(outcome.settlement?.result == .launched)
    try reader.outputLine(containing: "argument https://example.org/2")
    // The notification says what was done, and why nobody was asked.
    try notifications.outputLine(
      containing: "|Opened in A|https://example.org/2 The menu '/nonexistent/menu' could not be run: "
    )
  }

  /// The menu names the program that sent the link, as the router knows it.
  @Test func menuNamesTheSender() throws {
    let arguments = desktop.path("arguments")
    guard mkfifo(arguments, 0o600) == 0 else { throw Overdue("There is no FIFO.") }
    let reader = try SpawnedProgram("/bin/sh", ["-c", "exec cat <> '\(arguments)'"])
    let menu = try desktop.writeScript("rofi", #"printf '%s\n' "$@" >'\#(arguments)'; exit 1"#)
    try desktop.start()
    try handler("set", "https", "--ask", "--menu", menu)
    let outcome = try desktop.connect().call(Wire.SendEventCall.url("https://example.org/4"))
    #expect(outcome.settlement?.result == .launched)
    let name = try #require(RunningProcess(reading: getpid()).name)
    try reader.outputLine(containing: "from \(name)")
    #expect(reader.outputText == "-mesg\nhttps://example.org/4\nfrom \(name)\n")
  }
}
