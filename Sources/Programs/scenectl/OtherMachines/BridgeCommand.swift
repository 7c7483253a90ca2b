import ArgumentParser
import Glibc
import SceneClient
import UnixSocket

struct BridgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bridge",
    abstract: "Connect standard input and output to the router, as ssh does for another machine.",
    discussion: """
      The command ends when the router ends the connection. When standard input ends, the router still answers the \
      calls that it has received. If neither $SCENED_SOCKET nor $XDG_RUNTIME_DIR is set, as ssh may leave them, the \
      command looks for the router below /run/user. Programs that speak Varlink can use the command, for example: \
      varlinkctl info 'ssh-exec:HOST:scenectl bridge'

      With --send-only the command passes on only calls that send events (SendEvent, AwaitEvent) and name neither an \
      application nor a scene. The next event is sent when the one before has ended. The replies say whether an event \
      was taken, and nothing else. With this line in ~/.ssh/authorized_keys a \
      key can send events to this machine, and can read nothing else: \
      restrict,command="scenectl bridge --send-only" ssh-ed25519 …
      """
  )

  @OptionGroup var router: RouterOptions

  @Flag(help: "Pass on only calls that send events, and reply only whether these were taken.")
  var sendOnly = false

  func validate() throws {
    if router.json || router.host != nil {
      throw ValidationError(
        "bridge passes on the messages of other programs: it takes no --json and no --host."
      )
    }
  }

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
      throw BridgeError(
        description: "The router cannot be reached. \(error) To start scened: \(router.startCommand)"
          .printable
      )
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

struct BridgeError: Error, CustomStringConvertible {
  static let routerLeft = BridgeError(description: "The router has ended the connection.")

  let description: String
}
