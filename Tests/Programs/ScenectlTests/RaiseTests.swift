import Foundation
import TestSupport
import Testing

/// Tests of `scenectl raise` without a desktop.
///
/// `DesktopTests` tests the command on a desktop.
@Suite(.blocking) final class RaiseTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Runs `scenectl raise`, which finds no programs except the scripts of the test.
  private func raise(_ arguments: String..., in environment: [String: String]) throws -> Router.Run {
    try Router.scenectl(
      ["raise"] + arguments,
      environment: ["PATH": directory.path].merging(environment) { _, own in own }
    )
  }

  @Test(arguments: [
    ([:], "there is no desktop: neither WAYLAND_DISPLAY nor DISPLAY is set"),
    (
      ["WAYLAND_DISPLAY": "wayland-0"],
      "on this Wayland desktop only the program itself can raise its window, with an activation token"
    ),
    (
      ["WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"],
      "neither 'wmctrl' nor 'xdotool' is installed; on this Wayland desktop only the program itself can raise its "
        + "window, with an activation token"
    ),
    (["DISPLAY": ":0"], "neither 'wmctrl' nor 'xdotool' is installed"),
    (["WAYLAND_DISPLAY": "wayland-0", "SWAYSOCK": "/none"], "'swaymsg' is not installed"),
    (["HYPRLAND_INSTANCE_SIGNATURE": "1"], "'hyprctl' is not installed"),
    (
      ["DISPLAY": ":0", "KITTY_LISTEN_ON": "unix:/none", "KITTY_WINDOW_ID": "1"],
      "'kitty' is not installed; neither 'wmctrl' nor 'xdotool' is installed"
    ),
  ]) func saysWhyItCannot(environment: [String: String], reason: String) throws {
    let run = try raise(in: environment)
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(run.error == "scenectl: The window cannot be raised: \(reason).\n")
  }

  @Test(arguments: [
    (["TMUX": "/none,1,0", "TMUX_PANE": "%7"], "The pane %7 cannot be shown: 'tmux' is not installed."),
    (["WEZTERM_PANE": "7"], "The pane 7 cannot be shown: 'wezterm' is not installed."),
  ]) func saysWhyAPaneCannotBeShown(environment: [String: String], sentence: String) throws {
    let run = try raise(in: environment)
    #expect(run.status == 1 && run.error == "scenectl: \(sentence)\n")
  }

  /// A script replaces wezterm, because Debian 12 does not have wezterm.
  @Test func weztermIsAskedForThePane() throws {
    try directory.writeScript("wezterm", #"echo "$* $WEZTERM_UNIX_SOCKET" >"$0.called""#)
    let run = try raise(in: ["WEZTERM_PANE": "7", "WEZTERM_UNIX_SOCKET": "/socket"])
    #expect(try contents("wezterm.called") == "cli activate-pane --pane-id 7 /socket\n")
    #expect(run.status == 0)
    #expect(
      run.output == "wezterm shows the pane 7, but the window cannot be raised: there is no desktop: neither "
        + "WAYLAND_DISPLAY nor DISPLAY is set.\n"
    )
  }

  /// A script replaces hyprctl, because Debian 12 does not have hyprctl.
  ///
  /// Like hyprctl, the script ends with status 0 even if it finds no window.
  @Test func hyprlandIsAskedForTheWindowOfTheClosestParent() throws {
    let parent = try SpawnedProgram("/bin/sh", ["-c", "/bin/sleep 1000 & echo $!; wait"])
    let child = try parent.outputLine(containing: "")
    try directory.writeScript(
      "hyprctl",
      """
      echo "$* $XDG_ACTIVATION_TOKEN $DESKTOP_STARTUP_ID" >>"$0.called"
      [ "$3" = pid:\(parent.processID) ] && echo ok || echo No such window found
      """
    )
    let run = try raise(
      "--process",
      child,
      "--activation-token",
      "t",
      in: ["HYPRLAND_INSTANCE_SIGNATURE": "1"]
    )
    #expect(run.output == "Hyprland has focused the window of process \(parent.processID).\n")
    let calls = try contents("hyprctl.called").split(separator: "\n")
    // The first call looks for a window of the process `child`. The other calls look for the window of the terminal.
    // They begin again with `child`, and end with `parent`, which has a window.
    #expect(
      calls == [child, child, "\(parent.processID)"].map { "dispatch focuswindow pid:\($0) t t" }
    )
  }

  @Test func commandThatDoesNotAnswerIsEnded() throws {
    try directory.writeScript("swaymsg", "exec /bin/sleep 1000")
    let run = try raise(in: ["SWAYSOCK": "/none"])
    #expect(run.error == "scenectl: The window cannot be raised: 'swaymsg' does not answer.\n")
  }

  @Test func windowOfTheProcessItselfComesBeforeItsTerminal() throws {
    let program = try SpawnedProgram(
      "/bin/sleep",
      ["1000"],
      environment: ["TMUX": "/none,1,0", "TMUX_PANE": "%1", "WINDOWID": "1"]
    )
    try directory.writeScript("swaymsg", #"[ "$1" = "[pid=\#(program.processID)] focus" ]"#)
    let run = try raise("--process", "\(program.processID)", in: ["SWAYSOCK": "/none"])
    #expect(run.output == "sway has focused the window of process \(program.processID).\n")
  }

  /// The tool reads the environment of the process that `--process` names.
  ///
  /// The tool's own environment may name another terminal.
  @Test func terminalIsThatOfTheProcess() throws {
    try directory.writeScript("wezterm", #"echo "$*" >"$0.called""#)
    let program = try SpawnedProgram("/bin/sleep", ["1000"], environment: ["WEZTERM_PANE": "2"])
    _ = try raise("--process", "\(program.processID)", in: ["WEZTERM_PANE": "1"])
    #expect(try contents("wezterm.called") == "cli activate-pane --pane-id 2\n")
  }

  @Test func mistakesAreNamed() throws {
    let process = try Router.scenectl(["raise", "--process", "0"])
    #expect(process.status == 64)
    #expect(process.error.contains("The process after --process has to be 1 or more."))
    let router = try Router.scenectl(["raise", "--socket", "/none"])
    #expect(router.status == 64 && router.error.contains("raise asks no router"))
  }

  private func contents(_ name: String) throws -> String {
    try String(contentsOfFile: directory.appending(name), encoding: .utf8)
  }
}

/// `scenectl raise` in panes of Debian's tmux.
@Suite(.blocking) final class RaiseInTmuxTests {
  private let directory: TemporaryDirectory
  private let program: String

  /// Starts a tmux server with the session `work`, which has two windows.
  ///
  /// Each window has one pane. The session shows the second pane.
  init() throws {
    program = try TestEnvironment.run("get-command", ["tmux", "tmux"])
    directory = try TemporaryDirectory()
    try tmux("-f", "/dev/null", "new-session", "-d", "-s", "work", "sleep 1000")
    try tmux("new-window", "-t", "work", "sleep 1000")
    #expect(try tmux("display-message", "-p", "-t", "work:", "#{pane_id}") == "%1")
  }

  deinit { _ = try? tmux("kill-server") }

  @discardableResult private func tmux(_ arguments: String...) throws -> String {
    let run = try Router.run(program, ["-S", directory.appending("tmux")] + arguments)
    guard run.status == 0 else { throw Overdue("tmux \(arguments): \(run.error)") }
    return run.lines.joined(separator: "\n")
  }

  /// Runs `scenectl raise` with the environment variables of a program in the pane.
  private func raise(_ pane: String, in environment: [String: String] = [:]) throws -> Router.Run {
    let place = ["TMUX": try tmux("display-message", "-p", "#{socket_path},#{pid},0"), "TMUX_PANE": pane]
    return try Router.scenectl(["raise"], environment: place.merging(environment) { _, own in own })
  }

  @Test func paneOfAnotherWindowIsShown() throws {
    let run = try raise("%0")
    #expect(run.status == 0)
    #expect(
      run.output == "tmux shows the pane %0, but the window cannot be raised: there is no desktop: neither "
        + "WAYLAND_DISPLAY nor DISPLAY is set.\n"
    )
    #expect(try tmux("display-message", "-p", "-t", "work:", "#{pane_id}") == "%0")
  }

  @Test func missingPaneIsNamed() throws {
    let run = try raise("%9")
    #expect(run.status == 1)
    #expect(
      run.error == "scenectl: The pane %9 cannot be shown: 'tmux' failed: can't find pane: %9.\n"
    )
    #expect(try tmux("display-message", "-p", "-t", "work:", "#{pane_id}") == "%1")
  }

  /// scenectl raises the terminal in which the user sees the pane.
  ///
  /// The environment of a pane may name another terminal: the one in which the tmux server was started.
  @Test func terminalOfTheClientThatComesToThePaneIsRaised() throws {
    try tmux("new-session", "-d", "-s", "other", "sleep 1000")
    let client = try SpawnedProgram(
      "/usr/bin/script",
      ["-qec", "exec \(program) -S \(directory.appending("tmux")) attach-session -t other", "/dev/null"],
      environment: ["TERM": "xterm", "WEZTERM_PANE": "5"]
    )
    let limit = Deadline()
    try limit.wait(client.outputText) { try tmux("list-clients", "-F", "#{session_name}") == "other" }
    try directory.writeScript("wezterm", #"echo "$*" >"$0.called""#)
    let path = "\(directory.path):/usr/bin:/bin"
    let run = try raise("%0", in: ["PATH": path, "WEZTERM_PANE": "4"])
    #expect(run.output.hasPrefix("tmux shows the pane %0, wezterm shows the pane 5, but"))
    #expect(
      try String(contentsOfFile: directory.appending("wezterm.called"), encoding: .utf8)
        == "cli activate-pane --pane-id 5\n"
    )
    #expect(try tmux("list-clients", "-F", "#{session_name} #{pane_id}") == "work %0")
  }
}
