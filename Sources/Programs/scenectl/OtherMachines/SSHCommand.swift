import ArgumentParser
import Dispatch
import Glibc
import SceneClient
import Subprocess
import SystemPackage
import UnixSocket

struct SSHCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ssh",
    abstract: "Log in to another machine, whose programs then open links and files here.",
    discussion: """
      The command runs ssh with all arguments from the first that it does not know, and ends with its status. The \
      session has a connection of its own. There, $SCENED_SOCKET names a socket for this session alone, and $BROWSER is \
      'scenectl open', or a small program in Perl if scenectl is not installed. Programs there can send links and files, \
      and learn nothing but whether these were taken. Here, a file of the other machine is file://HOST/path.

      A sign-in often ends with a link to a port of the other machine, such as http://localhost:8400/. If a link, or \
      the redirect_uri in it, names a port of localhost, 127.0.0.1 or [::1] from 1024 on, this port here leads there, \
      which a line on standard error says. The port is closed after ten minutes, or at the end of the session. A link \
      to a port that a program here has taken is not opened. At most 16 ports are open at a time.

      --socket and --system stand before the word ssh. With --opener, the command prints the program in Perl, which \
      containers use with the user unit scened-links.socket; see scened.recipes(7).
      """
  )

  @OptionGroup var router: RouterOptions

  @Flag(help: "Print the program that opens links where scenectl is not installed.")
  var opener = false

  @Option(help: ArgumentHelp("How long a port leads to the other machine.", valueName: "seconds"))
  var portTime = Seconds.forSignIn

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("Options of ssh, the other machine, and a command for it.", valueName: "ssh-argument"),
    completion: .machines
  )
  var arguments: [String] = []

  func validate() throws {
    if router.json || router.host != nil {
      throw ValidationError("ssh opens links on this machine: it takes no --json and no --host.")
    }
    // The argument parser passes these on, too.
    if ["--help", "-h"].contains(arguments.first) { throw CleanExit.helpRequest(self) }
    if !opener, SSHArguments(arguments).host == nil {
      throw ValidationError("The machine is missing: scenectl ssh HOST")
    }
  }

  func run() async throws {
    if opener { return try Terminal.showContents(OneFileOpener.script) }
    let session = SSHArguments(arguments)
    let path = try router.socketPath ?? RouterConnection.defaultSocketPath()
    guard let machine = session.machine, let directory = Host.makeTemporaryDirectory("scenectl-ssh") else {
      throw BridgeError(description: "A directory for the sockets cannot be made in /tmp.")
    }
    let control = directory + "/control"
    let links = LinksFromMachine(
      try .listen(at: directory + "/links"),
      machine,
      ForwardedPorts(to: machine, through: control, for: portTime),
      router: path
    )
    DispatchQueue(label: "io.scened.links").async { try? links.receive() }
    try await EndSignals.cancelling { [arguments = session.forSSH(control, directory + "/links")] in
      defer {
        links.removeSocket()
        Host.removeDirectory(directory)
      }
      var options = PlatformOptions()
      options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(2))]
      let end = try await Subprocess.run(
        .name("ssh"),
        arguments: Arguments(arguments),
        platformOptions: options,
        input: .fileDescriptor(.standardInput, closeAfterSpawningProcess: false),
        output: .currentStandardOutput,
        error: .currentStandardError
      )
      // 255 is ssh's own status for its failures.
      if case .exited(let status) = end.terminationStatus { throw ExitCode(status) }
      throw ExitCode(255)
    }
  }
}

/// The arguments of ssh, read as ssh(1) reads them.
struct SSHArguments {
  /// The options of OpenSSH 9.2 and 10.0 that have a value.
  private static let withValue = "BDEFIJLOPQRSWbceilmopw"

  private var options: [String] = []
  private(set) var host: String?
  private var command: [String] = []

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--" {
        host = host ?? rest.popFirst()
        break
      }
      if word.hasPrefix("-"), word.count > 1 {
        options.append(word)
        let index = word.dropFirst().firstIndex(where: Self.withValue.contains)
        if index.map(word.index(after:)) == word.endIndex, let value = rest.popFirst() {
          options.append(value)
        }
      } else if host == nil {
        host = word
      } else {
        command = [word]
        break
      }
    }
    command += rest
  }

  /// The name in URLs of its files: the host without a user and a port.
  var machine: String? {
    guard let host else { return nil }
    let text = host.hasPrefix("ssh://") ? host : "ssh://" + host
    let parts = URLParts(text.utf8.span)
    return parts.host.map { String(decoding: text.utf8[$0], as: UTF8.self) }
  }

  /// Makes the connection a master, which ``ForwardedPorts`` uses, with a socket there that leads to `links` here.
  ///
  /// sshd makes the socket for this user alone (StreamLocalBindMask), under a name that nobody can guess, before it runs
  /// the command. So the session needs no second connection.
  func forSSH(_ control: String, _ links: String) -> [String] {
    let name = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
    let socket = "/tmp/scened-\(name)"
    let master = ["-M", "-S", control, "-R", "\(socket):\(links)"]
    let own = ["ControlPersist=no", "RemoteCommand=none"].flatMap { ["-o", $0] }
    let script = Self.script.replacing("@SOCKET@", with: socket)
      .replacing("@COMMAND@", with: "\(command.joined(separator: " "))".shellWord)
    // Without a command, ssh alone would ask for a terminal.
    return master + own + (command.isEmpty ? ["-t"] : []) + options
      + ["--", host ?? "", #"exec sh -c 'eval "$(printf %b "$0")"' '\#(script.escapedForPrintf)'"#]
  }

  /// A process that ignores the end of the session removes the directory when the shell of this script has ended, which
  /// alone holds the pipe: the shell gets SIGHUP if the connection breaks.
  private static let script = #"""
    d=$(mktemp -d /tmp/scened-ssh.XXXXXXXX) && mv @SOCKET@ "$d/socket" && mkfifo "$d/end" && {
      (trap "" HUP INT QUIT TERM; read -r _ <"$d/end"; rm -rf "$d") </dev/null >/dev/null 2>&1 &
      exec 3>"$d/end"
      export SCENED_SOCKET="$d/socket"
      if command -v scenectl >/dev/null; then
        export BROWSER="scenectl open"
      elif command -v perl >/dev/null; then
        cat >"$d/open" <<'END'
    @OPENER@END
        chmod 700 "$d/open"
        export BROWSER="$d/open"
      else
        echo "scenectl: programs there cannot open links here, because there is neither scenectl nor perl." >&2
      fi
    } || echo "scenectl: programs there cannot open links here." >&2
    trap : INT QUIT
    command=@COMMAND@
    if [ "$command" ]; then "$SHELL" -c "$command" 3>&-; else "$SHELL" -l 3>&-; fi
    exit
    """#.replacing("@OPENER@", with: OneFileOpener.script)
}

extension String {
  /// Any shell takes it between `'`, and `printf %b` of sh turns it back.
  fileprivate var escapedForPrintf: String {
    utf8.reduce(into: "") { text, byte in
      let character = Character(UnicodeScalar(byte))
      if byte < 0x80, character.isLetter || character.isNumber || " $\"#(){}<>;&|/.,:=-_".contains(character)
      {
        text.append(character)
      } else {
        text += #"\0"# + Int(byte).text(digits: 3, radix: 8)
      }
    }
  }
}
