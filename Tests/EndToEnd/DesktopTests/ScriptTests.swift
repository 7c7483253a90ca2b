import Foundation
import TestSupport
import Testing

/// The scripts in `Sources/Examples/Scripts`, with Debian's mpv, tmux and jq.
@Suite(.blocking, .serialized) final class ScriptTests {
  private let session: DesktopSession
  private let limit = Deadline()

  init() throws { session = try DesktopSession() }

  private func startScript(_ name: String, _ arguments: String...) throws -> SpawnedProgram {
    try SpawnedProgram(
      PackageDirectory.appending("Sources/Examples/Scripts/\(name)"),
      arguments,
      environment: session.environment
    )
  }

  /// Opens a URL or a file, and returns what `scenectl open` printed.
  private func open(_ link: String) throws -> String {
    let (_, output, error) = try SpawnedProgram.run(
      session.scenectl,
      ["open", "--no-new-scene", "--timeout", "90", link],
      environment: session.environment
    )
    return output + error
  }

  private func scenes() throws -> String { try session.run(session.scenectl, "scenes", "--json") }

  // MARK: - mpv

  /// Starts mpv and mpv's script, waits until mpv's window is a scene, and returns the two programs.
  private func startPlayer(_ files: String...) throws -> (player: SpawnedProgram, script: SpawnedProgram) {
    // Ten minutes of silence.
    let record = """
      import sys, wave
      with wave.open(sys.argv[1], "wb") as sound:
          sound.setparams((1, 1, 8000, 0, "NONE", ""))
          sound.writeframes(b"\\x80" * 8000 * 600)
      """
    try session.run("python3", "-c", record, session.path("a.wav"))
    for name in ["b (1)+[x] é%23.wav", "c.wav", "d.wav"] {
      try session.run("cp", session.path("a.wav"), session.path(name))
    }
    // One file has a name that is not UTF-8.
    try session.run("sh", "-c", #"cp "$0" "${0%a.wav}$(printf '\377').wav""#, session.path("a.wav"))
    try session.write("broken.wav", "no sound")
    try session.startRouter(opening: "audio/x-wav")
    let options = ["--no-config", "--vo=null", "--ao=null", "--no-terminal"]
    let player = try SpawnedProgram(
      "/usr/bin/mpv",
      options + ["--input-ipc-server=\(session.path("socket"))"] + files.map(session.path),
      environment: session.environment
    )
    let script = try startScript("mpv-window", session.path("socket"))
    try limit.wait("\(script.errorText)") { try scenes().contains(#""applicationId":"mpv""#) }
    return (player, script)
  }

  /// Sends a command to mpv, and returns the data of mpv's answer as JSON.
  @discardableResult
  private func mpv(_ command: String...) throws -> String {
    let ask = """
      import json, socket, sys
      mpv = socket.socket(socket.AF_UNIX)
      mpv.connect(sys.argv[1])
      mpv.sendall(json.dumps({"command": sys.argv[2:], "request_id": 7}).encode() + b"\\n")
      for line in mpv.makefile(errors="replace"):
          answer = json.loads(line)
          if answer.get("request_id") == 7:
              print(json.dumps(answer.get("data")))
              break
      """
    return try session.run(["python3", "-c", ask, session.path("socket")] + command)
      .trimmingCharacters(in: .newlines)
  }

  /// The names of the files of the playlist; the playing file has a star.
  private func playlist() throws -> [String] {
    let entries = try JSONSerialization.jsonObject(with: Data(mpv("get_property", "playlist").utf8))
    return try #require(entries as? [[String: Any]]).map { entry in
      let name = ((entry["filename"] as? String ?? "") as NSString).lastPathComponent
      return name + (entry["playing"] as? Bool == true ? "*" : "")
    }
  }

  @Test func mpvGoesOnWithFilesOfItsPlaylistAndPlaysOthers() throws {
    let other = "b (1)+[x] é%23.wav"
    let (player, script) = try startPlayer("a.wav", other)
    let shown = ["/a.wav", "/b%20%281%29%2B%5Bx%5D%20%C3%A9%2523.wav"].map {
      "file://\(session.path(""))\($0.dropFirst())"
    }
    #expect(try scenes().contains(#""showing":["\#(shown[0])","\#(shown[1])"]"#))

    let going = try open(session.path(other))
    #expect(going.contains("of mpv: it shows this file"), "\(going)\(script.errorText)")
    #expect(try playlist() == ["a.wav", other + "*"])
    let added = try open(session.path("c.wav"))
    #expect(added.contains("of mpv: it allows every event"), "\(added)\(script.errorText)")
    #expect(try playlist() == ["a.wav", other, "c.wav*"])
    #expect(try open(session.path("a.wav")).contains("it shows this file"))
    // An added file comes next, not last.
    #expect(try open(session.path("d.wav")).contains("it allows every event"))
    #expect(try playlist() == ["a.wav", "d.wav*", other, "c.wav"])

    // A link to the playing file ends the pause and does not change the position.
    try mpv("seek", "300", "absolute")
    try mpv("set_property_string", "pause", "yes")
    #expect(try open(session.path("d.wav")).contains("it shows this file"))
    #expect(try mpv("get_property", "pause") == "false")
    #expect(try #require(Double(mpv("get_property", "time-pos"))) >= 300)

    let declined = try open(session.path("broken.wav"))
    #expect(declined.contains("(mpv cannot play it: unrecognized file format)"), "\(declined)")
    try limit.wait("mpv did not go on: \(try playlist())") { try mpv("get_property", "time-pos") != "null" }
    #expect(try #require(Double(mpv("get_property", "time-pos"))) >= 299)
    #expect(try playlist() == ["a.wav", "d.wav*", other, "c.wav"])

    let bytes = try open("file://\(session.path("%FF.wav"))")
    #expect(bytes.contains("it allows every event"), "\(bytes)")
    try limit.wait("\(try scenes())") { try scenes().contains("/%FF.wav") }
    #expect(try open("file://\(session.path("%FF.wav"))").contains("it shows this file"))
    #expect(try playlist() == ["a.wav", "d.wav", "\u{FFFD}.wav*", other, "c.wav"])

    try session.restartRouter()
    try limit.wait("\(script.errorText)") { try scenes().contains(#""applicationId":"mpv""#) }
    #expect(try open(session.path("c.wav")).contains("it shows this file"))
    #expect(try playlist().last == "c.wav*")
    try mpv("quit")
    #expect(try player.waitForEnd(by: limit) == .exit(0))
    #expect(try script.waitForEnd(by: limit) == .exit(0), "\(script.errorText)")
    try limit.wait("\(try scenes())") { try scenes().isEmpty }
  }

  /// A file that mpv cannot play ends immediately.
  ///
  /// If this file is the last file of the playlist, mpv ends too.
  @Test func mpvDeclinesAtOnceWhatItCannotPlayAndPlaysOn() throws {
    let (player, script) = try startPlayer("a.wav")
    #expect(try open(session.path("broken.wav")).contains("(mpv cannot play it: unrecognized file format)"))
    #expect(try open(session.path("c.wav")).contains("it allows every event"), "\(script.errorText)")
    #expect(try playlist() == ["a.wav", "c.wav*"])

    // mpv does not play a declined file later, because another window may have got the file by then.
    player.freeze()
    #expect(try open(session.path("a.wav")).contains("(mpv cannot play it: it does not answer)"))
    player.send(signal: SIGCONT)
    #expect(try playlist() == ["a.wav", "c.wav*"])
    #expect(try open(session.path("a.wav")).contains("it shows this file"), "\(script.errorText)")
    #expect(try playlist() == ["a.wav*", "c.wav"])
    player.send(signal: SIGKILL)
    #expect(try script.waitForEnd(by: limit) == .exit(0), "\(script.errorText)")
    try limit.wait("\(try scenes())") { try scenes().isEmpty }
  }

  // MARK: - tmux

  @Test func paneOfTmuxTakesTheFilesOfItsProject() throws {
    for name in ["p/.git/HEAD", "q r%#S;/.git/HEAD", ".git/HEAD", "alone/notes.txt"] {
      try session.write(name, "")
    }
    for name in ["p/sub/a.txt", "q r%#S;/b #{x} é%;"] {
      try session.write(name, (1...99).map { "line \($0) of \(name)\n" }.joined())
    }
    try session.write(".config/mimeapps.list", "[Default Applications]\ntext/plain=nvim.desktop\n")
    try session.startRouter(opening: "text/plain")
    func tmux(_ server: String, _ command: String...) throws -> String {
      try session.run(
        ["env", "SHELL=/bin/sh", "tmux", "-u", "-f", "/dev/null", "-S", session.path(server)] + command
      )
      .trimmingCharacters(in: .newlines)
    }
    let panes = {
      try tmux("inner", "list-windows", "-F", "#{window_active} #{pane_current_command} #{pane_current_path}")
    }
    _ = try tmux("inner", "new-session", "-d", "-s", "work", "-c", session.path("p/sub"))
    _ = try tmux("inner", "set-option", "-g", "automatic-rename", "off")
    // The shell changes the directory, because tmux would read the name of the directory as a format.
    _ = try tmux("inner", "new-window", "cd '\(session.path("q r%#S;"))' && exec sh")
    _ = try tmux("inner", "new-window", "-c", session.path("alone"))
    // The tmux server `outer` stands for the terminal in which the user sees the session of the tmux server `inner`.
    _ = try tmux(
      "outer",
      "new-session",
      "-d",
      "-x",
      "100",
      "-y",
      "30",
      "env -u TMUX tmux -S '\(session.path("inner"))' attach"
    )
    // A slow client, as on a busy machine: tmux reads its standard input before it is attached.
    let strace = try TestEnvironment.run("get-strace")
    let slow = "'\(strace)' -o /dev/null -e trace=sendmsg -e inject=sendmsg:delay_exit=100000"
    _ = try session.writeScript(
      "slow/tmux",
      #"case "$*" in *" -C attach "*) exec \#(slow) /usr/bin/tmux "$@" ;; esac; exec /usr/bin/tmux "$@""#
    )
    let script = PackageDirectory.appending("Sources/Examples/Scripts/tmux-panes")
    _ = try tmux(
      "inner",
      "new-window",
      "-d",
      "-c",
      "/",
      "env",
      "PATH=\(session.path("slow")):\(session.environment["PATH"] ?? "")",
      "EDITOR=nvim -n -u NONE",
      "sh",
      "-c",
      "exec '\(script)' 2>'\(session.path("errors"))'"
    )
    func screen() throws -> String { try tmux("outer", "capture-pane", "-p") }
    func errors() -> String { (try? String(contentsOfFile: session.path("errors"), encoding: .utf8)) ?? "" }
    func allowed() throws -> Set<String> {
      Set(try scenes().matches(of: /"allowing":\["([^"]+)"\]/).map { String($0.1) })
    }
    let projects: Set = [session.path("p/"), session.path("q%20r%25%23S%3B/")]
    // Only panes in projects are windows. The home directory is no project, although it has .git.
    try limit.wait("\(try scenes())\(errors())") { try allowed() == projects }
    #expect(try scenes().split(separator: "\n").count == 2)

    let first = try open(session.path("p/sub/a.txt:40"))
    #expect(first.contains("of nvim: it allows identifier"), "\(first)\(errors())")
    try limit.wait("\(try screen())") { try screen().contains("line 40 of p/sub/a.txt") }
    #expect(try panes().split(separator: "\n")[1] == "1 nvim \(session.path("p/sub"))")

    let second = try open(session.path("q r%#S;/b #{x} é%;"))
    #expect(second.contains("of nvim: it allows identifier"), "\(second)\(errors())")
    try limit.wait("\(try screen())") { try screen().contains("line 1 of q r%#S;/b #{x} é%;") }
    #expect(try panes().contains("1 nvim \(session.path("q r%#S;"))"))

    // A pane that changes to the directory of another project becomes a window of that project. No other change makes
    // the script look again.
    try limit.wait("\(try scenes())") { try scenes().split(separator: "\n").count == 4 }
    try session.write("s/.git", "gitdir: elsewhere\n")
    try session.write("s/c.txt", "line of s\n")
    #expect(try open(session.path("s/c.txt")).contains("taken by") == false)
    _ = try tmux("inner", "send-keys", "-t", "work:4", "cd \(session.path("s"))", "Enter")
    let pane = { try tmux("inner", "capture-pane", "-p", "-t", "work:4") }
    try limit.wait("\(try scenes())\(try panes())\(try pane())\(errors())") {
      try allowed() == projects.union([session.path("s/")])
    }
    let third = try open(session.path("s/c.txt"))
    #expect(third.contains("of nvim: it allows identifier"), "\(third)\(errors())")
    try limit.wait("\(try screen())") { try screen().contains("line of s") }

    let gone = try open("file://\(session.path("p/none.txt"))")
    #expect(gone.contains("(There is no such file on this machine.)"), "\(gone)")

    // Without the outer server, nobody sees the inner session, so that its panes are no windows any more.
    _ = try tmux("outer", "kill-server")
    try limit.wait("\(try scenes())") { try scenes().isEmpty }
    _ = try tmux("inner", "kill-server")
    #expect(errors() == "")
  }

  // MARK: - A shell

  @Test func shellPrintsTheLinksToItsHost() throws {
    try session.startRouter(opening: "https")
    let window = try startScript("shell-window", "wiki.example.org")
    try limit.wait("\(window.errorText)") { try scenes().contains(#""title":"wiki.example.org""#) }
    for _ in 1...2 {
      #expect(try open("https://wiki.example.org/Start").contains("of shell-window"), "\(window.errorText)")
      try window.outputLine(containing: #""https://wiki.example.org/Start""#, by: limit)
      #expect(try !open("https://news.example.org/").contains("shell-window"))
      try session.restartRouter()
      try limit.wait("\(window.errorText)") { try scenes().contains(#""title":"wiki.example.org""#) }
    }
  }

  @Test func scriptsOfTheShellPassShellcheck() throws {
    let shellcheck = try TestEnvironment.run("get-command", ["shellcheck", "shellcheck"])
    try session.run(shellcheck, PackageDirectory.appending("Sources/Examples/Scripts/shell-window"))
  }
}
