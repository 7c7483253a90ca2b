import Foundation
import TestSupport
import Testing

/// How scenectl reads its command line and finds the router.
@Suite(.blocking) struct UsageTests {
  private static let commands = [
    "open", "send", "explain", "scene", "declare", "scenes", "applications", "activities", "continue",
    "handoff",
    "monitor", "history", "why", "status", "reload", "check", "entry", "bridge",
    "demo",
  ]
  /// The commands that work on files and need no router.
  private static let fileCommands = [
    "handler", "handler set", "handler unset", "handler list", "handler profiles", "handler ask",
    "handler candidates",
  ]

  @Test(arguments: [
    (["nonsense"], "'nonsense' is no command of scenectl. See 'scenectl --help'."),
    (["opn", "https://x.org"], "Did you mean 'open'?"),
    (["--json", "--socket", "s", "stat"], "Did you mean 'status'?"),
    (["handler", "sett"], "'sett' is no command of scenectl handler. Did you mean 'set'?"),
    (["help", "nosuch"], "'nosuch' is no command of scenectl."),
    (["https://example.org"], "To open it: scenectl open https://example.org"),
    (["status", "--timeout", "-1"], "'-1'"),
    (["history", "-n", "-3"], "--count"),
    (["open"], "<url|path>"),
    (["open", "--nonsense", "n:1"], "--nonsense"),
    (["open", "--timeout", "0", "n:1"], "--timeout"),
    (["open", "--timeout", "3601", "n:1"], "--timeout"),
    (["open", "--timeout", "nan", "n:1"], "--timeout"),
    (["open", "--timeout", "soon", "n:1"], "--timeout"),
    (["open", "--event-id", "e", "n:1", "n:2"], "--event-id"),
    (["open", "--system", "--socket", "s", "n:1"], "--system and --socket"),
    (["adapter", "--programs", "--native-messaging"], "--programs"),
    (["ssh", "-p", "22"], "scenectl ssh HOST"),
    (["ssh", "laptop", "-vf", "true"], "-f"),
    (["ssh", "-lN", "-4W", "x:1", "laptop"], "-W"),
    (["--json", "ssh", "laptop"], "--json"),
    (["send"], "--activity-type"),
    (["explain"], "--activity-type"),
    (["explain", "n:1", "--activity-type", "t"], "--activity-type"),
    (["explain", "n:1", "--max-steps", "-1"], "--max-steps"),
    (["scene", "--decline", "--exec", "true"], "--decline and --exec"),
    (["scene", "--webpage-url", "x:"], "--activity-type"),
    (["scene", "--exec"], "--exec"),
    (["scene", "--exec", "--json"], "--exec"),
    (["scene", "--exec", ""], "--exec"),
    (["scene", "--", "true"], "--exec"),
    (["declare", "--application", "a", "--scene", "b", "--", "true"], "--exec"),
    (["status", "--timeout", "0"], "--timeout"),
    (["scenes", "--timeout", "soon"], "--timeout"),
    (["demo", "--json"], "--json"),
    (["--system", "--socket", "s", "scenes"], "--system and --socket"),
    (["declare", "--scene", "a"], "--application"),
    (["declare", "--application", "a"], "--scene"),
    (["declare", "--application", "a", "--scene", "=x"], "--scene"),
    (["entry"], "<application>"),
    (["entry", "a", "--exec", ""], "--exec"),
    (["handler", "set"], "<scheme|mime|host|application>"),
    (["handler", "set", "b.desktop"], "'b.desktop'"),
    (["handler", "set", "--host", "h", "https"], "--host"),
    (["--socket", "s", "handler", "unset"], "--socket"),
    (["handler", "set", "https", "--menu", "m"], "--menu"),
    (["handler", "set", "https", "--ask", "--profile", "p"], "--ask and --profile"),
    (["handler", "set", "https", "--ask", "--menu", " "], "--menu"),
    (["handler", "unset", "e.org", "--from", "a"], "--from"),
    (["handler", "unset", "--all", "https"], "--all"),
    (["handler", "unset", "--all", "--from", "a"], "--all"),
    (["handler", "list", "--host", "h"], "--host"),
    (["handler", "candidates", "--host", "h", "x:1"], "--host"),
    (["open", "--ask", "--wait", "x:1"], "--ask"),
    (["open", "--ask", "--host", "h", "x:1"], "--ask"),
    (["open", "--profile", "p", "x:1"], "--application"),
    (["open", "--application", "a", "--profile", "p", "--action", "b", "x:1"], "--profile, --action"),
    (["handler", "ask"], "<link|host>"),
    (["handler", "ask", "a b"], "'a b'"),
    (["handler", "ask", "--menu", " ", "example.org"], "--menu"),
  ])
  func badCommandLineNamesTheArgument(arguments: [String], name: String) throws {
    let run = try Router.scenectl(arguments, environment: ["SCENED_SOCKET": "/nonexistent"])
    #expect(run.status == 64)
    #expect(run.output == "")
    let sentence = try #require(run.error.split(separator: "\n").first)
    #expect(sentence.hasPrefix("scenectl: ") && sentence.contains(name), "\(sentence)")
  }

  @Test(arguments: ["", "ssh"] + commands + fileCommands)
  func helpIsWhatItWas(command: String) throws {
    let run = try Router.scenectl(command.split(separator: " ").map(String.init) + ["--help"])
    #expect(run.status == 0)
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Help/\(command.isEmpty ? "scenectl" : command.replacing(" ", with: "-")).txt")
    // Line breaks are not compared, because the argument parser chooses them.
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(
      run.output.split(whereSeparator: \.isWhitespace) == expected.split(whereSeparator: \.isWhitespace)
    )
  }

  @Test func overviewHasEveryCommandAndFitsTheSmallestTerminal() throws {
    let run = try Router.scenectl([])
    #expect(run.status == 0 && run.error == "")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 25)
    #expect(lines.allSatisfy { $0.count <= 80 })
    let words = Set(run.output.split { !$0.isLetter })
    for command in Self.commands + ["handler"] { #expect(words.contains(command[...]), "\(command)") }
    #expect(lines.count { $0.hasPrefix("  scenectl ") } == 3, "These are the examples.")
  }

  /// The output shows only the beginning and the end of a long argument.
  ///
  /// The longest valid URL has 32 KiB. So the URL of 30,000 characters is valid, and the URL of 70,000 characters is
  /// too long.
  @Test func longWordsAreShortened() throws {
    let long = String(repeating: "x", count: 70_000)
    let router = try Router()
    for arguments in [
      ["status", long], [long], ["open", "x:" + long], ["open", "x:" + long.prefix(30_000)], ["why", long],
      ["open", long],
    ] {
      let run = try Router.scenectl(arguments, environment: router.environment)
      #expect(run.status != 0)
      #expect((run.output + run.error).utf8.count < 1500, "\(arguments[0])")
      #expect((run.output + run.error).contains("xxx…xxx"))
    }
  }

  @Test func versionIsTold() throws {
    let run = try Router.scenectl(["--version"])
    #expect(run.status == 0)
    #expect(run.output.contains(/^scenectl \d+\.\d+\.\d+\n$/))
  }

  @Test(arguments: commands.filter { $0 != "demo" && $0 != "check" })
  func missingDaemonIsOneSentence(command: String) throws {
    let directory = try TemporaryDirectory()
    let arguments =
      switch command {
      case "open", "explain": [command, "n:1"]
      case "entry": [command, "a"]
      case "handoff": [command, "laptop"]
      case "send": [command, "--activity-type", "t"]
      case "declare": [command, "--application", "a", "--scene", "b"]
      default: [command]
      }
    let run = try Router.scenectl(arguments, environment: ["SCENED_SOCKET": directory.appending("none")])
    #expect(run.status == 1)
    #expect(run.output == "")
    #expect(run.error.contains("The router cannot be reached. "))
    #expect(run.error.contains(directory.appending("none")))
    #expect(run.error.hasSuffix(" To start scened: scened --socket \(directory.appending("none"))\n"))
    #expect(run.error.split(separator: "\n").count == 1)
  }

  @Test func optionsOfEveryCommandMayComeBeforeIt() throws {
    let router = try Router()
    let (id, _) = try router.scene()
    #expect(try router.scenectl("--json", "scenes").objects().first?["runtime.sceneId"] == id)
    #expect(try Router.scenectl(["--socket", router.socket, "scenes"]).output.contains(id))
    #expect(try Router.scenectl(["--socket", router.socket, "--json", "scenes"]).objects().count == 1)
    #expect(try router.scenectl("--system", "scenes").error.contains("/run/scened/io.scened.Router"))
    #expect(try router.scenectl("scenes", "--system").error.contains("/run/scened/io.scened.Router"))
  }

  @Test func hintIsForWhereNobodyListens() throws {
    let directory = try TemporaryDirectory()
    let silent = directory.appending("silent")
    let socket = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    try bind(socket, toName: silent)
    for path in [silent, directory.appending("none")] {
      let error = try Router.scenectl(["--socket", path, "status"]).error
      #expect(error.hasSuffix(" To start scened: scened --socket \(path)\n"))
    }
    let isBooted = FileManager.default.fileExists(atPath: "/run/systemd/system")
    #expect(
      try Router.scenectl(["status"], environment: ["XDG_RUNTIME_DIR": directory.path]).error
        .hasSuffix(isBooted ? ": systemctl --user start scened.socket\n" : ": scened\n")
    )
    let long = "/" + String(repeating: "x", count: 200)
    for path in ["/dev/null/none", long, ""] {
      let run = try Router.scenectl(["--socket", path, "status"])
      #expect(run.status == 1)
      #expect(run.error.contains("The router cannot be reached.") && !run.error.contains("start scened"))
    }
  }

  @Test func unknownSocketIsToldWithItsVariables() throws {
    let run = try Router.scenectl(["status"])
    #expect(run.status == 1)
    #expect(run.error.contains("$SCENED_SOCKET") && run.error.contains("$XDG_RUNTIME_DIR"))
  }

  @Test func socketIsFoundInOrder() throws {
    let router = try Router()
    let (id, _) = try router.scene()
    let directory = try TemporaryDirectory()
    let none = directory.appending("none")
    func finds(_ arguments: [String], _ environment: [String: String]) throws -> Bool {
      try Router.scenectl(["scenes"] + arguments, environment: environment).output.contains(id)
    }
    #expect(try finds(["--socket", router.socket], ["SCENED_SOCKET": none]))
    #expect(try !finds(["--socket", none], ["SCENED_SOCKET": router.socket]))
    #expect(try !finds(["--system"], ["SCENED_SOCKET": router.socket]))
    #expect(try finds([], ["SCENED_SOCKET": router.socket, "XDG_RUNTIME_DIR": directory.path]))
    try FileManager.default.createDirectory(
      atPath: directory.appending("scened"),
      withIntermediateDirectories: false
    )
    try FileManager.default.createSymbolicLink(
      atPath: directory.appending("scened/io.scened.Router"),
      withDestinationPath: router.socket
    )
    #expect(try finds([], ["XDG_RUNTIME_DIR": directory.path, "SCENED_SOCKET": ""]))
  }
}
