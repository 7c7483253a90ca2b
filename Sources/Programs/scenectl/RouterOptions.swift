import ArgumentParser
import Glibc
import SceneClient
import SystemPackage

/// The options that select the router and the form of the output.
///
/// Every command has these options. ``Scenectl`` also has these options, so that people can write them before the
/// command.
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

  /// The options as if none were given, for callers that do not use the argument parser.
  static var none: RouterOptions {
    var options = RouterOptions()
    (options.socket, options.system, options.host, options.json) = (nil, false, nil, false)
    return options
  }

  /// Whether the command line has none of the options `--socket`, `--system`, `--host` and `--json`.
  var areUnset: Bool { !json && socketPath == nil && host == nil }

  /// The path of the router's socket from the options; nil if no option gives a path.
  var socketPath: String? { system ? RouterConnection.systemSocketPath : socket }

  /// Connects to the router, which has to answer each call within `timeout`.
  ///
  /// With `lasting`, the client reconnects after a lost connection, unless `--no-reconnect` is given. Standard error
  /// reports the loss and the return of the connection.
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
  /// How long a connection of ``connectToSend()`` tries to reconnect after it is lost.
  private static let timeToReturn = Duration.seconds(10)

  /// Connects to the router to send events.
  ///
  /// After a restart of the router, unfinished events are sent again to the restarted router. If the tool cannot
  /// reconnect to the router within ten seconds, the calls fail in the same way as calls over a lost connection.
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

/// Why the router cannot be reached.
struct ConnectionError: Error {
  private let error: RouterError
  private let startCommand: String

  /// `startCommand` is the command that starts the router.
  fileprivate init(_ error: RouterError, _ startCommand: String) {
    (self.error, self.startCommand) = (error, startCommand)
  }

  /// The error as a sentence; if no router listens, also the command that starts the router.
  var sentence: String {
    guard case .nobodyListens = error.code else { return error.sentence }
    return "\(error.description) To start scened: \(startCommand)"
  }
}

extension RouterOptions {
  /// The start command of the router that these options select.
  var startCommand: String {
    let isSystem = socketPath == RouterConnection.systemSocketPath
    let path = socketPath ?? Host.variable("SCENED_SOCKET")
    // The command starts the daemon directly, because no systemd unit listens at a path that the user has chosen.
    if let path, !isSystem { return "scened --socket \(path.shellWord)" }
    // sd_booted(3): without systemd, the daemon makes its socket itself.
    guard Host.refusal(of: F_OK, "/run/systemd/system") == nil else {
      return isSystem ? "scened --system" : "scened"
    }
    return "systemctl \(isSystem ? "" : "--user ")start scened.socket"
  }

  /// The additional time for a router on another machine.
  ///
  /// The time is enough for name resolution, for ssh's own time limit of 10 s, and for the start of the shell.
  private static let timeForHost = Duration.seconds(15)

  /// The options of ssh that override the user's configuration.
  ///
  /// ssh forwards no ports, because two connections cannot use the same port at the same time. ssh never asks for a
  /// password, because the user would have to type the password for every connection.
  private static let hostOptions = [
    "BatchMode=yes", "ConnectTimeout=10", "LogLevel=ERROR", "ClearAllForwardings=yes", "RemoteCommand=none",
  ]

  /// Connects to the router within `timeout`.
  func connection(timeout: Duration, reconnects: Bool = false) async throws(RouterError) -> RouterConnection {
    guard let host else {
      return try await RouterConnection(socketPath: socketPath, timeout: timeout, reconnects: reconnects)
    }
    var command = "scenectl bridge"
    if system { command += " --system" }
    // The path is quoted, because a shell on the other machine reads the command.
    if let socket { command += " --socket '" + socket.replacing("'", with: #"'\''"#) + "'" }
    let options = Self.hostOptions.flatMap { ["-o", $0] }
    return try await RouterConnection(
      bridge: ["ssh", "-T"] + options + ["--", host, command],
      timeout: timeout,
      reconnects: reconnects
    )
  }
}

/// The option that says what a command does when its connection to the router is lost.
struct LastingOptions: ParsableArguments {
  @Flag(help: "End when the connection to the router is lost, instead of waiting for the next router.")
  var noReconnect = false

  /// The options of a command that always tries to reconnect when the connection to the router is lost.
  static var always: LastingOptions {
    var options = LastingOptions()
    options.noReconnect = false
    return options
  }
}

/// The time limit for the router's answers to commands that send no event.
///
/// Commands that send an event have a time limit for the event instead.
struct AnswerOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Time limit for the router's answer.", valueName: "seconds"))
  var timeout = Seconds.forAnswer
}

/// A number of seconds, more than 0 and at most 3600.
struct Seconds: ExpressibleByArgument, CustomStringConvertible {
  /// The default limit of 5 s; a router answers in milliseconds, even on a busy machine.
  static let forAnswer = Seconds(description: "5", duration: .seconds(5))
  /// The limit of 20 s for reading the desktop's files; a disk may have thousands of these files.
  static let forReading = Seconds(description: "20", duration: .seconds(20))

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

/// The option for the width of tables.
struct TableOptions: ParsableArguments {
  @Flag(help: "Print whole lines, even if they do not fit the terminal.")
  var full = false
}
