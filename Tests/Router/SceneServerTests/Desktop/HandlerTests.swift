import Foundation
import RouterInterface
import TestSupport
import Testing
import Varlink

/// The daemon as the handler of links, and programs that hand links to the daemon.
@Suite(.blocking) struct HandlerTests {
  private let desktop: DesktopDaemon

  init() throws { desktop = try DesktopDaemon() }

  private func handler(_ arguments: String...) throws {
    let (ending, _, error) = try SpawnedProgram.run(
      "scenectl",
      ["handler"] + arguments,
      environment: desktop.environment
    )
    try #require(ending == .exit(0), "\(error)")
  }

  @Test func whatWasTheDefaultBeforeTakesTheLinks() throws {
    for name in ["a", "browser", "scened-open"] {
      try desktop.install(name, "MimeType=x-scheme-handler/https;")
    }
    try desktop.write(
      "home/.config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/https=browser.desktop\n"
    )
    try handler("set", "https")
    // xdg-mime rewrites the list like this: scened becomes the only handler, and the browser is no longer listed as a
    // fallback.
    try desktop.write(
      "home/.config/mimeapps.list",
      "[Default Applications]\nx-scheme-handler/https=scened-open.desktop\n"
    )
    try desktop.start()
    let decision = try desktop.explain("https://example.org/")
    #expect(decision.applicationID == "browser")
    #expect(decision.rule == .default)
  }

  @Test func chosenApplicationTakesTheLinksOfAHost() throws {
    for name in ["browser", "meet"] { try desktop.install(name, "MimeType=x-scheme-handler/https;") }
    try handler("set", "https", "browser.desktop")
    try handler("set", "meet.example.org", "meet.desktop")
    try desktop.start()
    #expect(try desktop.explain("https://meet.example.org/x").applicationID == "meet")
    #expect(try desktop.explain("https://example.org/").applicationID == "browser")
  }

  /// Installs a program that hands its link to `scenectl open`; returns the path of the program's log.
  ///
  /// The program writes the link to the log, and prints the exit status of `scenectl`.
  private func installRedirector(_ name: String) throws -> String {
    let log = desktop.path("\(name)-log")
    let scenectl = "\(SpawnedProgram.buildDirectory)/scenectl"
    try desktop.write(
      name,
      """
      echo "$1" >>'\(log)'
      [ "$(wc -l <'\(log)')" -lt 5 ] || exit 0
      '\(scenectl)' open --socket '\(desktop.socket)' "$1"
      status=$?
      echo "open: $status"
      exit $status

      """
    )
    // /bin/sh reads the script. Executing the script itself fails while another process has the file open for writing,
    // and the new process of another test may have inherited the open file.
    try desktop.install(name, exec: "/bin/sh \(desktop.path(name)) %u", "MimeType=x-scheme-handler/https;")
    return log
  }

  @Test func redirectorsHandLinksToTheBrowserOnceEach() throws {
    let logs = try [installRedirector("a"), installRedirector("b")]
    let opened = desktop.path("opened")
    guard mkfifo(opened, 0o600) == 0 else { throw Overdue("There is no FIFO.") }
    try desktop.install(
      "c",
      exec: "\(SpawnedProgram.buildDirectory)/ReportHowStarted \(opened) %u",
      "MimeType=x-scheme-handler/https;"
    )
    try desktop.start()
    let reader = try SpawnedProgram("/bin/cat", [opened])
    let outcome = try desktop.connect().call(Wire.SendEventCall.url("https://example.org/"))
    #expect(outcome.decision?.applicationID == "a")
    #expect(outcome.settlement?.result == .launched)
    try reader.outputLine(containing: "argument https://example.org/")
    for log in logs {
      #expect(try String(contentsOfFile: log, encoding: .utf8) == "https://example.org/\n")
    }
  }

  @Test func redirectorThatNobodyElseFollowsIsStartedOnce() throws {
    let log = try installRedirector("a")
    try desktop.start()
    let sender = try desktop.connect()
    try sender.send(Wire.SendEventCall.url("https://example.org/"))
    // Waits for the program's output, which appears in the daemon's output. The event's result would not do: on a busy
    // machine, the event ends before the program fails.
    try #require(desktop.program).outputLine(containing: "open: 3")
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "https://example.org/\n")
  }
}
