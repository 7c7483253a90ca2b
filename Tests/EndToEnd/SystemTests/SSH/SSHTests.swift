import Foundation
import TestSupport
import Testing

/// Two users with a router each, connected through a real sshd: `person` at `desktop`, and `stranger` at `laptop`.
@Suite(.blocking) final class SSHTests {
  private static let activity = [
    "--activity-type", "org.example.note", "--target-content-identifier", "note/4711", "--user-info",
    #"{"line":7}"#,
    "--webpage-url", "https://notes.example.org/4711",
  ]

  private let box: SystemBox

  init() throws {
    let installation = try SystemBox.installation()
    box = try SystemBox(
      [
        "\(installation)/usr/local": "/usr/local",
        "\(installation)/home/person/.local": "/home/person/.local",
        "\(installation)/home/person/.local": "/home/stranger/.local",
      ],
      release: "trixie+openssh-server+xdg-utils"
    )
    let setup = """
      set -e
      echo '127.0.0.1 desktop laptop' >> /etc/hosts
      host_keys=$(sed 's/^/desktop,laptop /' /etc/ssh/ssh_host_*_key.pub)
      for user in person stranger; do
        home=/home/$user
        usermod --shell /bin/bash $user
        mkdir $home/.ssh
        ssh-keygen -q -t ed25519 -N '' -f $home/.ssh/id_ed25519
        echo "$host_keys" > $home/.ssh/known_hosts
        systemctl start user@$(id -u $user)
      done
      printf 'Host laptop\\n User stranger\\n' > /home/person/.ssh/config
      printf 'Host desktop\\n User person\\n' > /home/stranger/.ssh/config
      cp /home/person/.ssh/id_ed25519.pub /home/stranger/.ssh/authorized_keys
      cp /home/stranger/.ssh/id_ed25519.pub /home/person/.ssh/authorized_keys
      for user in person stranger; do chown $user: /home/$user && chown -R $user: /home/$user/.ssh; done
      """
    try box.run("bash", "-c", setup)
    for user in ["person", "stranger"] { try run(user, "systemctl --user start scened.socket") }
  }

  /// Returns a command that runs a line in a user's shell, without ssh.
  private func command(_ user: String, _ line: String) -> [String] {
    let environment = [
      "HOME=/home/\(user)", "XDG_RUNTIME_DIR=/run/user/\(user == "person" ? 1000 : 1001)",
      "PATH=/usr/local/bin:/usr/bin:/bin",
    ]
    return ["runuser", "-u", user, "--", "env", "--chdir=/home/\(user)"] + environment + ["bash", "-c", line]
  }

  @discardableResult
  private func run(_ user: String, _ line: String) throws -> String { try box.run(command(user, line)) }

  private func attempt(_ user: String, _ line: String) throws -> (
    status: CInt?, output: String, error: String
  ) {
    let (ending, output, error) = try box.attempt(command(user, line))
    guard case .exit(let status) = ending else { return (nil, output, error) }
    return (status, output, error)
  }

  /// Opens a scene, and returns the scene's program when the scene is open.
  private func scene(_ user: String, _ options: String) throws -> SpawnedProgram {
    let program = try box.start(command(user, "exec scenectl scene \(options)"))
    try program.outputLine(containing: "open")
    return program
  }

  private static func quoted(_ arguments: [String]) -> String {
    arguments.map { "'\($0)'" }.joined(separator: " ")
  }

  // MARK: - Asking

  @Test func routerThereIsAsked() throws {
    let there = try scene("stranger", "--application org.example.There --prefer n:1")
    #expect(try run("person", "scenectl --host laptop scenes").contains("org.example.There"))
    #expect(try run("person", "scenectl scenes") == "No scene is open.")
    #expect(try run("person", "scenectl --host laptop open n:1").hasPrefix("n:1: taken by scene"))
    try there.outputLine(containing: "acknowledged n:1")
    let window = try scene("person", "--host laptop --prefer n:2")
    #expect(try run("stranger", "scenectl open n:2").contains("taken by scene"))
    try window.outputLine(containing: "acknowledged n:2")
    // $XDG_RUNTIME_DIR is not set without a session of logind. The bridge has to find the router all the same.
    let bare = #"ssh laptop 'env --unset XDG_RUNTIME_DIR scenectl bridge --send-only' < /dev/null"#
    #expect(try attempt("person", bare).status == 0)
  }

  @Test func lostConnectionIsMadeAgain() throws {
    let window = try scene("person", "--host laptop --prefer n:1")
    try box.run("pkill", "--full", "sshd-session: stranger")
    try window.errorLine(containing: "is lost")
    try window.outputLine(containing: ": open")
    #expect(try run("stranger", "scenectl open n:1").contains("taken by scene"))
    window.send(signal: SIGTERM)
    _ = try window.waitForEnd()
  }

  @Test func othersSpeakVarlinkThroughTheBridge() throws {
    let info = try run("person", "varlinkctl info 'ssh-exec:laptop:scenectl bridge'")
    #expect(info.contains("Product: scened"))
    let call = "varlinkctl call 'ssh-exec:laptop:scenectl bridge' io.scened.Router.ListScenes '{}'"
    #expect(try run("person", call).contains(#""scenes":[]"#))
  }

  @Test func whatIsWrongWithSSHIsSaid() throws {
    func error(_ host: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
      let run = try attempt("person", "scenectl --host \(host) scenes")
      #expect(run.status == 1 && run.output == "", sourceLocation: sourceLocation)
      #expect(run.error.split(separator: "\n").count == 1, sourceLocation: sourceLocation)
      return run.error
    }
    #expect(try error("nobody@laptop").contains("Permission denied (publickey,password)."))
    #expect(try error("elsewhere").contains("Could not resolve hostname elsewhere"))
    #expect(try error("127.0.0.1").contains("Host key verification failed."))
    // A banner of sshd must not cause an error. Output of the remote shell must cause an error, because scenectl reads
    // this output instead of the router's reply.
    try box.run(
      "sh",
      "-c",
      "echo 'Beware of the dog.' > /etc/issue.net; echo 'Banner /etc/issue.net' > /etc/ssh/sshd_config.d/b.conf; systemctl reload ssh"
    )
    #expect(try attempt("person", "scenectl --host laptop scenes").error == "")
    try run("stranger", "echo 'echo Welcome to laptop!' > ~/.bashrc")
    #expect(try error("laptop").contains("ssh began with 'Welcome to laptop!' instead of an answer"))
    try run("stranger", "echo PATH=/none > ~/.bashrc")
    #expect(try error("laptop").contains("status 127: bash: line 1: scenectl: command not found."))
    // The server behind the host name `mute` accepts connections but never answers. ssh gives up before scenectl does,
    // and scenectl prints the reason that ssh gives.
    let mute = try box.start([
      "systemd-socket-activate", "--accept", "--inetd", "--listen=127.0.0.1:2222", "sleep", "infinity",
    ])
    try mute.errorLine(containing: "Listening on")
    try run("person", "printf 'Host mute\\n HostName 127.0.0.1\\n Port 2222\\n' >> ~/.ssh/config")
    #expect(try error("mute").contains("timed out"))
  }

  // MARK: - Handoff

  @Test func activityIsContinuedHere() throws {
    let there = try scene("stranger", Self.quoted(Self.activity))
    let here = try scene("person", "--json --prefer note/")
    #expect(try run("person", "scenectl activities --host laptop").contains("note/4711"))
    #expect(try run("person", "scenectl continue --host laptop").contains("note/4711: taken by scene"))
    let name = try box.run("hostname")
    try there.outputLine(containing: "continued org.example.note by \(name)")
    #expect(try here.outputLine(containing: "delivery").contains(#""userInfo":{"line":7}"#))
  }

  @Test func activityIsContinuedThere() throws {
    let here = try scene("person", Self.quoted(Self.activity))
    let there = try scene("stranger", "--json --prefer note/")
    #expect(try run("person", "scenectl handoff laptop").contains("note/4711: taken by scene"))
    try here.outputLine(containing: "continued org.example.note by laptop")
    #expect(try there.outputLine(containing: "delivery").contains(#""userInfo":{"line":7}"#))
  }

  @Test func webPageComesWhereNobodyTakesTheActivity() throws {
    let there = try scene("stranger", Self.quoted(Self.activity))
    let browser = try scene("person", "--prefer https://notes.example.org")
    let run = try run("person", "scenectl continue --host laptop")
    #expect(run.contains("note/4711: not routed"))
    #expect(run.contains("https://notes.example.org/4711: taken by scene"))
    try browser.outputLine(containing: "acknowledged https://notes.example.org/4711")
    withExtendedLifetime(there) {}
  }

  // MARK: - Events and nothing else

  @Test func keyThatSendsEventsDoesNothingElse() throws {
    let window = try scene("stranger", "--application org.example.Secret --prefer album/4711")
    try box.run(
      "sh",
      "-c",
      #"sed -i 's/^/restrict,command="scenectl bridge --send-only" /' /home/stranger/.ssh/authorized_keys"#
    )
    #expect(
      try run("person", "scenectl --host laptop open x:album/4711")
        == "x:album/4711: taken by a scene"
    )
    try window.outputLine(containing: "acknowledged x:album/4711")
    for command in [
      "scenes", "status", "monitor", "history", "activities", "scene --allow x", "reload", "explain x:1",
    ] {
      let refused = try attempt("person", "scenectl --host laptop \(command)")
      #expect(refused.status == 1 && refused.error.contains("does not permit"), "\(command): \(refused)")
      #expect(!(refused.output + refused.error).contains("Secret"))
    }
    // sshd ignores the command that the user gives to ssh, and forwards no connection to the router's socket.
    #expect(try attempt("person", "ssh laptop cat /etc/passwd < /dev/null").output == "")
    let forward =
      "ssh -o ExitOnForwardFailure=yes -W /run/user/1001/scened/io.scened.Router laptop < /dev/null"
    #expect(try attempt("person", forward).status != 0)
    let json = try run("person", "scenectl --host laptop --json open x:album/4711")
    for secret in ["Secret", "album/4711\"", "sceneId", "preferring"] {
      #expect(!json.split(separator: "\"outcome\"").dropFirst().joined().contains(secret), "\(json)")
    }
  }

  /// Runs the commands that scenectl(1) prints below "Links of a remote shell".
  @Test func shellThereOpensLinksHere() throws {
    let window = try scene("person", "--application org.example.Browser --allow https:")
    let blocks = try Self.recipes(in: "Links of a remote shell")
    let (here, there) = (blocks[0], blocks[1])
    let listener = try box.start(command("person", String(here.split(separator: "\n")[0].dropLast(2))))
    try listener.errorLine(containing: "Listening on")
    let ssh = here.split(separator: "\n")[1].replacing("HOST", with: "laptop")
    let script =
      there + "\nscenectl open https://one.example.org\nxdg-open https://two.example.org\nscenectl scenes"
    let session = try attempt("person", "\(ssh) bash -s <<'END'\n\(script)\nEND")
    #expect(
      session.output
        == "https://one.example.org: taken by a scene\nhttps://two.example.org: taken by a scene\n",
      "\(session)"
    )
    #expect(session.error.contains("refuses"))
    try window.outputLine(containing: "acknowledged https://one.example.org")
    try window.outputLine(containing: "acknowledged https://two.example.org")
  }

  /// Returns the blocks of commands that scenectl(1) prints below a heading.
  private static func recipes(in heading: String) throws -> [String] {
    let manual = PackageDirectory.appending("systemd/man/scened.recipes.7")
    let page = try String(contentsOfFile: manual, encoding: .utf8)
    let section = try #require(page.split(separator: ".SS \"\(heading)\"\n").last).prefix(upTo: ".S")
    return section.split(separator: ".EX\n").dropFirst().map { block in
      let code = block.prefix(upTo: ".EE\n")
      return [(#"\-"#, "-"), (#"\(aq"#, "'"), (#"\(ti"#, "~")].reduce(code) { $0.replacing($1.0, with: $1.1) }
    }
  }
}

extension Substring {
  /// The text before the first line that begins with `mark`.
  fileprivate func prefix(upTo mark: String) -> String {
    let lines = split(separator: "\n", omittingEmptySubsequences: false)
    return lines.prefix { !"\($0)\n".hasPrefix(mark) }.joined(separator: "\n")
  }
}
