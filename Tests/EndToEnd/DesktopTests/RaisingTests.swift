import Foundation
import TestSupport
import Testing

/// `scenectl raise` with the windows of real programs.
@Suite(.blocking, .serialized) struct RaisingTests {
  private let limit = Deadline()

  /// Runs `scenectl raise` in the session, outside of every window.
  private func raise(
    _ arguments: [String],
    in session: DesktopSession,
    path: String = "/usr/bin:/bin"
  ) throws -> (ending: SpawnedProgram.Ending, text: String) {
    let (ending, output, error) = try SpawnedProgram.run(
      "scenectl",
      ["raise"] + arguments,
      environment: session.environment.merging(["PATH": path]) { $1 }
    )
    return (ending, output + error)
  }

  /// Starts a terminal with a fixed title, waits until the terminal has the focus, and returns a process inside.
  ///
  /// `terminal` is the command line of the terminal without the program. `program` is a line for the shell.
  private func open(
    _ title: String,
    in terminal: [String],
    running program: String = "exec sleep 3600",
    on session: DesktopSession
  ) throws -> (terminal: SpawnedProgram, process: String) {
    let file = session.path("\(title).process")
    let line = "echo $$ >'\(file).new'; mv '\(file).new' '\(file)'; \(program)"
    let window = try SpawnedProgram(
      "/usr/bin/env",
      terminal + ["sh", "-c", line],
      environment: session.environment
    )
    try session.waitForFocus(title, by: limit)
    while !FileManager.default.fileExists(atPath: file) { try #require(limit.millisecondsLeft > 0) }
    return (window, try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines))
  }

  private func xterm(_ title: String) -> [String] {
    ["xterm", "-T", title, "-xrm", "*allowTitleOps: false", "-e"]
  }

  /// mutter can deny the focus to a window that asks for it, but `scenectl raise` must still give the window the focus.
  @Test func windowOfX11IsRaisedByNumberProcessAndTitle() throws {
    let session = try DesktopSession(on: .mutterOnX11)
    try session.startRouter(opening: "https")
    let albums = try session.startPython("windows.py")
    try albums.outputLine(containing: "Album 2 is active", by: limit)
    let numbered = try open("Numbered", in: xterm("Numbered"), on: session)
    let plain = try open(
      "Plain",
      in: xterm("Plain"),
      running: "exec env --unset=WINDOWID sleep 3600",
      on: session
    )
    let window = try session.run("xdotool", "search", "--onlyvisible", "--name", "^Numbered$")
      .trimmingCharacters(in: .newlines)
    for tool in ["wmctrl", "xdotool"] {
      let path = try session.makeDirectory(tool, of: [tool])
      for (arguments, title, sentence) in [
        (["--process", numbered.process], "Numbered", "the window \(window) is active."),
        (
          ["--process", "\(albums.processID)", "--title", "Album 1"], "Album 1",
          "the window of process \(albums.processID) is active."
        ),
        (
          ["--process", plain.process], "Plain",
          "the window of process \(plain.terminal.processID) is active."
        ),
        (
          ["--process", "\(albums.processID)", "--title", "2"], "Album 2",
          "the window of process \(albums.processID) is active."
        ),
      ] {
        let (ending, text) = try raise(arguments, in: session, path: path)
        #expect(ending == .exit(0) && text == sentence + "\n", "\(tool) \(arguments)")
        try session.waitForFocus(title, by: limit)
      }
      let hidden = try SpawnedProgram("/bin/sleep", ["3600"])
      let (ending, text) = try raise(["--process", "\(hidden.processID)"], in: session, path: path)
      #expect(ending == .exit(1))
      #expect(
        text == "scenectl: The window cannot be raised: X11 knows no window of these processes.\n",
        "\(tool)"
      )
    }
  }

  @Test func windowOfSwayIsFocusedByProcessAndTitle() throws {
    let session = try DesktopSession(on: .sway)
    try session.startRouter(opening: "https")
    let first = try open("First", in: ["foot", "--title", "First", "-o", "locked-title=yes"], on: session)
    let second = try open("Second", in: ["foot", "--title", "Second", "-o", "locked-title=yes"], on: session)
    let albums = try session.startPython("windows.py")
    for title in ["Album 1", "Album 2"] {
      try limit.wait(albums.errorText) { try session.run("swaymsg", "-t", "get_tree").contains(title) }
    }
    func expect(_ arguments: [String], raises title: Regex<Substring>, of process: CInt) throws {
      let (ending, text) = try raise(arguments, in: session)
      #expect(ending == .exit(0) && text == "sway has focused the window of process \(process).\n")
      let focused = try session.focusedWindow ?? ""
      #expect(focused.wholeMatch(of: title) != nil, "\(focused)")
    }
    try expect(["--process", first.process], raises: /First/, of: first.terminal.processID)
    try expect(["--process", second.process], raises: /Second/, of: second.terminal.processID)
    let process = ["--process", "\(albums.processID)"]
    try expect(process + ["--title", "Album 1"], raises: /Album 1/, of: albums.processID)
    try expect(process + ["--title", "2"], raises: /Album 2/, of: albums.processID)
    // If no window has the title, another window of the process is raised.
    try expect(["--process", second.process], raises: /Second/, of: second.terminal.processID)
    let none = #"no "(window)" [of] \these."#
    try expect(process + ["--title", none], raises: /Album ./, of: albums.processID)
    let hidden = try SpawnedProgram("/bin/sleep", ["3600"])
    let (ending, text) = try raise(["--process", "\(hidden.processID)"], in: session)
    #expect(ending == .exit(1))
    #expect(text == "scenectl: The window cannot be raised: sway knows no window of these processes.\n")
  }

  @Test func windowOfGNOMEIsRaisedOnlyWhileTheExtensionIsOn() throws {
    let session = try DesktopSession(on: .gnome)
    try session.plugInKeyboard()
    try session.startRouter(opening: "https")
    let albums = try session.startPython("windows.py")
    for title in ["Album 1", "Album 2"] {
      try limit.wait(albums.errorText) { try session.run(session.scenectl, "scenes").contains(title) }
    }
    let process = ["--process", "\(albums.processID)"]
    let reason = "GNOME raises it only with the extension of the package scened-gnome, which is not on"
    let refused = try raise(process, in: session)
    #expect(
      refused.ending == .exit(1) && refused.text == "scenectl: The window cannot be raised: \(reason).\n"
    )
    try session.run("gnome-extensions", "enable", "raise-44@scened.io")
    try limit.wait("The extension does not begin.") { try raise(process, in: session).ending == .exit(0) }

    let sentence = "GNOME Shell has raised the window of process \(albums.processID).\n"
    // The last title is that of no window, so that the window used last is raised, which is active already.
    for (title, raised) in [("2", nil), ("Album 1", "Album 1"), ("2", "Album 2"), ("-no \"(window)\"", nil)] {
      let (ending, text) = try raise(process + ["--title=\(title)"], in: session)
      #expect(ending == .exit(0) && text == sentence, "\(text)")
      if let raised { try albums.outputLine(containing: "\(raised) is active", by: limit) }
    }
    let hidden = try SpawnedProgram("/bin/sleep", ["3600"])
    let unknown = try raise(["--process", "\(hidden.processID)"], in: session)
    #expect(
      unknown.text
        == "scenectl: The window cannot be raised: GNOME Shell knows no window of these processes.\n"
    )
    try session.run("gnome-extensions", "disable", "raise-44@scened.io")
    try limit.wait("The extension does not end.") { try raise(process, in: session).ending == .exit(1) }
  }

  @Test func linkAsksWhileShiftIsHeldInGNOME() throws {
    let session = try DesktopSession(on: .gnome)
    try session.plugInKeyboard()
    try session.startRouter(opening: "https")
    try session.install("pad.desktop", exec: "true %u", "MimeType=x-scheme-handler/pad;")
    let menu = try session.writeScript(".local/bin/fuzzel", #"echo asked >>"$0.log"; exec head -n 1"#)
    try session.run("gnome-extensions", "enable", "raise-44@scened.io")
    try limit.wait("The extension does not begin.") {
      try !raise(["--process", "1"], in: session).text.contains("not on")
    }
    for questions in [0, 1, 1] {
      try session.run(session.scenectl, "open", "--as-handler", "pad:\(questions)")
      let log = (try? String(contentsOfFile: menu + ".log", encoding: .utf8)) ?? ""
      #expect(log.split(separator: "\n").count == questions)
      try session.toggleShift()
    }
    #expect(try session.run(session.scenectl, "history").split(separator: "\n").count == 3)
  }

  /// The environment of the pane has no `WINDOWID`, because the server of tmux was started outside of every terminal.
  @Test func paneOfTmuxIsShownAndItsTerminalRaised() throws {
    let session = try DesktopSession(on: .openbox)
    let tmux = ["tmux", "-f", "/dev/null", "-S", session.path("tmux")]
    try session.run(tmux + ["new-session", "-d", "-s", "work", "exec sleep 3600"])
    let process = try session.run(tmux + ["display-message", "-p", "#{pane_pid}"])
      .trimmingCharacters(in: .newlines)
    try session.run(tmux + ["new-window", "-t", "work", "exec sleep 3600"])
    // This client of tmux only reads what happens in the session. It has no terminal that could be raised.
    let follower = try session.start(
      "sh",
      "-c",
      #"mkfifo "$0.fifo" && exec tmux -S "$0" -C attach-session -t work <>"$0.fifo""#,
      session.path("tmux")
    )
    try follower.outputLine(containing: "%session-changed", by: limit)
    let terminal = try open(
      "Tmux",
      in: xterm("Tmux"),
      running: "exec " + (tmux + ["attach-session", "-t", "work"]).joined(separator: " "),
      on: session
    )
    try limit.wait("The terminal does not come.") {
      try session.run(tmux + ["list-clients"]).split(separator: "\n").count == 2
    }
    let other = try open("Other", in: xterm("Other"), on: session)
    let window = try session.run("xdotool", "search", "--onlyvisible", "--name", "^Tmux$")
    let (ending, text) = try raise(["--process", process], in: session)
    #expect(ending == .exit(0))
    #expect(
      text == "tmux shows the pane %0, the window \(window.trimmingCharacters(in: .newlines)) is active.\n"
    )
    try session.waitForFocus("Tmux", by: limit)
    #expect(try session.run(tmux + ["list-clients", "-F", "#{pane_id}"]) == "%0\n%0\n")
    try session.run(tmux + ["kill-server"])
    withExtendedLifetime((terminal, other, follower)) {}
  }

  /// `scenectl raise` asks kitty to focus the window, and then asks the window manager to activate the window.
  ///
  /// The second step is needed because kitty can only ask for the focus. Even openbox does not always give kitty the
  /// focus.
  @Test(arguments: [WindowSystem.openbox, .mutterOnX11])
  func windowOfKittyIsFocusedByKitty(windowSystem: WindowSystem) throws {
    let session = try DesktopSession(on: windowSystem)
    let kitty = try open(
      "Kitty",
      in: ["kitty", "--config=NONE", "--title=Kitty", "--override=allow_remote_control=socket-only"]
        + ["--listen-on=unix:\(session.path("kitty"))"],
      on: session
    )
    let other = try open("Other", in: xterm("Other"), on: session)
    let window = try session.run("xdotool", "search", "--onlyvisible", "--name", "^Kitty$")
      .trimmingCharacters(in: .newlines)
    let (ending, text) = try raise(["--process", kitty.process], in: session)
    #expect(ending == .exit(0))
    #expect(text == "kitty has focused the window 1, the window \(window) is active.\n")
    try session.waitForFocus("Kitty", by: limit)
    withExtendedLifetime((kitty.terminal, other)) {}
  }
}
