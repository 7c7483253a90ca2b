import ArgumentParser
import Glibc
import SceneClient
import SystemPackage

/// Every command has these options, and ``Scenectl`` too, so that they can stand before the command.
struct RouterOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The path of the router's socket.", valueName: "path"), completion: .file())
  var socket: String?

  @Flag(help: "Use the router of the whole system.")
  var system = false

  @Option(
    help: ArgumentHelp(
      "Use the router of another machine, through ssh; this is its name for ssh.",
      valueName: "host"
    ),
    completion: .machines
  )
  var host: String?

  @Flag(help: "Print JSON for programs, one object per line.")
  var json = false

  func validate() throws {
    if system, socket != nil { throw ValidationError("--system and --socket exclude each other.") }
    if host == "" { throw ValidationError("The name of the machine after --host is empty.") }
  }

  /// For callers that do not use the argument parser.
  static var none: RouterOptions {
    var options = RouterOptions()
    (options.socket, options.system, options.host, options.json) = (nil, false, nil, false)
    return options
  }

  var areUnset: Bool { !json && areOfOwnRouter }

  var areOfOwnRouter: Bool { socketPath == nil && host == nil }

  /// Nil if no option gives a path.
  var socketPath: String? { system ? RouterConnection.systemSocketPath : socket }

  /// Nil with `--host`, because the router is then on another machine.
  func variable(_ name: String) -> String? { host == nil ? Host.variable(name) : nil }

  /// Raises one window, once (xdg-activation-v1, or X11 startup id).
  var activationToken: String? {
    ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"].lazy.compactMap(variable).first
  }

  /// Each answer has to come within `timeout`.
  ///
  /// With `lasting`, the client reconnects unless `--no-reconnect` is given; standard error reports the loss and the
  /// return of the connection.
  func connect(
    timeout: Seconds = .forAnswer,
    lasting: LastingOptions? = nil
  ) async throws(ConnectionError) -> RouterConnection {
    let connection: RouterConnection
    do throws(RouterError) {
      connection = try await self.connection(
        timeout: timeout.duration + (host == nil ? .zero : Self.timeForHost),
        reconnects: lasting?.noReconnect == false
      )
    } catch {
      throw ConnectionError(error, startCommand)
    }
    guard lasting != nil else { return connection }
    let states = connection.states
    Task {
      for await state in states {
        Terminal.showError("The connection to the router is \(state == .connected ? "restored" : "lost").")
      }
    }
    return connection
  }
}

extension RouterOptions {
  /// How long ``connectToSend()`` lets a lost connection return.
  private static let timeToReturn = Duration.seconds(10)

  /// Unfinished events are sent again to a restarted router.
  func connectToSend() async throws(ConnectionError) -> RouterConnection {
    let connection: RouterConnection
    do throws(RouterError) {
      connection = try await self.connection(
        timeout: Seconds.forAnswer.duration + (host == nil ? .zero : Self.timeForHost),
        reconnects: true
      )
    } catch {
      throw ConnectionError(error, startCommand)
    }
    let states = connection.states
    Task {
      var waiting: Task<Void, Never>?
      for await state in states {
        waiting?.cancel()
        guard state == .reconnecting else { continue }
        waiting = Task {
          try? await Task.sleep(for: Self.timeToReturn)
          if !Task.isCancelled { connection.close() }
        }
      }
    }
    return connection
  }
}

struct ConnectionError: Error {
  private let error: RouterError
  private let startCommand: String

  fileprivate init(_ error: RouterError, _ startCommand: String) {
    (self.error, self.startCommand) = (error, startCommand)
  }

  var sentence: String {
    guard case .nobodyListens = error.code else { return error.sentence }
    return "\(error.description) To start scened: \(startCommand)"
  }
}

extension RouterOptions {
  var startCommand: String {
    let isSystem = socketPath == RouterConnection.systemSocketPath
    let path = socketPath ?? Host.variable("SCENED_SOCKET")
    // No systemd unit listens at a path that the user has chosen.
    if let path, !isSystem { return "scened --socket \(path.shellWord)" }
    // sd_booted(3).
    guard Host.refusal(of: F_OK, "/run/systemd/system") == nil else {
      return isSystem ? "scened --system" : "scened"
    }
    return "systemctl \(isSystem ? "" : "--user ")start scened.socket"
  }

  /// Enough for name resolution, ssh's own limit of 10 s, and the start of the shell.
  private static let timeForHost = Duration.seconds(15)

  /// They override the user's configuration.
  ///
  /// Two connections cannot forward the same port at the same time, and a password would have to be typed for every
  /// connection.
  private static let hostOptions = [
    "BatchMode=yes", "ConnectTimeout=10", "LogLevel=ERROR", "ClearAllForwardings=yes", "RemoteCommand=none",
  ]

  func connection(timeout: Duration, reconnects: Bool = false) async throws(RouterError) -> RouterConnection {
    guard let host else {
      return try await RouterConnection(socketPath: socketPath, timeout: timeout, reconnects: reconnects)
    }
    var command = "scenectl bridge"
    if system { command += " --system" }
    // A shell on the other machine reads the command.
    if let socket { command += " --socket '" + socket.replacing("'", with: #"'\''"#) + "'" }
    let options = Self.hostOptions.flatMap { ["-o", $0] }
    return try await RouterConnection(
      bridge: ["ssh", "-T"] + options + ["--", host, command],
      timeout: timeout,
      reconnects: reconnects
    )
  }
}

struct LastingOptions: ParsableArguments {
  @Flag(help: "End when the connection to the router is lost, instead of waiting for the next router.")
  var noReconnect = false

  static var always: LastingOptions {
    var options = LastingOptions()
    options.noReconnect = false
    return options
  }
}

/// For commands that send no event; the others have a time limit for the event.
struct AnswerOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Time limit for the router's answer.", valueName: "seconds"))
  var timeout = Seconds.forAnswer
}

/// More than 0 and at most 3600.
struct Seconds: ExpressibleByArgument, CustomStringConvertible {
  /// A router answers in milliseconds, even on a busy machine.
  static let forAnswer = Seconds(description: "5", duration: .seconds(5))
  /// For reading the desktop's files, which a disk may have in thousands.
  static let forReading = Seconds(description: "20", duration: .seconds(20))
  /// Identity providers keep a code for ten minutes (RFC 6749, 4.1.2).
  static let forSignIn = Seconds(description: "600", duration: .seconds(600))

  let description: String
  let duration: Duration

  private init(description: String, duration: Duration) {
    self.description = description
    self.duration = duration
  }

  init?(argument: String) {
    guard let seconds = Double(argument), seconds > 0, seconds <= 3600 else { return nil }
    self.init(description: argument, duration: .seconds(seconds))
  }
}
