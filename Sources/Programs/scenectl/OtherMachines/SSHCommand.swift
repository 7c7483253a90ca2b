import ArgumentParser
import DesktopEntries
import Glibc
import SceneClient
import UnixSocket
import VarlinkClient

struct SSHCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ssh",
    abstract: "Log in to another machine, whose programs then open links and files here.",
    discussion: """
      The command runs ssh with all arguments from the first that it does not know, and ends with its status. The \
      session has a connection of its own. There, $SCENED_SOCKET names a socket for this session alone, and $BROWSER \
      runs 'scenectl open', or a small program in Perl if scenectl is not installed. Programs there can send links and \
      files, and learn nothing but whether these were taken. Here, a file of the other machine is file://HOST/path, with \
      HOST as it was given, or HOST.ssh if HOST is localhost or the name of this machine. If no window shows or allows \
      the file, the program for its type gets this URL, and has to reach the file by itself.

      A sign-in often ends with a link to a port of the other machine, such as http://localhost:8400/. If a link, or \
      the redirect_uri in it, names a port of localhost, 127.0.0.1, [::1] or 0.0.0.0 from 1024 on, this port here leads \
      there, which a line on standard error says. The port is closed after ten minutes, or at the end of the session. A \
      link to a lower port, or to one that a program here has taken, is not opened. At most 16 ports are open at a time.

      What a multiplexer such as tmux keeps there after the end of a session has the variables of that session; 'tmux \
      set -ga update-environment " BROWSER SCENED_SOCKET"' gives new panes those of the next one.

      --socket and --system, as other commands have them, stand before the word ssh. With --opener, the command prints \
      the program in Perl, which containers use with the user unit scened-links.socket; see scened.recipes(7).
      """
  )

  @OptionGroup(visibility: .hidden) var router: RouterOptions

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

  static func plain(_ arguments: [String]) -> SSHCommand {
    var command = SSHCommand()
    (command.router, command.opener, command.portTime) = (.none, false, .forSignIn)
    command.arguments = arguments
    return command
  }

  func validate() throws {
    if router.json || router.host != nil {
      throw ValidationError("ssh opens links on this machine: it takes no --json and no --host.")
    }
    // The argument parser passes these on, too.
    if ["--help", "-h"].contains(arguments.first) { throw CleanExit.helpRequest(self) }
    if opener { return }
    let session = SSHArguments(arguments)
    if session.host == nil { throw ValidationError("The machine is missing: scenectl ssh HOST") }
    if let flag = session.refusedFlag { throw ValidationError("With -\(flag), ssh logs in nowhere.") }
  }

  func run() throws {
    if opener { return try Terminal.showContents(OneFileOpener.script) }
    let session = SSHArguments(arguments)
    let path = try router.socketPath ?? RouterConnection.defaultSocketPath()
    guard let machine = session.machine, let name = Host.makeTemporaryDirectory("scenectl-ssh") else {
      throw BridgeError(description: "A directory for the sockets cannot be made in /tmp.")
    }
    let directory = SessionDirectory(path: name)
    do {
      let listener = try ListeningSocket.listen(at: directory.links)
      try LinksFromMachine.startProcess(listener, directory, machine, router: path, portTime: portTime)
    } catch {
      directory.remove()
      throw error
    }
    throw BridgeError(description: "ssh could not be run: \(Self.become(session.forSSH(directory))).")
  }

  /// Returns the reason for a failure.
  private static func become(_ command: [String]) -> String {
    // As ssh would have got them from a shell.
    _ = signal(SIGPIPE, SIG_DFL)
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
    return unsafe command.withCStrings { words in
      _ = unsafe execvp("ssh", words)
      return Host.text(ofError: errno)
    }
  }
}

/// The sockets of a session.
struct SessionDirectory {
  let path: String

  var links: String { path + "/links" }
  /// Of ssh's master connection.
  var control: String { path + "/control" }

  func remove() {
    for file in [links, control] { _ = unsafe unlink(file) }
    Host.removeDirectory(path)
  }
}

/// The arguments of ssh, read as ssh(1) reads them.
struct SSHArguments {
  /// The options of OpenSSH 9.2 and 10.0 that have a value.
  private static let withValue = "BDEFIJLOPQRSWbceilmopw"
  /// They end ssh before its session, start none, or take its place.
  private static let withoutSession = "NOWf"

  private var options: [String] = []
  private(set) var host: String?
  private(set) var refusedFlag: Character?
  private var saysWhetherTerminal = false
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
        let flags = index.map { word[...$0] } ?? word[...]
        saysWhetherTerminal = saysWhetherTerminal || flags.contains { "tT".contains($0) }
        refusedFlag = refusedFlag ?? flags.first(where: Self.withoutSession.contains)
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

  /// The name in URLs of its files: the host without a user and a port, but no name that stands for this machine.
  var machine: String? {
    guard let host else { return nil }
    let text = host.hasPrefix("ssh://") ? host : "ssh://" + host
    let parts = URLParts(text.utf8.span)
    return parts.host.map { String(decoding: text.utf8[$0], as: UTF8.self) }.map { name in
      FileURL.path(of: "file://\(name)/", onMachine: Host.machineName) == nil ? name : name + ".ssh"
    }
  }

  /// Makes the connection a master, which ``ForwardedPorts`` uses, with a socket there that leads to the one here.
  ///
  /// sshd makes the socket for this user alone (StreamLocalBindMask), before it runs the command. So the session needs
  /// no second connection. Nobody can guess the names.
  fileprivate func forSSH(_ directory: SessionDirectory) -> [String] {
    let socket = Self.makeName()
    let master = ["ssh", "-M", "-S", directory.control, "-R", "\(socket):\(directory.links)"]
    let own = ["ControlPersist=no", "RemoteCommand=none", "ExitOnForwardFailure=no"].flatMap { ["-o", $0] }
    let script = Self.script.replacing("@SOCKET@", with: socket).replacing("@FILE@", with: Self.makeName())
      .replacing("@COMMAND@", with: "\(command.joined(separator: " "))".shellWord)
    // Without a command, ssh alone would ask for a terminal.
    return master + own + (command.isEmpty && !saysWhetherTerminal ? ["-t"] : []) + options
      + ["--", host ?? "", #"exec sh -c 'eval "$(printf %b "$0")"' '\#(script.escapedForPrintf)'"#]
  }

  private static func makeName() -> String {
    "/tmp/scened-" + (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
  }

  /// The end of the pipeline ignores the end of the session, to remove the files there when the shell before it ends.
  ///
  /// The kernel sends SIGHUP to the programs of a terminal only if the first shell ends with the connection.
  private static let script = #"""
    trap : INT QUIT
    exec 4>&1
    {
      trap : INT QUIT
      reason=
      if ! [ -S @SOCKET@ ]; then
        reason="its sshd forwards no socket (AllowTcpForwarding, AllowStreamLocalForwarding, DisableForwarding)"
      elif command -v scenectl >/dev/null; then
        printf '#!/bin/sh\nexec scenectl open "$@"\n' >@FILE@
      elif command -v perl >/dev/null; then
        cat >@FILE@ <<'END'
    @OPENER@END
      else
        reason="there is neither scenectl nor perl"
      fi
      if [ -S @SOCKET@ ]; then export SCENED_SOCKET=@SOCKET@; fi
      if [ "$reason" ]; then
        :
      elif chmod 700 @FILE@ && [ -x @FILE@ ]; then
        export BROWSER=@FILE@
      else
        reason="no program can be run in /tmp there"
      fi
      if [ "$reason" ]; then echo "scenectl: programs there cannot open links here, because $reason." >&2; fi
      command=@COMMAND@
      if [ "$command" ]; then
        "$SHELL" -c "$command" 3>&-
      else
        [ -e ~/.hushlogin ] || cat /run/motd.dynamic /etc/motd 2>/dev/null
        "$SHELL" -l 3>&-
      fi
      echo $? >&3
    } 3>&1 >&4 4>&- | {
      trap "" HUP INT QUIT TERM
      read -r status
      rm -f @SOCKET@ @FILE@
      exit "${status:-255}"
    } 4>&-
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
