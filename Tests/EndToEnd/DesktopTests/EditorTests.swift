import Foundation
import TestSupport
import Testing

/// Debian's Neovim, Vim and Emacs with their adapters, started by links, in Debian's terminal on an X server.
@Suite(.blocking, .serialized) final class EditorTests {
  private let session: DesktopSession
  private let limit = Deadline()

  init() throws {
    session = try DesktopSession()
    for project in ["p", "q"] { try session.write("\(project)/.git/HEAD", "") }
    for name in ["p/a.txt", "p/b (1)+[x] é%.txt", "q/c.txt"] {
      try session.write(name, (1...99).map { "line \($0)\n" }.joined())
    }
  }

  /// Installs an adapter for the user; the adapter's editor becomes the default for texts.
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

  /// Opens a file by its path or URL, and returns what `scenectl open` printed.
  private func open(_ name: String, _ options: String...) throws -> String {
    let (_, output, error) = try SpawnedProgram.run(
      session.scenectl,
      ["open", "--timeout", "90"] + options + [name.hasPrefix("file:") ? name : session.path(name)],
      environment: session.environment
    )
    return output + error
  }

  private func scenes() throws -> [String] {
    try session.run(session.scenectl, "scenes", "--json").matches(of: /"sceneId":"([^"]+)"/).map {
      String($0.1)
    }
  }

  private func expectScenes(_ count: Int) throws {
    let scenes = try scenes()
    if scenes.count == count { return }
    let programs = try session.run("ps", "-eo", "pid,ppid,etimes,stat,args").split(separator: "\n").filter {
      $0.contains(/vim|emacs|scenectl/)
    }
    let history = try session.run(session.scenectl, "history")
    let messages = session.router?.errorText ?? ""
    throw Overdue("There are \(scenes), not \(count). \(history)\(messages)\(programs)")
  }

  private func waitForScenes(_ count: Int) throws {
    try limit.wait("There are \(scenes()), not \(count).") { try scenes().count == count }
  }

  /// Expects that an editor's window takes the files that it shows and the files of its project.
  ///
  /// `place` returns the path, the line and the column of the cursor in the first editor.
  private func expectWindowOfFilesAndProject(_ place: () throws -> String) throws {
    func expectPlace(_ name: String, _ position: String) throws {
      let seen = try place()
      #expect(seen == "\(session.path(name)) \(position)")
    }
    let first = try open("p/a.txt:3:2")
    try #require(first.isTakenByANewWindow, "\(first)")
    try expectPlace("p/a.txt", "3:2")
    #expect(try open("p/a.txt:7").contains("it shows this file"))
    try expectPlace("p/a.txt", "7:1")
    let other = try open("p/b (1)+[x] é%.txt:5")
    #expect(other.contains("it allows identifier"))
    try expectPlace("p/b (1)+[x] é%.txt", "5:1")
    try expectScenes(1)
    // Another project gets another editor.
    #expect(try open("q/c.txt").isTakenByANewWindow)
    try expectScenes(2)
  }

  /// An editor declines a file that is open in another editor, and does not show the file.
  private func expectThatALockedFileIsDeclined(by scene: String) throws {
    let declined = try open("p/a.txt", "--scene", scene)
    #expect(declined.contains("Another program edits the file."), "\(declined)")
    let shown = try session.run(session.scenectl, "scenes", "--json").matches(of: #/p/a\.txt"/#)
    #expect(shown.count == 1)
  }

  private func expectThatRestartsAreSurvived() throws {
    try session.restartRouter()
    try waitForScenes(2)
    #expect(try open("p/a.txt:9").contains("it shows this file"))
  }

  /// Expects that an editor starts its adapter again after `kill` has killed the adapter.
  private func expectThatAKilledAdapterIsStartedAgain(_ kill: () throws -> Void) throws {
    let before = Set(try scenes())
    try kill()
    var now = before
    while now.count != 2 || now == before {
      now = Set(try scenes())
      guard limit.millisecondsLeft > 0 else { throw Overdue("There are \(now), and were \(before).") }
    }
    #expect(try open("p/a.txt:8").contains("it shows this file"))
  }

  // MARK: - Git, links and new files for all editors

  private func git(_ command: String...) throws {
    try session.run(
      ["git", "-c", "user.email=a@example.org", "-c", "user.name=A", "-c", "protocol.file.allow=always"]
        + ["-C", session.path("")] + command
    )
  }

  /// Makes a repository with a worktree and a submodule, and a bare repository with a worktree.
  private func makeRepositories() throws {
    try session.write(".gitconfig", "[user]\nname = A\nemail = a@example.org\n")
    try git("init", "-q", "-b", "main", "main")
    try session.write("main/a.txt", "a\n")
    try git("-C", "main", "add", ".")
    try git("-C", "main", "commit", "-q", "-m", "1")
    try git("clone", "-q", "--bare", "main", "bare.git")
    try git("-C", "main", "submodule", "--quiet", "add", "../bare.git", "part")
    try git("-C", "main", "worktree", "add", "-q", "../tree")
    try git("-C", "bare.git", "worktree", "add", "-q", "../of bare", "-b", "other")
  }

  /// Expects that the message of a commit comes to the editor that has the working tree, and stays in its project.
  ///
  /// `write` writes the message and closes its buffer, as the user would.
  private func expectCommitMessage(
    in tree: String,
    at message: String,
    write: () throws -> Void,
    place: () throws -> String
  ) throws {
    try makeRepositories()
    #expect(try open("\(tree)/a.txt").isTakenByANewWindow)
    #expect(try open("main/a.txt").isTakenByANewWindow)
    try session.write("\(tree)/b.txt", "b\n")
    let commit = try session.start(
      "env",
      "GIT_EDITOR=\(session.scenectl) open --wait",
      "git",
      "-C",
      session.path(tree),
      "commit",
      "--allow-empty"
    )
    try limit.wait("\(place()) \(commit.errorText) \(session.run(session.scenectl, "history"))") {
      try place().hasPrefix(session.path(message))
    }
    // The message is in git's directory, but the window keeps its project.
    let link = try open("\(tree)/b.txt")
    #expect(link.contains("it allows identifier"), "\(link)")
    #expect(try place() == "\(session.path("\(tree)/b.txt")) 1:1")
    try write()
    #expect(try commit.waitForEnd(by: limit) == .exit(0), "\(commit.errorText)")
    #expect(try session.run("git", "-C", session.path(tree), "log", "-1", "--format=%s") == "Message\n")
    try expectScenes(2)
  }

  private static let trees = [
    ("tree", "main/.git/worktrees/tree/COMMIT_EDITMSG"),
    ("main/part", "main/.git/modules/part/COMMIT_EDITMSG"),
    ("of bare", "bare.git/worktrees/of-bare/COMMIT_EDITMSG"),
  ]

  /// Expects that one file under two names is one file, and that a new file is opened where its directory is.
  private func expectLinkedProjectAndNewFile(
    save: () throws -> Void,
    place: () throws -> String
  ) throws {
    try session.run("ln", "-s", "p", session.path("link"))
    #expect(try open("link/a.txt").isTakenByANewWindow)
    for name in ["p/a.txt:3", "link/a.txt:5"] {
      let opened = try open(name)
      #expect(opened.contains("it shows this file"), "\(opened)")
      #expect(try place().hasSuffix("/a.txt \(name.suffix(1)):1"))
    }
    let other = try open("p/b (1)+[x] é%.txt")
    #expect(other.contains("it allows identifier"), "\(other)")
    #expect(try open("link/b (1)+[x] é%.txt").contains("it shows this file"))
    let new = try session.start(session.scenectl, "open", "--wait", session.path("p/new.txt"))
    try limit.wait("\(place()) \(new.errorText)") { try place().hasSuffix("/new.txt 1:1") }
    try save()
    #expect(try new.waitForEnd(by: limit) == .exit(0), "\(new.errorText)")
    #expect(try String(contentsOfFile: session.path("p/new.txt"), encoding: .utf8) == "New\n")
    try expectScenes(1)
  }

  @Test(arguments: Vi.allCases, trees)
  fileprivate func commitMessageComesToTheViOfItsTree(vi: Vi, tree: (path: String, message: String)) throws {
    try install(vi)
    try expectCommitMessage(in: tree.path, at: tree.message) {
      try type(":buffer COMMIT_EDITMSG<CR>ggOMessage<Esc>:write | bdelete<CR>", into: vi)
    } place: {
      try ask(vi, Self.placeInVi)
    }
  }

  @Test(arguments: trees) func commitMessageComesToTheEmacsOfItsTree(tree: String, message: String) throws {
    try installEmacs()
    try expectCommitMessage(in: tree, at: message) {
      let write = #"(goto-char (point-min)) (insert "Message\n") (save-buffer) (kill-buffer)"#
      _ = try askEmacs(#"(with-current-buffer "COMMIT_EDITMSG" \#(write))"#)
    } place: {
      try askEmacs(Self.placeInEmacs)
    }
  }

  @Test(arguments: Vi.allCases) fileprivate func viHasFilesUnderAllNamesAndNewFiles(vi: Vi) throws {
    try install(vi)
    try expectLinkedProjectAndNewFile {
      try type("iNew<Esc>:write | bdelete<CR>", into: vi)
    } place: {
      try ask(vi, Self.placeInVi)
    }
  }

  @Test func emacsHasFilesUnderAllNamesAndNewFiles() throws {
    try installEmacs()
    try expectLinkedProjectAndNewFile {
      _ = try askEmacs(#"(progn (insert "New\n") (save-buffer) (kill-buffer))"#)
    } place: {
      try askEmacs(Self.placeInEmacs)
    }
  }

  // MARK: - Neovim and Vim

  fileprivate enum Vi: String, CaseIterable { case neovim = "nvim", vim }

  private static let placeInVi = #"expand("%:p") . " " . line(".") . ":" . col(".")"#

  /// Installs the adapter of Neovim or Vim.
  ///
  /// The first editor that starts will answer `ask`.
  private func install(_ vi: Vi) throws {
    switch vi {
    case .neovim:
      try session.write(".config/nvim/init.vim", "silent! call serverstart($HOME . '/socket')\n")
      try install("nvim", ["neovim/plugin/scened.lua": ".config/nvim/plugin/scened.lua"])
    case .vim:
      try session.write(
        ".vimrc",
        """
        set encoding=utf-8
        let server = ['/usr/bin/python3', '\(DesktopSession.evaluator)', $HOME . '/socket']
        let job = job_start(server, {'mode': 'json'})
        " Returns when the server listens, or has ended because another Vim has the socket.
        call ch_read(job, {'timeout': 60000})

        """
      )
      try callVim("vim.basic")
      try install("vim", ["vim/plugin/scened.vim": ".vim/plugin/scened.vim"])
    }
  }

  /// Makes an editor of Debian the command `vim`, which is Neovim if it was installed first.
  private func callVim(_ editor: String) throws {
    try session.write(".local/bin/vim", "")
    try session.run("ln", "-sf", "/usr/bin/\(editor)", session.path(".local/bin/vim"))
  }

  private func ask(_ vi: Vi, _ expression: String) throws -> String {
    switch vi {
    case .neovim:
      // Neovim prints the value to standard error, with the line ends of a terminal.
      let command = #"timeout 60 nvim --server "$0" --remote-expr "$1" 2>&1"#
      return try session.run("sh", "-c", command, session.path("socket"), expression)
        .replacing("\r\n", with: "\n")
    case .vim:
      return try session.evaluate(expression, at: "socket")
    }
  }

  /// Types keys such as `<Esc>` into the editor that answers `ask`.
  private func type(_ keys: String, into vi: Vi) throws {
    switch vi {
    case .neovim:
      try session.run("timeout", "60", "nvim", "--server", session.path("socket"), "--remote-send", keys)
    case .vim:
      let escaped = keys.replacing(/["\\<]/) { "\\\($0.output)" }
      _ = try ask(vi, #"feedkeys("\#(escaped)", "L")"#)
    }
  }

  private func wait(for value: String, of expression: String, in vi: Vi) throws {
    while case let seen = try ask(vi, expression), seen != value {
      guard limit.millisecondsLeft > 0 else { throw Overdue("\(expression) is \(seen), not \(value).") }
    }
  }

  @Test(arguments: Vi.allCases) fileprivate func viIsAWindowOfItsFilesAndItsProject(vi: Vi) throws {
    try install(vi)
    try expectWindowOfFilesAndProject { try ask(vi, Self.placeInVi) }
    // Vim locks only files that are on the screen.
    #expect(try open("p/a.txt").contains("it shows this file"))
    let before = try scenes()
    try expectThatALockedFileIsDeclined(by: before[1])
    // An editor that has only its first buffer, and that knows the process of the first editor.
    let start = #"system("xterm -e \#(vi.rawValue) >/dev/null 2>&1 & echo $!")"#
    let empty = try ask(vi, start).prefix { $0.isNumber }
    try waitForScenes(3)
    try expectThatALockedFileIsDeclined(by: #require(scenes().first { !before.contains($0) }))
    _ = try ask(vi, #"system("kill \#(empty)")"#)
    try waitForScenes(2)

    // A link ends the insert mode, so that the next typed text does not go into the file.
    try type("i", into: vi)
    #expect(try open("p/a.txt:4").contains("it shows this file"))
    #expect(try ask(vi, Self.placeInVi + #" . mode()"#) == "\(session.path("p/a.txt")) 4:1n")
    // A link ends a command that is typed in part, so that the next key begins a command.
    try type("f", into: vi)
    #expect(try open("p/a.txt:5").contains("it shows this file"))
    try type("l", into: vi)
    try wait(for: "\(session.path("p/a.txt")) 5:2", of: Self.placeInVi, in: vi)
    for (prompt, mode) in [
      (#"confirm("Sure?", "&Yes\n&No")"#, "r?"), (#"input("Name ")"#, "c@"), (#"inputsecret("Key ")"#, "c-"),
      (#"inputlist(["1", "2"])"#, "c"),
    ] {
      try type(":call \(prompt)<CR>", into: vi)
      // Neovim has read the keys, and answers no question at some prompts.
      if vi == .vim { try wait(for: mode, of: "mode(1) . getcmdtype()", in: vi) }
      let declined = try open("p/a.txt", "--no-new-scene")
      #expect(declined.contains("The editor waits for an answer."), "\(declined)")
      try type("<CR>", into: vi)
      try wait(for: "n", of: "mode(1)", in: vi)
    }
    try expectThatRestartsAreSurvived()
    try expectThatAKilledAdapterIsStartedAgain {
      _ = try ask(vi, #"system("pkill -KILL -P " . getpid() . " scenectl")"#)
    }
    // The editor may end before it answers.
    _ = try? ask(vi, "timer_start(1, {-> execute('qa!')})")
    try waitForScenes(1)
  }

  @Test(arguments: Vi.allCases) fileprivate func viTakesFilesOfAnyNameAmongManyAndAfterItsDeath(vi: Vi) throws
  {
    try install(vi)
    // A newline in a name must not end the command that opens the file, and begin another command.
    let names = Self.names + ["x\nlet g:isEntered=1"]
    try expectFiles(names, bytes: vi == .vim ? "\u{FFFD}" : "<ff>") { try ask(vi, Self.placeInVi) }
    #expect(try ask(vi, #"exists("g:isEntered")"#) == "0")
    let many = #"execute("for n in range(500) | execute 'badd ~/p/many/' . n . '.txt' | endfor")"#
    try expectManyFiles {
      _ = try ask(vi, many)
    } place: {
      try ask(vi, Self.placeInVi)
    }

    #expect(try open("p/a.txt:2").contains("it shows this file"))
    try type("ix<Esc>:preserve<CR>", into: vi)
    // The editor may end before it answers.
    _ = try? ask(vi, #"timer_start(1, {-> system("kill -KILL " . getpid())})"#)
    try waitForScenes(0)
    try session.run("rm", session.path("socket"))
    let taken = try open("p/a.txt:3")
    #expect(taken.isTakenByANewWindow, "\(taken)")
    // The killed editor has left its swap file, with a change that is not in the file. The new editor opens the file
    // read-only and mentions `:recover`, so that the user does not edit the file without the lost change.
    let state = Self.placeInVi + #" . " " . &readonly . mode() . execute("messages")"#
    let seen = try ask(vi, state)
    #expect(seen.hasPrefix("\(session.path("p/a.txt")) 3:1 1n"), "\(seen)")
    #expect(seen.contains(#"an editor was killed, see ":recover""#), "\(seen)")
  }

  @Test(arguments: Vi.allCases) fileprivate func viAnswersALinkAtWhichAnErrorOccurs(vi: Vi) throws {
    try install(vi)
    #expect(try open("p/a.txt").isTakenByANewWindow)
    try type(":autocmd BufReadPost,WinEnter * call Missing()<CR>", into: vi)
    let other = "p/b (1)+[x] é%.txt"
    let link = try open("\(other):5")
    #expect(link.contains("it allows identifier"), "\(link)")
    #expect(try ask(vi, Self.placeInVi) == "\(session.path(other)) 5:1")
    try type("<CR>:split #<CR><CR>", into: vi)
    try wait(for: "2", of: #"winnr("$")"#, in: vi)
    #expect(try open("\(other):6").contains("it shows this file"))
    #expect(try ask(vi, Self.placeInVi) == "\(session.path(other)) 6:1")
    try type("q:", into: vi)
    try wait(for: "command", of: "win_gettype()", in: vi)
    let declined = try open("q/c.txt", "--scene", scenes()[0])
    #expect(declined.contains("The file cannot be shown: "), "\(declined)")
  }

  @Test func emacsAnswersALinkAtWhichAnErrorOccurs() throws {
    try installEmacs()
    #expect(try open("p/a.txt").isTakenByANewWindow)
    _ = try askEmacs(#"(add-hook 'find-file-hook (lambda () (error "Missing")))"#)
    let link = try open("p/b (1)+[x] é%.txt:5")
    #expect(link.contains("it allows identifier"), "\(link)")
    #expect(try askEmacs(Self.placeInEmacs) == "\(session.path("p/b (1)+[x] é%.txt")) 5:1")
  }

  @Test(arguments: Vi.allCases) fileprivate func viThatIsOffIsAWindowOnlyForItsFirstLink(vi: Vi) throws {
    try install(vi)
    try session.write(vi == .vim ? ".vimrc" : ".config/nvim/init.vim", "let g:scened = v:false\n")
    let numbers = try ["p/a.txt", "p/b (1)+[x] é%.txt"].map { name in
      let taken = try open(name)
      try waitForScenes(0)
      return try #require(
        taken.firstMatch(of: /taken by the new scene \w+-(\d+)/).flatMap { Int($0.1) },
        "\(taken)"
      )
    }
    // The second editor has the next scene, so that the first editor has opened no other scene.
    #expect(numbers[1] == numbers[0] + 1)
  }

  @Test(arguments: Vi.allCases) fileprivate func viKeepsTextWithoutANameAndOutlivesItsFolder(vi: Vi) throws {
    try install(vi)
    #expect(try open("q/c.txt").isTakenByANewWindow)
    _ = try ask(vi, "chdir($HOME . '/q')")
    try session.run("rm", "-r", session.path("q"))
    try type(":enew<CR>:let g:unnamed = bufnr('')<CR>ix<Esc>", into: vi)
    let title = #""title":"\#(vi == .vim ? "Vim" : "Neovim")""#
    try limit.wait("No window has \(title).") {
      try session.run(session.scenectl, "scenes", "--json").contains(title)
    }
    let taken = try open("p/a.txt:3", "--scene", try scenes()[0])
    #expect(taken.contains("taken by"), "\(taken)")
    #expect(try ask(vi, Self.placeInVi) == "\(session.path("p/a.txt")) 3:1")
    #expect(try ask(vi, "join(getbufline(g:unnamed, 1, '$'))") == "x")
  }

  @Test func neovimThatIsCalledVimTakesItsLinks() throws {
    try install(.neovim)
    try callVim("nvim")
    try session.write(".config/scened/vim.desktop", "")
    let entry = PackageDirectory.appending("Sources/Adapters/entries/vim.desktop")
    try session.run("cp", entry, session.path(".config/scened/vim.desktop"))
    try session.write(".config/mimeapps.list", "[Default Applications]\ntext/plain=vim.desktop\n")
    try session.run(session.scenectl, "handler", "set", "text/plain")
    let taken = try open("p/a.txt:3")
    #expect(taken.isTakenByANewWindow, "\(taken)")
    #expect(try ask(.neovim, Self.placeInVi) == "\(session.path("p/a.txt")) 3:1")
  }

  // MARK: - Emacs

  private static let placeInEmacs =
    #"(format "%s %d:%d" buffer-file-name (line-number-at-pos) (1+ (current-column)))"#

  /// Installs the adapter of Emacs.
  ///
  /// The first Emacs that starts will answer `askEmacs`.
  private func installEmacs() throws {
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
  }

  private func askEmacs(_ expression: String) throws -> String {
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
      .replacing(#"\n"#, with: "\n").replacing(#"\\"#, with: #"\"#)
  }

  @Test func emacsIsAWindowOfItsFilesAndItsProject() throws {
    try installEmacs()
    try expectWindowOfFilesAndProject { try askEmacs(Self.placeInEmacs) }
    _ = try askEmacs(#"(with-current-buffer (get-file-buffer "~/p/a.txt") (insert "x"))"#)
    try expectThatALockedFileIsDeclined(by: scenes()[1])
    _ = try askEmacs(#"(run-at-time 0 nil (lambda () (read-string "Name ")))"#)
    try limit.wait("Emacs asks nothing.") { try askEmacs("(active-minibuffer-window)") != "nil" }
    let declined = try open("p/a.txt", "--no-new-scene")
    #expect(declined.contains("The editor waits for an answer."), "\(declined)")
    _ = try askEmacs("(run-at-time 0 nil #'abort-recursive-edit)")
    try limit.wait("Emacs still asks.") { try askEmacs("(active-minibuffer-window)") == "nil" }
    try expectThatRestartsAreSurvived()
    try expectThatAKilledAdapterIsStartedAgain { _ = try askEmacs("(signal-process scened--process 'KILL)") }
    _ = try askEmacs("(run-at-time 0 nil #'kill-emacs)")
    try waitForScenes(1)
  }

  @Test func emacsTakesFilesOfAnyNameAmongManyAndAfterItsDeath() throws {
    try installEmacs()
    try expectFiles(Self.names, bytes: #"\377"#) { try askEmacs(Self.placeInEmacs) }
    // Emacs does not ask git about the files, because git's answers would take most of the time.
    let many =
      #"(let (vc-handled-backends) (dotimes (n 500) (find-file-noselect (format "~/p/many/%d.txt" n))))"#
    try expectManyFiles {
      _ = try askEmacs(many)
    } place: {
      try askEmacs(Self.placeInEmacs)
    }
    // Emacs would read this path as a file on another machine, and connect to that machine.
    let far = try open("file:///ssh:far:\(session.path("p/a.txt"))", "--scene", try scenes()[0])
    #expect(far.contains("This is no file of this machine."), "\(far)")

    #expect(try open("p/a.txt:2").contains("it shows this file"))
    _ = try askEmacs(#"(progn (insert "x") (do-auto-save))"#)
    _ = try? askEmacs("(run-at-time 0 nil (lambda () (signal-process (emacs-pid) 'KILL)))")
    try waitForScenes(0)
    let taken = try open("p/a.txt:3")
    #expect(taken.isTakenByANewWindow, "\(taken)")
    #expect(try askEmacs(Self.placeInEmacs) == "\(session.path("p/a.txt")) 3:1")
  }

  // MARK: - Bad input for all editors

  /// Names that mean something to an editor, to a shell or in a URL.
  private static let names = [
    "n\nl.txt", "100%41.txt", "$HOME `x` ~ {a,b}|c.txt", "#1 <cfile> \\x.txt", " .txt ",
  ]

  /// Expects that files of a project come to the project's editor.
  ///
  /// One file and its directory have the byte 255 in their names, which is not UTF-8. `place` returns the path, the
  /// line and the column of the cursor. In this path, `bytes` stands for the byte 255.
  private func expectFiles(_ names: [String], bytes: String, _ place: () throws -> String) throws {
    #expect(try open("p/a.txt").isTakenByANewWindow)
    for name in names {
      try session.write("p/\(name)", "1\n2\n3\n")
      for reason in ["it allows identifier", "it shows this file"] {
        let taken = try open("p/\(name)", "--no-new-scene")
        #expect(taken.contains(reason), "\(taken)")
        let seen = try place()
        #expect(seen == "\(session.path("p/\(name)")) 1:1")
      }
    }
    try session.run(
      "sh",
      "-c",
      #"b=$(printf '\377'); mkdir "$0/$b" "$0/$b/.git"; echo >"$0/$b/$b.txt""#,
      session.path("p")
    )
    // The directory of this file is a project of its own. The first link makes it the project of the editor.
    for reason in ["it allows identifier", "it shows this file"] {
      let taken = try open("file://\(session.path("p/%FF/%FF.txt"))", "--no-new-scene")
      #expect(taken.contains(reason), "\(taken)")
      let seen = try place()
      #expect(seen == "\(session.path("p/\(bytes)/\(bytes).txt")) 1:1")
    }
    try limit.wait("No window has the project.") {
      try session.run(session.scenectl, "scenes", "--json").contains(#"p/%FF/"]"#)
    }
  }

  private func expectManyFiles(_ load: () throws -> Void, place: () throws -> String) throws {
    for number in 0..<500 { try session.write("p/many/\(number).txt", "1\n2\n") }
    try load()
    try limit.wait("The window does not show 500 files.") {
      try session.run(session.scenectl, "scenes", "--json").matches(of: #/many/\d+\.txt"/#).count == 500
    }
    for number in [0, 250, 499] {
      #expect(try open("p/many/\(number).txt:2").contains("it shows this file"))
      #expect(try place() == "\(session.path("p/many/\(number).txt")) 2:1")
    }
  }

  @discardableResult
  private func tmux(_ command: String...) throws -> String {
    try session.run(
      ["env", "SHELL=/bin/sh", "tmux", "-f", "/dev/null", "-S", session.path("tmux")] + command
    )
  }

  private func type(_ keys: String...) throws {
    for key in keys { try tmux("send-keys", key) }
  }

  @Test(arguments: [("nvim", "nvim"), ("vim", "vim"), ("emacs", "emacs -nw")])
  func editorThatIsStoppedIsNoWindow(editor: String, command: String) throws {
    if let vi = Vi(rawValue: editor) { try install(vi) } else { try installEmacs() }
    // tmux does not run a login shell, because a login shell would set a PATH of its own.
    try tmux("new-session", "-d", "-c", session.path("p"), "sh")
    try type("\(command) a.txt", "Enter")
    try waitForScenes(1)
    for _ in 1...5 {
      try type("C-z")
      try waitForScenes(0)
      #expect(try open("p/a.txt", "--no-new-scene").contains("no scene or declaration of it takes this"))
      // The next keys are typed only after the editor has stopped, because the editor would lose earlier keys.
      try limit.wait("The editor goes on.") {
        try tmux("display-message", "-p", "#{pane_current_command}") == "sh\n"
      }
      try type("fg", "Enter")
      try waitForScenes(1)
    }
    #expect(try open("p/a.txt:9", "--no-new-scene").contains("it shows this file"))
    try tmux("kill-server")
    try waitForScenes(0)
  }

  /// An editor works in a shell over ssh, although it cannot become a window of scened.
  ///
  /// The shell has a socket to the router of the user's desktop. The socket takes links but no windows, because a file
  /// on the remote machine could be mistaken for a file of the desktop.
  @Test(arguments: [
    ("nvim", "nvim", ["ix", "Escape", ":w", "Enter"]), ("vim", "vim", ["ix", "Escape", ":w", "Enter"]),
    ("emacs", "emacs -nw", ["x", "C-x", "C-s"]),
  ])
  func editorWorksWhereItMayBeNoWindow(editor: String, command: String, keys: [String]) throws {
    try TestEnvironment.run("get-command", ["systemd-socket-activate", "systemd"])
    if let vi = Vi(rawValue: editor) { try install(vi) } else { try installEmacs() }
    let socket = session.path("far")
    let bridge = try session.start(
      "systemd-socket-activate",
      "--accept",
      "--inetd",
      "--listen=\(socket)",
      "--setenv=XDG_RUNTIME_DIR",
      session.scenectl,
      "bridge",
      "--send-only"
    )
    try bridge.errorLine(containing: "Listening on")
    // tmux does not run a login shell, because a login shell would set a PATH of its own.
    try tmux("new-session", "-d", "-c", session.path("p"), "sh")
    try type("SCENED_SOCKET='\(socket)' \(command) a.txt", "Enter")
    // Waits until the editor's scene has been refused. The bridge process for this connection then ends.
    try bridge.errorLine(containing: "died with code 0", by: limit)
    for key in keys { try type(key) }
    try limit.wait(tmux("capture-pane", "-p")) {
      try String(contentsOfFile: session.path("p/a.txt"), encoding: .utf8).hasPrefix("xline 1\n")
    }
    #expect(try scenes().isEmpty)
    try tmux("kill-server")
  }
}
