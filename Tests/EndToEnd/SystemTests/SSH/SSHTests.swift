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
      echo '127.0.0.1 localhost desktop laptop' >> /etc/hosts
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

  // MARK: - A session there

  /// Gives the laptop a network of its own, so that its ports are not those of the desktop.
  private func separateNetworks() throws {
    let setup = """
      set -e
      cd /run/systemd/system
      printf '[Service]\\nExecStart=sleep infinity\\nPrivateNetwork=yes\\n' > far.service
      printf '[Socket]\\nListenStream=/run/far\\nAccept=yes\\n' > far-ssh.socket
      printf '[Unit]\\nJoinsNamespaceOf=far.service\\n[Service]\\nExecStart=-/usr/sbin/sshd -i\\nStandardInput=socket\\nPrivateNetwork=yes\\n' > far-ssh@.service
      systemctl daemon-reload && systemctl start far.service far-ssh.socket
      printf ' HostKeyAlias laptop\\n ProxyCommand scenectl bridge --socket /run/far\\n' >> /home/person/.ssh/config
      """
    try box.run("bash", "-c", setup)
  }

  /// Returns when no socket and no directory of a session is left, here and there.
  private func expectNothingLeft() throws {
    var left = ""
    try Deadline(in: .seconds(20)).wait("There is \(left)") {
      left = try box.run("sh", "-c", "ls -d /tmp/scene*-* 2>/dev/null || true")
      return left == ""
    }
  }

  @Test func programsThereOpenLinksAndFilesHere() throws {
    let window = try scene("person", "--allow https: --allow file://laptop/")
    let session = try attempt(
      "person",
      """
      scenectl ssh -q laptop 'stat -c %a "$SCENED_SOCKET"; xdg-open https://one.example.org
      cd /etc && $BROWSER hostname && scenectl scenes; exit 7' </dev/null
      """
    )
    #expect(session.status == 7 && session.output.hasPrefix("600\n"), "\(session)")
    #expect(session.error.contains("refuses"), "\(session)")
    try window.outputLine(containing: "acknowledged https://one.example.org")
    try window.outputLine(containing: "acknowledged file://laptop/etc/hostname")
    try expectNothingLeft()

    // Without scenectl there, and a shell as login shell, which has a terminal.
    try run("stranger", "echo PATH=/usr/bin:/bin > ~/.bashrc; touch ~/'a b#1.txt'")
    try box.run("sh", "-c", "echo Down on Sunday. > /etc/motd")
    let bare = try attempt(
      "person",
      """
      script -qec 'scenectl ssh laptop' /dev/null <<'END'
      $BROWSER 'https://two.example.org/?"a b"' ~/'a b#1.txt:2:3' none.txt n:1
      echo status $?
      exit 5
      END
      """
    )
    #expect(bare.status == 5, "\(bare)")
    let refusal = "n:1: nothing on your desktop has taken it."
    for line in ["Down on Sunday.", "status 1", "none.txt: there is no such file.", refusal] {
      #expect(bare.output.contains(line), "\(bare)")
    }
    try window.outputLine(containing: "acknowledged https://two.example.org/?%22a%20b%22")
    try window.outputLine(containing: "acknowledged file://laptop/home/stranger/a%20b%231.txt#L2,3")
    try box.run("mv", "/usr/bin/perl", "/usr/bin/perl.away")
    let without = try attempt("person", "scenectl ssh laptop 'echo \"<$BROWSER>\"' </dev/null")
    #expect(without.output == "<>\n" && without.error.contains("neither scenectl nor perl"), "\(without)")
    try expectNothingLeft()
  }

  /// Whatever name a program there gives to its machine, or the user: that of a machine behind a port here is localhost.
  @Test func fileOfAnotherMachineIsNeverOneHere() throws {
    let window = try scene("person", "--allow file://localhost.ssh/")
    let other = try scene("person", "--showing file:///etc/hostname")
    let alias = "-o HostName=127.0.0.1 -o HostKeyAlias=laptop stranger@localhost"
    let urls = ["file://desktop/a", "file://%6cocalhost/etc/hostname", "FILE:/b", "file:etc/hostname"]
    let calls = urls.map {
      #"varlinkctl call "$SCENED_SOCKET" io.scened.Router.SendEvent '{"event":{"url":"\#($0)"}}'"#
    }
    try box.run(
      "sh",
      "-c",
      #"printf %s "$0" > /tmp/calls"#,
      (calls + ["$BROWSER /etc/hostname"]).joined(separator: "\n")
    )
    let session = try attempt("person", "scenectl ssh \(alias) sh /tmp/calls </dev/null")
    #expect(
      session.error.contains("file:etc/hostname is not opened, because it names no file of"),
      "\(session)"
    )
    for path in ["/a", "/etc/hostname", "/b", "/etc/hostname"] {
      try window.outputLine(containing: "acknowledged file://localhost.ssh\(path)")
    }
    #expect(session.status == 0 && !other.outputText.contains("acknowledged"), "\(session)")
  }

  @Test func optionsOfSSHKeepTheirSense() throws {
    let forced = try attempt("person", "echo 'tty; exit 6' | scenectl ssh -tt laptop")
    #expect(forced.status == 6 && forced.output.contains("/dev/pts/"), "\(forced)")
    try box.run("mount", "-t", "tmpfs", "-o", "noexec,mode=1777", "tmpfs", "/tmp")
    let useless = try attempt("person", "scenectl ssh laptop 'echo \"<$BROWSER>\"' </dev/null")
    #expect(useless.output == "<>\n" && useless.error.contains("no program can be run in /tmp"), "\(useless)")
    try box.run(
      "sh",
      "-c",
      "echo AllowTcpForwarding no > /etc/ssh/sshd_config.d/f.conf && systemctl reload ssh"
    )
    let shell = "scenectl ssh -o ExitOnForwardFailure=yes laptop 'echo \"<$BROWSER$SCENED_SOCKET>\"; exit 3'"
    let forbidden = try attempt("person", shell + " </dev/null")
    #expect(forbidden.status == 3 && forbidden.output == "<>\n", "\(forbidden)")
    let reason =
      "programs there cannot open links here, because its sshd forwards no socket (AllowTcpForwarding"
    #expect(forbidden.error.contains(reason), "\(forbidden)")
    try expectNothingLeft()
  }

  @Test(arguments: [["sshd-session: stranger"], ["--signal", "KILL", "^ssh -M"]])
  func brokenConnectionLeavesNothing(victim: [String]) throws {
    let session = try box.start(command("person", "scenectl ssh laptop 'echo ready; exec sleep infinity'"))
    try session.outputLine(containing: "ready")
    try box.run(["pkill", "--full"] + victim)
    #expect(try session.waitForEnd() != .exit(0))
    // Without a terminal, sshd ends no program.
    try box.run("pkill", "--exact", "sleep")
    try expectNothingLeft()
  }

  /// Namespaces stand for the container of an engine: as in a toolbox, the home directory and the sockets of the user
  /// are there, the files of the machine are below /run/host, and /usr/local is another.
  @Test func containerSendsLinks() throws {
    let window = try scene("person", "--allow n: --allow file:")
    try run(
      "person",
      "systemctl --user start scened-links.socket; scenectl ssh --opener > ~/open; touch ~/here"
    )
    let container = #"""
      mkdir -p /run/host && mount --rbind / /run/host && mount -t tmpfs tmpfs /usr/local && touch /usr/local/only
      exec runuser -u person -- env XDG_RUNTIME_DIR="$1" SCENED_SOCKET="$2" sh -c \
        'cd && for link in n:1 file:///home/person/here here /usr/local/only /usr/local/none; do perl open $link; done'
      """#
    func errors(_ directory: String, _ socket: String) throws -> String {
      try box.attempt("unshare", "--mount", "bash", "-c", container, "bash", directory, socket).error
    }
    let toolbox = """
      /usr/local/only: this file is only in the container, where no window can open it.
      /usr/local/none: there is no such file.

      """
    #expect(try errors("/run/user/1000", "") == toolbox)
    try window.outputLine(containing: "acknowledged n:1")
    for _ in 1...2 { try window.outputLine(containing: "acknowledged file:///home/person/here") }
    // The socket at another place, as in a development container.
    try box.run("sh", "-c", "touch /run/links && mount --bind /run/user/1000/scened/links /run/links")
    #expect(try errors("", "/run/links") == toolbox)
    try run("person", "systemctl --user stop scened-links.socket")
    #expect(
      try errors("/run/user/1000", "").contains(
        "n:1: scened cannot be reached at /run/user/1000/scened/links"
      )
    )
  }

  /// The program there waits for the code that its identity provider sends to a port of localhost.
  @Test func signInReachesTheProgramThere() throws {
    try separateNetworks()
    let callback = #"exec 3<>/dev/tcp/127.0.0.1/8400; echo "code 4711" >&3; cat <&3"#
    let browser = try scene("person", "--allow https://id.example.org --exec bash -- -c '\(callback)'")
    let signIn = #"""
      use IO::Socket::INET;
      alarm 20;
      my $port = IO::Socket::INET->new(Listen => 1, ReuseAddr => 1, LocalAddr => "127.0.0.1:8400");
      system "scenectl open \"https://id.example.org/?redirect_uri=http%3A%2F%2Flocalhost%3A8400%2F\" &";
      my $client = $port->accept;
      my $code = <$client>;
      print $client "welcome\n";
      print "signed in with $code";
      """#
    try box.run("sh", "-c", #"printf %s "$0" > /tmp/sign-in"#, signIn)
    // The connections of one sign-in still have their port when the next one needs it.
    for _ in 1...3 {
      let session = try attempt("person", "scenectl ssh laptop perl /tmp/sign-in </dev/null")
      try #require(session.output.contains("signed in with code 4711"), "\(session)")
      #expect(session.error.contains("Port 8400 here leads to laptop for ten minutes"), "\(session)")
      try browser.outputLine(containing: "welcome")
    }
  }

  @Test func portsThatCannotLeadThereAreSaid() throws {
    try separateNetworks()
    let window = try scene("person", "--allow http:")
    func listen(_ user: String, _ address: String) throws -> SpawnedProgram {
      let line = "exec systemd-socket-activate --accept --inetd --listen=\(address) cat"
      let listener = try box.start(command(user, line))
      try listener.errorLine(containing: "Listening on")
      return listener
    }
    let taken = [try listen("person", "127.0.0.1:8401"), try listen("stranger", "0.0.0.0:8402")]
    let session = try attempt(
      "person",
      """
      scenectl ssh laptop '
      for port in 22 1023 8401 8402; do scenectl open http://localhost:$port/; done
      scenectl open "https://id.example.org/?redirect_uri=http%3A%2F%2Flocalhost%2F"
      scenectl open http://127.0.0.1:8403/ http://localhost:8403/ $(printf "http://localhost:%s/ " $(seq 9001 9200))
      ' </dev/null
      """
    )
    let lines = session.output.split(separator: "\n")
    let opened = lines.filter { $0.contains("taken by") }.map { $0.prefix { $0 != " " } }
    #expect(opened.prefix(2).map { $0.split(separator: ":")[2] } == ["8403/", "8403/"], "\(lines)")
    #expect(opened.count == 2 + 15, "16 ports with 8403")
    for port in [22, 80, 1023] {
      let sentence = "leads back to port \(port) of laptop: only ports from 1024 on lead there."
      #expect(session.error.contains(sentence), "\(session.error)")
    }
    for port in [8401, 8402] {
      let sentence = "leads back to port \(port) of laptop: a program on this machine has taken this port."
      #expect(session.error.contains(sentence), "\(session.error)")
    }
    #expect(session.error.contains("port 9016 of laptop: 16 ports lead there already"), "\(session.error)")
    withExtendedLifetime((window, taken)) {}

    let short = try box.start(
      command("person", "scenectl ssh --port-time 1 laptop 'scenectl open http://localhost:8500; read -r _'")
    )
    try short.errorLine(containing: "Port 8500 here leads to laptop for 1 s,")
    try Deadline(in: .seconds(20)).wait("The port stays open.") {
      try attempt("person", "exec 3<>/dev/tcp/127.0.0.1/8500").status != 0
    }
  }
}
