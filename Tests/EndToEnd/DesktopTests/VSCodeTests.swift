import Foundation
import TestSupport
import Testing

/// The extension of VS Code, in a program that stands for VS Code: it has one process with the windows on an X server,
/// and one process a window, which runs the extension.
@Suite(.blocking, .serialized) final class VSCodeTests {
  private let session: DesktopSession
  private let limit = Deadline()
  private var programs: [SpawnedProgram] = []

  init() throws {
    session = try DesktopSession(on: .openbox)
    for name in ["p/a.txt", "p/b (1)+[x] é%.txt", "q/c.txt", "r/d.txt"] {
      try session.write(name, (1...99).map { "line \($0)\n" }.joined())
    }
    let program = PackageDirectory.appending("Tests/EndToEnd/DesktopTests/VSCode/code.py")
    for (command, scheme) in [("code", "vscode"), ("codium", "vscodium")] {
      _ = try session.writeScript(
        ".local/bin/\(command)",
        #"exec /usr/bin/python3 '\#(program)' \#(scheme) "$@""#
      )
      try session.install("\(command).desktop", exec: "\(command) %F", "MimeType=text/plain;inode/directory;")
    }
    try session.write(".config/mimeapps.list", "[Default Applications]\ntext/plain=code.desktop\n")
  }

  /// Opens a window with a folder or a workspace, and returns when scened knows the window.
  private func openWindow(_ option: String, _ place: String, of command: String = "code") throws {
    let count = try scenes().count
    programs.append(try session.start(command, option, place))
    try waitForScenes(count + 1)
  }

  private func openFolder(_ name: String) throws {
    try openWindow("--folder-uri", "file://\(session.path(name))")
  }

  /// Starts scened, and VS Code with a window for each of two folders.
  private func openTwoFolders() throws {
    try session.startRouter(opening: "text/plain")
    for folder in ["p", "q"] { try openFolder(folder) }
  }

  /// Opens a file by its path or URL, and returns what `scenectl open` printed.
  private func open(_ name: String, _ options: String...) throws -> String {
    let (_, output, error) = try SpawnedProgram.run(
      session.scenectl,
      ["open", "--no-new-scene", "--timeout", "90"] + options
        + [name.hasPrefix("file:") ? name : session.path(name)],
      environment: session.environment
    )
    return output + error
  }

  private func scenes() throws -> [String] {
    try session.run(session.scenectl, "scenes", "--json").split(separator: "\n").map(String.init)
  }

  private func waitForScenes(_ count: Int) throws {
    try wait { try scenes().count == count }
  }

  private func wait(until isTrue: () throws -> Bool) throws {
    // No scenes are known to a test that does not install scened.
    try limit.wait("\((try? scenes()) ?? []) \(programs.map(\.errorText))", until: isTrue)
  }

  /// Evaluates JavaScript in the process that runs the extension of a window; see `window.js`.
  @discardableResult
  private func ask(_ window: String, _ expression: String) throws -> String {
    try session.evaluate(expression, at: "\(window).socket")
  }

  private func url(_ name: String) -> String { "file://\(session.path(name))" }

  @Test func linkComesToTheWindowWithTheFileElseWithTheFolder() throws {
    try openTwoFolders()
    for (name, window, reason, place) in [
      ("p/a.txt:3:2", "p", "it allows identifier", "a.txt 3:2"),
      ("q/c.txt", "q", "it allows identifier", "c.txt 1:1"),
      ("p/a.txt:7", "p", "it shows this file", "a.txt 7:1"),
      ("p/b (1)+[x] é%.txt:5", "p", "it allows identifier", "b%20%281%29%2B%5Bx%5D%20%C3%A9%25.txt 5:1"),
      ("q/c.txt:9", "q", "it shows this file", "c.txt 9:1"),
      ("p/b (1)+[x] é%.txt", "p", "it shows this file", "b%20%281%29%2B%5Bx%5D%20%C3%A9%25.txt 5:1"),
    ] {
      let opened = try open(name)
      let taken = #"taken by window "\#(window) - Visual Studio Code" of code: \#(reason)"#
      #expect(opened.contains(taken), "\(opened)")
      #expect(try ask(window, "at()") == "\(url(window))/\(place)")
      try wait { try session.focusedWindow?.contains(" - \(window) - Visual Studio Code") == true }
      // A window that believes that it still has the focus would not be raised for the next link.
      try wait { try ask(window == "p" ? "q" : "p", "focused") == "false" }
    }
    // The window that had the focus last gets the files that two windows allow.
    try openWindow("--file-uri", try writeWorkspace("w", ["p", "r"]))
    for window in ["p", "w", "p"] {
      try session.run("wmctrl", "-a", window == "p" ? " - p - " : "w (Workspace)")
      try wait { try scenes().max { active($0) < active($1) }?.contains(#""title":"\#(window) "#) ?? false }
      try session.write("p/\(window).txt", "")
      #expect(try open("p/\(window).txt").contains(#"window "\#(window) "#))
    }
    #expect(try open("r/d.txt").contains(#"window "w (Workspace) - Visual Studio Code""#))
    #expect(try ["p", "q", "w"].map { try ask($0, "warnings") } == ["", "", ""])
  }

  private func active(_ scene: String) -> Int {
    scene.firstMatch(of: /"activeUSec":(\d+)/).flatMap { Int($0.1) } ?? 0
  }

  /// Writes a workspace of several folders, and returns its URL.
  private func writeWorkspace(_ name: String, _ folders: [String]) throws -> String {
    let list = folders.map { #"{"path":"\#(session.path($0))"}"# }.joined(separator: ",")
    try session.write("\(name).code-workspace", #"{"folders":[\#(list)]}"#)
    return url("\(name).code-workspace")
  }

  /// A title without the folder leads `scenectl raise` to any window of the process.
  @Test func windowWithAnotherTitleIsRaisedByItsFolder() throws {
    try session.startRouter(opening: "text/plain")
    try openFolder("p")
    try openWindow("--file-uri", try writeWorkspace("w", ["q", "r"]))
    for window in ["p", "w"] { try ask(window, "settings.title = 'Code'") }
    for (name, window, other) in [
      ("p/a.txt", "p", "w"), ("q/c.txt", "w", "p"), ("p/a.txt", "p", "w"), ("r/d.txt", "w", "p"),
    ] {
      #expect(try open(name).contains("taken by"))
      try wait { try ask(window, "focused") == "true" && ask(other, "focused") == "false" }
    }
  }

  @Test func tabsOfAllKindsAreShown() throws {
    try openTwoFolders()
    try ask(
      "q",
      """
      add(new TabInputTextDiff(Uri.parse('git:/x'), Uri.file('/d/modified'))), \
      add(new TabInputTextDiff(Uri.file('/d/left'), Uri.file('/d/right'))), \
      add(new TabInputNotebook(Uri.file('/d/notes.ipynb'), 'jupyter')), \
      add(new TabInputNotebookDiff(Uri.parse('git:/y'), Uri.file('/d/changed.ipynb'), 'jupyter')), \
      add(new TabInputCustom(Uri.file('/d/picture.png'), 'preview')), \
      add(new TabInputText(Uri.parse('untitled:Untitled-1'))), add(new TabInputText(Uri.parse('output:log'))), \
      add(new TabInputWebview('welcome')), add(new TabInputTerminal()), add(undefined)
      """
    )
    let names = ["modified", "right", "left", "notes.ipynb", "changed.ipynb", "picture.png"]
    let showing = #""showing":[\#(names.map { #""file:///d/\#($0)""# }.joined(separator: ","))]"#
    try wait { try scenes().contains { $0.contains(showing) } }
    // A picture is shown by the editor that already shows it.
    #expect(try open("file:///d/picture.png").contains("it shows this file"))
    #expect(try ask("q", "active.input.viewType") == "preview")

    // Of 3,000 tabs, the window shows as many as scened accepts.
    try ask("q", "for (let n = 0; n < 3000; n++) open('\(session.path("q/many"))/' + n + '.txt', n % 3)")
    try wait { try scenes().contains { $0.matches(of: #/many/\d+\.txt"/#).count > 1900 } }
    try session.write("q/many/299.txt", "")
    let link = try open("q/many/299.txt")
    #expect(link.contains(#"window "q "#), "\(link)")
    let place = try ask("q", "at() + ' ' + tabs()")
    #expect(place == "\(url("q/many/299.txt")) 1:1 1010 1000 1000")
    try ask("q", "for (const group of groups) group.tabs = []; events.tabs.fire({})")
    try wait { try !scenes().contains { $0.contains("showing") } }
    #expect(try ask("q", "warnings") == "")
  }

  @Test func filesOfAnyNameAndNewFilesAreTakenAndOthersDeclined() throws {
    try openTwoFolders()
    for name in ["n\nl.txt", "100%41.txt", "$HOME `x`?.txt", "#1 <a> \\x.txt", " .txt ", "x:10"] {
      try session.write("p/\(name)", "1\n")
      for reason in ["it allows identifier", "it shows this file"] {
        let taken = try open("p/\(name)")
        #expect(taken.contains(reason), "\(taken)")
        #expect(try ask("p", "active.uri.path") == session.path("p/\(name)"))
      }
    }
    // One file under two names is one file.
    try session.run("ln", "-s", "p", session.path("link"))
    try ask("p", "open('\(session.path("link/a.txt"))')")
    try wait { try scenes().contains { $0.contains("link/a.txt") } }
    for name in ["p/a.txt:4", "link/a.txt:5"] {
      #expect(try open(name).contains("it shows this file"))
      #expect(try ask("p", "at()") == "\(url("link/a.txt")) \(name.suffix(1)):1")
    }
    let new = try session.start(session.scenectl, "open", "--wait", session.path("p/new.txt"))
    try wait { try ask("p", "at()") == "untitled:\(session.path("p/new.txt")) 1:1" }
    try ask("p", "close('\(session.path("p/new.txt"))')")
    #expect(try new.waitForEnd(by: limit) == .exit(0), "\(new.errorText)")

    try session.write("p/directory/file", "")
    try session.run("sh", "-c", #"printf 1 >"$0/$(printf '\377').txt""#, session.path("p"))
    for (name, reason) in [
      ("p/directory", "A directory needs a window of its own."),
      (url("p/%FF.txt"), "The editor cannot open a path that is not UTF-8."),
      (url("p/none/a.txt"), "Neither the file nor its directory exists."),
    ] {
      let declined = try open(name)
      #expect(declined.contains("(\(reason))"), "\(declined)")
    }
    try session.run("rm", "-r", session.path("q"))
    #expect(try open(url("q/c.txt")).contains("(Neither the file nor its directory exists.)"))
    let warnings = try ["p", "q"].map { try ask($0, "warnings") }
    #expect(warnings == ["", ""])
  }

  @Test(arguments: ["far", "7b22686f73744e616d65223a226d6540466172202d702032227d"])
  func windowOfAnotherMachineHasTheFilesOfItsHost(host: String) throws {
    try openTwoFolders()
    try openWindow("--folder-uri", "vscode-remote://ssh-remote+\(host)\(session.path("r"))")
    for reason in ["it allows identifier", "it shows this file"] {
      let taken = try open("file://far\(session.path("r/d.txt"))#L7")
      #expect(taken.contains(reason), "\(taken)")
      #expect(try ask("r", "at()") == "vscode-remote://ssh-remote%2B\(host)\(session.path("r/d.txt")) 7:1")
    }
    #expect(try open("r/d.txt").contains("no scene or declaration of it takes this"))
    let other = try scenes()[0].firstMatch(of: /"sceneId":"([^"]+)"/)?.1 ?? ""
    let declined = try open("file://far\(session.path("r/d.txt"))", "--scene", String(other))
    #expect(declined.contains("This window has no files of that machine."), "\(declined)")
  }

  @Test func restartsOfTheRouterAndOfTheAdapterAreSurvived() throws {
    try openTwoFolders()
    try openWindow("--folder-uri", url("r"), of: "codium")
    #expect(try open("r/d.txt").contains("of codium"))
    try session.restartRouter()
    try waitForScenes(3)
    #expect(try open("p/a.txt").contains(#"window "p "#))
    let before = Set(try scenes())
    for window in ["p", "q", "r"] {
      try ask(window, "require('node:child_process').execSync(`pkill -KILL -P ${process.pid} scenectl`)")
    }
    try wait { try scenes().count == 3 && before.isDisjoint(with: scenes()) }
    #expect(try open("p/a.txt:8").contains("it shows this file"))
    // The stand-in is strict: a name that VS Code lacks ends the window, and the window leaves scened.
    _ = try? ask("p", "vscode.window.visibleWindows")
    try waitForScenes(2)
  }

  @Test(arguments: [
    (nil, "Links do not come to this window, as scenectl does not run: "),
    ("echo '{\"ready\":\"9.0.0\",\"adapter\":2}'; cat", "do not fit: update the older one."),
    ("exit 64", "scenectl adapter has ended with status 64."),
  ])
  func scenectlThatIsMissingOrDoesNotFitIsSaid(script: String?, warning: String) throws {
    let directory = try session.makeDirectory("programs", of: ["node", "sh", "cat"])
    if let script { _ = try session.writeScript("programs/scenectl", script) }
    programs.append(
      try session.start("env", "PATH=\(directory)", session.path(".local/bin/code"), "--folder-uri", url("p"))
    )
    try wait { FileManager.default.fileExists(atPath: session.path("p.socket")) }
    try wait { try ask("p", "warnings").contains(warning) }
  }
}
