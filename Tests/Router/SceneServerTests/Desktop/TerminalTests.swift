import Foundation
import RouterInterface
import TestSupport
import Testing

/// Tests of programs that the daemon starts in a terminal.
///
/// The terminal is a real tmux, which needs no display. The command `tmux` only asks a running tmux server to open a
/// window. The program in the window therefore does not get the environment of the command.
@Suite(.blocking) struct TerminalTests {
  private let desktop: DesktopDaemon

  init() throws { desktop = try DesktopDaemon() }

  // MARK: tmux

  private var tmux: [String] { ["tmux", "-S", desktop.path("tmux"), "-f", "/dev/null"] }

  private func run(_ arguments: String...) throws -> String {
    let command = tmux + arguments
    return try SpawnedProgram.run("/usr/bin/env", command, environment: ["TERM": "screen"]).output
  }

  /// Runs the server of tmux with one window while `body` runs.
  private func withServer(_ body: () throws -> Void) throws {
    try TestEnvironment.run("get-command", ["tmux", "tmux"])
    _ = try run("new-session", "-d", "-s", "first", "-x", "80", "-y", "24", "sleep", "infinity")
    defer { _ = try? run("kill-server") }
    try body()
  }

  /// Writes a script that acts as a terminal and takes a command line after `-e`; returns its path.
  private func writeTerminal() throws -> String {
    let command = tmux.joined(separator: " ")
    return try desktop.writeScript("terminal", "shift\nexec \(command) new-session -d \"$@\"")
  }

  // MARK: Tests

  @Test func awareProgramOfATerminalWithAServerAnswersItsRequest() throws {
    let scenectl = "\(SpawnedProgram.buildDirectory)/scenectl"
    try desktop.install(
      "aware",
      exec: "\(scenectl) declare --application aware.desktop --scene main",
      "MimeType=x-scheme-handler/x;",
      "X-Scened-Aware=true",
      "Terminal=true"
    )
    let terminal = try writeTerminal()
    try withServer {
      try desktop.start(with: ["TERMINAL": terminal])
      let outcome = try desktop.connect().call(Wire.SendEventCall.url("x:1"))
      #expect(outcome.settlement?.result == .acknowledged)
      #expect(outcome.attempts.count == 1)
    }
  }

  /// Debian's entry of Neovim is `Exec=nvim %F` with `Terminal=true`.
  @Test(arguments: [true, false])
  func neovimShowsTheFile(namesTerminal: Bool) throws {
    try TestEnvironment.run("get-command", ["nvim", "neovim"])
    let entry = try String(contentsOfFile: "/usr/share/applications/nvim.desktop", encoding: .utf8)
    try desktop.write("home/.local/share/applications/nvim.desktop", entry)
    try desktop.write("a (1).txt", "It is shown.\n")
    let terminal = try writeTerminal()
    try withServer {
      try desktop.start(
        namesTerminal ? ["--terminal", "\(terminal) -e"] : [],
        with: ["TERMINAL": namesTerminal ? "no-such-terminal" : terminal]
      )
      let url = "file://" + desktop.path("a%20(1).txt")
      let event = Event(.url(url), contentType: "text/plain")
      let outcome = try desktop.connect().call(Wire.SendEventCall(event: event))
      #expect(outcome.settlement?.result == .launched)
      try Deadline().wait("Neovim shows nothing: \(screens())") { try screens().contains("It is shown.") }
    }
  }

  private func screens() throws -> String {
    let panes = try run("list-panes", "-a", "-F", "#{pane_id}").split(separator: "\n")
    return try panes.map { try run("capture-pane", "-p", "-t", String($0)) }.joined()
  }

  @Test func eventEndsWhereThereIsNoTerminal() throws {
    try desktop.install("a", exec: "/bin/true %u", "MimeType=x-scheme-handler/x;", "Terminal=true")
    try desktop.install("b", exec: "/bin/true %u", "MimeType=x-scheme-handler/x;")
    try desktop.start(with: ["PATH": desktop.path("empty")])
    let failure = try desktop.connect().failure(of: Wire.SendEventCall.url("x:1"))
    guard case .launchFailed(_, let settlement, let attempts) = failure else {
      throw Overdue("It ended as \(failure).")
    }
    #expect(
      settlement.reason?.hasPrefix("'/bin/true' needs a terminal, but there is no xdg-terminal-exec") == true
    )
    #expect(attempts.count == 1)
  }
}
