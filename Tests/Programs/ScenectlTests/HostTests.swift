import Foundation
import TestSupport
import Testing

/// `scenectl --host` with a script in place of ssh; `SSHTests` use the real ssh.
@Suite(.blocking) final class HostTests {
  /// The script for a connection that works: it runs the command in a shell on this machine.
  private static let connects = #"exec sh -c "$command""#

  private let router: Router
  private let directory: TemporaryDirectory

  init() throws {
    router = try Router()
    directory = try TemporaryDirectory()
  }

  /// Returns an environment in which `script` replaces ssh; the script has the variables `host` and `command`.
  private func environment(_ script: String = connects) throws -> [String: String] {
    try directory.writeScript(
      "ssh",
      """
      echo "$@" >> "$0.arguments"
      while [ "$1" != -- ]; do shift; done
      host=$2 command=$3
      \(script)
      """
    )
    return [
      "PATH": "\(directory.path):\(SpawnedProgram.buildDirectory):/usr/bin:/bin",
      "SCENED_SOCKET": router.socket,
    ]
  }

  /// Returns how many times the tool has started ssh.
  private func count() throws -> Int {
    try String(contentsOfFile: directory.appending("ssh.arguments"), encoding: .utf8).split(separator: "\n")
      .count
  }

  @Test(arguments: [
    (["scenes"], "org.example.There"), (["applications"], "org.example.There"),
    (["status"], "host:         laptop"),
    (["explain", "n:1"], "preferring"), (["open", "n:1", "n:1"], "taken by scene"),
    (["send", "--activity-type", "t", "--target-content-identifier", "n:1"], "taken by scene"),
    (["open", "--no-wait", "n:1"], "routed to scene"), (["history"], "n:0 → org.example.There (prefers it)"),
    (["why"], "n:0"),
    (["monitor", "--count", "1"], "watching"), (["reload"], "0 applications are loaded"),
    (["check"], "is short"),
    (["scenes", "--dot"], "digraph"), (["activities"], "No scene shows"),
  ])
  func commandAsksTheRouterThere(arguments: [String], answer: String) throws {
    let declared = try router.declare(
      "--application",
      "org.example.There",
      "--scene",
      "d=holidays-in-tuscany"
    )
    let scene = try router.scene("--application", "org.example.There", "--prefer", "n:1", "--prefer", "n:0")
    _ = try router.scenectl("open", "n:0")
    let command = try SpawnedProgram(
      "scenectl",
      ["--host", "laptop"] + arguments,
      environment: environment().merging(["SCENED_SOCKET": router.socket]) { $1 }
    )
    try command.outputLine(containing: answer)
    if arguments[0] == "monitor" { _ = try router.scenectl("open", "n:1") }
    #expect(try command.waitForEnd() == .exit(arguments == ["check"] ? 2 : 0), "\(command.errorText)")
    #expect(try count() == 1, "one connection is enough")
    withExtendedLifetime((declared, scene)) {}
  }

  @Test func windowOfThisMachineIsOpenThere() throws {
    let scene = try SpawnedProgram(
      "scenectl",
      ["scene", "--host", "laptop", "--prefer", "n:1", "--exec", "sh", "--", "-c", "echo shown $SCENED_URL"],
      environment: environment()
    )
    try scene.outputLine(containing: ": open")
    #expect(try router.scenectl("open", "n:1").status == 0)
    try scene.outputLine(containing: "shown n:1")
    scene.send(signal: SIGTERM)
    #expect(try scene.waitForEnd() == .signal(SIGTERM))
    #expect(scene.errorText == "")
  }

  @Test func lostConnectionIsMadeAgain() throws {
    let monitor = try SpawnedProgram("scenectl", ["monitor", "--host", "laptop"], environment: environment())
    try monitor.outputLine(containing: "watching")
    router.daemon.send(signal: SIGKILL)
    try monitor.errorLine(containing: "is lost")
    #expect(try router.daemon.waitForEnd() == .signal(SIGKILL))
    let next = try SpawnedProgram("scened", ["--system", "--socket", router.socket])
    try next.errorLine(containing: "Ready.")
    try monitor.outputLine(containing: "watching")
    try monitor.errorLine(containing: "restored")
    withExtendedLifetime(next) {}
  }

  @Test(arguments: [
    ("echo 'ssh: connect to host laptop port 22: No route to host' >&2; exit 255", "No route to host"),
    (
      "echo 'Permission denied (publickey,password).' >&2; exit 255",
      "status 255: Permission denied (publickey,password)."
    ),
    ("command=nonsense; \(connects)", "status 127: sh: 1: nonsense: not found."),
    (
      "echo; echo 'Welcome to laptop!'; \(connects)",
      "ssh began with 'Welcome to laptop!' instead of an answer"
    ),
    ("printf Password:; cat >&2", "ssh began with 'Password:' instead of an answer"),
    (#"printf '{ no JSON\0'; cat >&2"#, "does not keep to the protocol"),
    (#"printf '{"par'"#, "ssh ended with status 0."), ("kill -KILL $$", "ssh was ended by signal 9."),
    (
      "SCENED_SOCKET=/none/socket; \(connects)",
      "'/none/socket': No such file or directory. To start scened: scened --socket /none/socket"
    ),
  ])
  func whatGoesWrongIsOneSentence(script: String, sentence: String) throws {
    let run = try Router.scenectl(["--host", "laptop", "scenes"], environment: environment(script))
    #expect(run.status == 1)
    #expect(run.output == "")
    #expect(run.error.hasPrefix("scenectl: The ") && run.error.contains(sentence), "\(run.error)")
    #expect(run.error.split(separator: "\n").count == 1)
  }

  @Test func missingSSHIsSaid() throws {
    let run = try Router.scenectl(["--host", "laptop", "scenes"], environment: ["PATH": directory.path])
    #expect(
      run.error
        == "scenectl: The router cannot be reached. ssh cannot be started: No such file or directory.\n"
    )
  }

  @Test func optionsThatSayWhichRouterHoldThere() throws {
    let refuses = try environment("exit 255")
    for options in [["--system"], ["--socket", "/tmp/it's"], ["--host=-oProxyCommand=x"]] {
      _ = try Router.scenectl(["--host", "laptop", "scenes"] + options, environment: refuses)
    }
    let lines = try String(contentsOfFile: directory.appending("ssh.arguments"), encoding: .utf8)
      .split(separator: "\n").map { $0.drop { $0 != " " } }
    #expect(lines.allSatisfy { $0.contains(" -o BatchMode=yes ") })
    #expect(lines[0].hasSuffix(" -- laptop scenectl bridge --system"))
    #expect(lines[1].hasSuffix(#" -- laptop scenectl bridge --socket '/tmp/it'\''s'"#))
    #expect(lines[2].hasSuffix(" -- -oProxyCommand=x scenectl bridge"))
  }

  /// ssh must end together with the tool, even if ssh ignores the end of its input.
  @Test func sshEndsWithTheTool() throws {
    let stubborn = #"echo $$ > "$0.pid"; printf '{"error":"x.Refused"}\0'; exec sleep infinity"#
    let tool = try SpawnedProgram(
      "scenectl",
      ["monitor", "--host", "laptop"],
      environment: environment(stubborn)
    )
    var process: pid_t?
    try Deadline().wait("ssh is not started.") {
      let text = (try? String(contentsOfFile: directory.appending("ssh.pid"), encoding: .utf8)) ?? ""
      process = pid_t(text.trimmingCharacters(in: .newlines))
      return process != nil
    }
    let ssh = try #require(process)
    tool.send(signal: SIGKILL)
    _ = try tool.waitForEnd()
    // ssh may be a zombie until its new parent reaps it. The new parent is the first process of the machine or the
    // container.
    try Deadline().wait("ssh still runs.") { kill(ssh, 0) != 0 || isZombie(ssh) }
  }

  private func isZombie(_ process: pid_t) -> Bool {
    let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return status?.contains(") Z ") ?? true
  }

  @Test(arguments: [
    (["open", "/etc/passwd"], 1, "This file is on this machine"),
    (["explain", "/etc/passwd"], 1, "file is on this machine"),
    (["check", "/etc/passwd"], 64, "files are on this machine"),
    (["handler", "list"], 64, "files of this machine"),
    (["handler", "set", "https"], 64, "--host"), (["handoff", "desktop"], 64, "--host"),
    (["demo"], 64, "--host"), (["bridge"], 64, "--host"),
  ])
  func whatIsOfThisMachineIsSaidToBe(arguments: [String], status: CInt, sentence: String) throws {
    let run = try Router.scenectl(["--host", "laptop"] + arguments, environment: environment())
    #expect(run.status == status)
    #expect(run.error.contains(sentence), "\(run.error)")
  }

  /// Another host gets no activation token and no origin, because both belong to the session on this machine.
  @Test func nothingOfThisSessionGoesThere() throws {
    let scene = try router.start("scene", "--json", "--allow", "n:1")
    try scene.outputLine(containing: "opened")
    let session = ["XDG_ACTIVATION_TOKEN": "token", "SCENED_EVENT": "d1"]
    let run = try Router.scenectl(
      ["open", "--host", "laptop", "n:1"],
      environment: environment().merging(session) { $1 }
    )
    #expect(run.status == 0, "\(run.error)")
    #expect(try !scene.outputLine(containing: "delivery").contains("token"))
  }

  /// The host permits this user only to send events.
  ///
  /// The replies of such a host do not name scenes. The tool must print whole sentences all the same.
  @Test func repliesWithoutScenesAreSentences() throws {
    let taker = try router.scene("--allow", "n:1")
    let decliner = try router.scene("--allow", "n:2", "--decline")
    let forced = try environment("command='scenectl bridge --send-only'; \(Self.connects)")
    let run = try Router.scenectl(["--host", "laptop", "open", "n:1", "n:2", "n:3"], environment: forced)
    #expect(
      run.lines == [
        "n:1: taken by a scene",
        "n:2: not routed: no open scene and no declaration takes it; see: scenectl explain --host laptop n:2",
        "n:3: not routed: no open scene and no declaration takes it; see: scenectl explain --host laptop n:3",
      ]
    )
    let scenes = try Router.scenectl(["--host", "laptop", "scenes"], environment: forced)
    #expect(scenes.status == 1 && scenes.error.contains("does not permit"), "\(scenes.error)")
    withExtendedLifetime((taker, decliner)) {}
  }
}
