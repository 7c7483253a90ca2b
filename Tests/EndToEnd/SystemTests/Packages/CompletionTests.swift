import Foundation
import TestSupport
import Testing

/// Completion in real shells on a terminal.
///
/// systemd/install has installed the files. systemd/build has built the programs.
@Suite(.blocking) final class CompletionTests {
  private static let shells = ["bash", "zsh", "fish"]

  private let home: TemporaryDirectory
  private let daemon: SpawnedProgram
  private let programs: [SpawnedProgram]
  private let sceneID: String
  private let environment: [String: String]

  init() throws {
    home = try TemporaryDirectory()
    let environment = [
      "HOME": home.path, "XDG_DATA_HOME": "", "SCENED_SOCKET": home.appending("router"), "TERM": "dumb",
      "XDG_DATA_DIRS": "/usr/local/share:/usr/share",
      "PATH": "\(home.appending(".local/bin")):/usr/local/bin:/usr/bin:/bin",
    ]
    self.environment = environment
    try FileManager.default.createDirectory(atPath: home.appending(".ssh"), withIntermediateDirectories: true)
    try "Host laptop *.example\n".write(
      toFile: home.appending(".ssh/config"),
      atomically: false,
      encoding: .utf8
    )
    let known = "desktop,192.0.2.1 ssh-ed25519 A\n|1|hashed ssh-ed25519 A\n"
    try known.write(toFile: home.appending(".ssh/known_hosts"), atomically: false, encoding: .utf8)
    let (ending, _, error) = try SpawnedProgram.run(
      PackageDirectory.appending("systemd/install"),
      ["--user", "--bindir", PackageDirectory.appending(".build/installed/release")],
      environment: environment
    )
    try #require(ending == .exit(0), "\(error)")
    daemon = try SpawnedProgram("scened", ["--system"], environment: environment)
    try daemon.errorLine(containing: "Ready.")
    let declare = [
      "declare", "--application", "org.example.Albums", "--scene", "album-window=album",
      "--claim-host", "albums.example.org",
    ]
    let application = try SpawnedProgram("scenectl", declare, environment: environment)
    try application.outputLine(containing: "declared")
    let scene = try SpawnedProgram(
      "scenectl",
      ["scene", "--prefer", "holidays:4711", "--activity-type", "org.example.view"],
      environment: environment
    )
    sceneID = String(try scene.outputLine(containing: ": open").prefix { $0 != ":" })
    programs = [application, scene]
  }

  @Test(
    arguments: shells,
    [
      ("scenectl explain --application org.ex", "org.example.Albums"),
      ("scenectl scene --declaration alb", "album-window"),
      ("scenectl entry org.ex", "org.example.Albums"),
      ("scenectl scene --prefer holi", "4711"),
      ("scenectl handler ask alb", "albums.example.org"),
      ("scenectl his", "history"), ("scenectl --host lap", "laptop"), ("scenectl handoff desk", "desktop"),
      ("scenectl ssh desk", "desktop"),
    ]
  )
  func whatIsThereIsCompleted(shell: String, completion: (typed: String, result: String)) throws {
    try complete(completion.typed, in: shell, to: completion.result)
  }

  @Test(arguments: shells) func openScenesAreCompleted(shell: String) throws {
    try complete("scenectl open --scene ", in: shell, to: sceneID)
    try complete("scenectl continue ", in: shell, to: sceneID)
    try complete("scenectl --socket \(home.appending("router")) open --scene ", in: shell, to: sceneID)
  }

  @Test func missingRouterCompletesNothing() throws {
    let (ending, output, error) = try SpawnedProgram.run(
      home.appending(".local/bin/scenectl"),
      ["---completion", "open", "--", "--scene", "2", "0", "scenectl", "open", "--scene", ""],
      environment: ["SCENED_SOCKET": home.appending("none")]
    )
    #expect(ending == .exit(0) && error == "", "\(error)")
    #expect(output.trimmingCharacters(in: .newlines) == "")
  }

  private func complete(_ typed: String, in shell: String, to result: String) throws {
    let program = try TestEnvironment.run("get-command", [shell, shell])
    let start: [String]
    switch shell {
    case "bash":
      try TestEnvironment.run("get-command", ["dh_bash-completion", "bash-completion"])
      let script = "PS1='ready>'; . /usr/share/bash-completion/bash_completion"
      try script.write(toFile: home.appending("bashrc"), atomically: false, encoding: .utf8)
      start = ["--rcfile", home.appending("bashrc"), "-i"]
    case "zsh":
      let script =
        "PS1='ready>'; fpath=(~/.local/share/zsh/site-functions $fpath); autoload -U compinit; compinit -u"
      try script.write(toFile: home.appending(".zshrc"), atomically: false, encoding: .utf8)
      start = ["-i"]
    default:
      start = ["--init-command", "function fish_prompt; echo -n 'ready>'; end", "-i"]
    }
    let terminal = try SpawnedProgram(
      "/usr/bin/python3",
      [
        PackageDirectory.appending("Tests/EndToEnd/SystemTests/Python/shell.py"), typed + #"\t"#, result,
        program,
      ]
        + start,
      environment: environment
    )
    #expect(try terminal.waitForEnd() == .exit(0), "\(terminal.outputText)\(terminal.errorText)")
  }
}
