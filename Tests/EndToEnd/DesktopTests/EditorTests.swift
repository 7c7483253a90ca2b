import Foundation
import TestSupport
import Testing

/// Debian's Neovim and Emacs with their adapters, started by links, in Debian's terminal on an X server.
@Suite(.blocking, .serialized) final class EditorTests {
  private let session: DesktopSession
  private let limit = Deadline(in: .seconds(240))

  init() throws {
    session = try DesktopSession()
    for project in ["p", "q"] { try session.write("\(project)/.git/HEAD", "") }
    for name in ["p/a.txt", "p/b (1)+[x] é%.txt", "q/c.txt"] {
      try session.write(name, (1...99).map { "line \($0)\n" }.joined())
    }
  }

  /// Installs an adapter for the user, and makes its editor the one for texts.
  private func install(_ editor: String, _ files: [String: String]) throws {
    try session.write(".config/mimeapps.list", "[Default Applications]\ntext/plain=\(editor).desktop\n")
    try session.write(".config/scened/\(editor).desktop", "")
    for (source, target) in files.merging(
      ["entries/\(editor).desktop": ".config/scened/\(editor).desktop"],
      uniquingKeysWith: { $1 }
    ) {
      try session.write(target, "")
      try session.run("cp", PackageDirectory.appending("Sources/Adapters/\(source)"), session.path(target))
    }
    try session.startRouter(opening: "text/plain")
  }

  /// Opens a file, and returns how that ended.
  private func open(_ name: String, _ options: String...) throws -> String {
    let (_, output, error) = try SpawnedProgram.run(
      session.scenectl,
      ["open"] + options + [session.path(name)],
      environment: session.environment
    )
    return output + error
  }

  /// The ids of the open scenes.
  private func scenes() throws -> [String] {
    try session.run(session.scenectl, "scenes", "--json").matches(of: /"sceneId":"([^"]+)"/).map {
      String($0.1)
    }
  }

  private func waitForScenes(_ count: Int) throws {
    while try scenes().count != count { try #require(limit.millisecondsLeft > 0) }
  }

  /// The part of a test that is the same for every editor.
  ///
  /// `place` returns the path, the line and the column in the first editor.
  private func expectWindowOfFilesAndProject(_ place: () throws -> String) throws {
    func expectPlace(_ name: String, _ position: String) throws {
      let seen = try place()
      #expect(seen == "\(session.path(name)) \(position)")
    }
    let first = try open("p/a.txt:3:2")
    try #require(first.contains("taken by the new scene"), "\(first)")
    try expectPlace("p/a.txt", "3:2")
    #expect(try open("p/a.txt:7").contains("it shows this file"))
    try expectPlace("p/a.txt", "7:1")
    let other = try open("p/b (1)+[x] é%.txt:5")
    #expect(other.contains("it allows identifier"))
    try expectPlace("p/b (1)+[x] é%.txt", "5:1")
    #expect(try scenes().count == 1)
    // Another project gets another editor.
    #expect(try open("q/c.txt").contains("taken by the new scene"))
    try #require(try scenes().count == 2)
  }

  /// Neither editor may touch what the other one edits.
  private func expectThatALockedFileIsDeclined() throws {
    let second = try scenes()[1]
    #expect(try open("p/a.txt", "--scene", second).contains("Another program edits the file."))
  }

  private func expectThatRestartsAreSurvived() throws {
    try session.restartRouter()
    try waitForScenes(2)
    #expect(try open("p/a.txt:9").contains("it shows this file"))
  }

  @Test func neovimIsAWindowOfItsFilesAndItsProject() throws {
    try session.write(".config/nvim/init.vim", "silent! call serverstart($HOME . '/socket')\n")
    try install("nvim", ["neovim/plugin/scened.lua": ".config/nvim/plugin/scened.lua"])
    func ask(_ expression: String) throws -> String {
      // Neovim prints the value to standard error.
      let command = #"timeout 60 nvim --server "$0" --remote-expr "$1" 2>&1"#
      return try session.run("sh", "-c", command, session.path("socket"), expression)
    }
    func type(_ keys: String) throws {
      try session.run("timeout", "60", "nvim", "--server", session.path("socket"), "--remote-send", keys)
    }
    let place = #"expand("%:p") . " " . line(".") . ":" . col(".")"#
    try expectWindowOfFilesAndProject { try ask(place) }
    try expectThatALockedFileIsDeclined()

    // The next typed text must not go into the file.
    try type("i")
    #expect(try open("p/a.txt:4").contains("it shows this file"))
    #expect(try ask(place + #" . mode()"#) == "\(session.path("p/a.txt")) 4:1n")
    for prompt in [#":call confirm("Sure?", "&Yes\n&No")<CR>"#, #":call input("Name ")<CR>"#] {
      try type(prompt)
      let declined = try open("p/a.txt", "--no-new-scene")
      #expect(declined.contains("The editor waits for an answer."), "\(declined)")
      try type("<Esc>")
    }
    try expectThatRestartsAreSurvived()
    _ = try ask("timer_start(1, {-> execute('qa!')})")
    try waitForScenes(1)
  }

  @Test func emacsIsAWindowOfItsFilesAndItsProject() throws {
    try session.write(
      ".config/emacs/init.el",
      """
      (add-to-list 'load-path "~/.config/emacs/scened")
      (load "50scened")
      (setq server-socket-dir (expand-file-name "~/server") server-name "socket")
      (require 'server)
      (unless (server-running-p) (server-start))

      """
    )
    try install(
      "emacs",
      [
        "emacs/scened.el": ".config/emacs/scened/scened.el",
        "emacs/50scened.el": ".config/emacs/scened/50scened.el",
      ]
    )
    func ask(_ expression: String) throws -> String {
      let expression = "(with-current-buffer (window-buffer (selected-window)) \(expression))"
      let answer = try session.run(
        "timeout",
        "60",
        "emacsclient",
        "-s",
        session.path("server/socket"),
        "-e",
        expression
      )
      return answer.trimmingCharacters(in: .init(charactersIn: "\"\n"))
    }
    let place = #"(format "%s %d:%d" buffer-file-name (line-number-at-pos) (1+ (current-column)))"#
    try expectWindowOfFilesAndProject { try ask(place) }
    _ = try ask(#"(with-current-buffer (get-file-buffer "~/p/a.txt") (insert "x"))"#)
    try expectThatALockedFileIsDeclined()
    _ = try ask(#"(run-at-time 0 nil (lambda () (read-string "Name ")))"#)
    while try ask("(active-minibuffer-window)") == "nil" { try #require(limit.millisecondsLeft > 0) }
    let declined = try open("p/a.txt", "--no-new-scene")
    #expect(declined.contains("The editor waits for an answer."), "\(declined)")
    _ = try ask("(run-at-time 0 nil #'abort-recursive-edit)")
    while try ask("(active-minibuffer-window)") != "nil" { try #require(limit.millisecondsLeft > 0) }
    try expectThatRestartsAreSurvived()
    _ = try ask("(run-at-time 0 nil #'kill-emacs)")
    try waitForScenes(1)
  }
}
