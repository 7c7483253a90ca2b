import ArgumentParser
import Glibc
import SceneClient
import UnixSocket

/// `scenectl bridge`.
struct BridgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bridge",
    abstract: "Connect standard input and output to the router, as ssh does for another machine.",
    discussion: """
      It ends when the router ends the connection; when standard input ends, the router learns it and answers what it \
      was asked. Without $SCENED_SOCKET and $XDG_RUNTIME_DIR, which ssh need not set, the router is looked for below \
      /run/user. What speaks Varlink can use it, as in: varlinkctl info 'ssh-exec:HOST:scenectl bridge'

      With --send-only it takes events (SendEvent, AwaitEvent) and nothing else, one after the other, and replies what \
      became of them, but neither scenes nor identifiers. With this line in ~/.ssh/authorized_keys a key can send \
      events here, and learns nothing: restrict,command="scenectl bridge --send-only" ssh-ed25519 …
      """
  )

  @OptionGroup var router: RouterOptions

  @Flag(help: "Take events and nothing else, and reply with results alone.")
  var sendOnly = false

  func validate() throws {
    if router.json || router.host != nil {
      throw ValidationError("bridge passes on what others say: it takes no --json and no --host.")
    }
  }

  /// The command without any option.
  static var plain: BridgeCommand {
    var command = BridgeCommand()
    (command.router, command.sendOnly) = (.none, false)
    return command
  }

  func run() throws {
    let path = try router.socketPath ?? Self.defaultPath()
    let socket: StreamSocket
    do throws(SocketError) {
      socket = try .connect(to: SocketAddress(path), nonblocking: false)
    } catch {
      throw BridgeError(description: "The router cannot be reached. \(error) Is scened running?".printable)
    }
    if sendOnly { try SendOnlyBridge(socket).run() } else { try Bridge(socket).run() }
  }

  private static func defaultPath() throws(RouterError) -> String {
    do throws(RouterError) {
      return try RouterConnection.defaultSocketPath()
    } catch {
      // A session that logind did not start has no $XDG_RUNTIME_DIR; pam_systemd(8) documents this path.
      return "/run/user/\(geteuid())/scened/io.scened.Router"
    }
  }
}

/// The reason why nothing can be copied, as a sentence.
struct BridgeError: Error, CustomStringConvertible {
  static let routerLeft = BridgeError(description: "The router has ended the connection.")

  let description: String
}
