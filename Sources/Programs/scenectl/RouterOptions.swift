import ArgumentParser
import SceneClient

/// Where the router is, and whom the output is for.
///
/// Every command has these options; as ``Scenectl`` has them, too, they may come before the command.
struct RouterOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The router's socket.", valueName: "path"), completion: .file())
  var socket: String?

  @Flag(help: "The router that serves the whole system.")
  var system = false

  @Option(
    help: ArgumentHelp("The router of another machine, which ssh knows by this name.", valueName: "host"),
    completion: .machines
  )
  var host: String?

  @Flag(help: "Print JSON for programs, one object a line.")
  var json = false

  func validate() throws {
    if system, socket != nil { throw ValidationError("--system and --socket exclude each other.") }
    if host == "" { throw ValidationError("The name of the machine after --host is empty.") }
  }

  /// What they are where the argument parser is not asked.
  static var none: RouterOptions {
    var options = RouterOptions()
    (options.socket, options.system, options.host, options.json) = (nil, false, nil, false)
    return options
  }

  /// Whether none of them was given.
  var areUnset: Bool { !json && socketPath == nil && host == nil }

  /// Where the options say the router listens; nil if they do not.
  var socketPath: String? { system ? RouterConnection.systemSocketPath : socket }

  /// Connects to the router, which has to answer within `timeout` whatever it is asked.
  ///
  /// With `lasting` the connection is made again if it is lost, which is said on standard error.
  func connect(
    timeout: Seconds = .forAnswer,
    lasting: LastingOptions? = nil
  ) async throws(RouterError) -> RouterConnection {
    let connection = try await connection(
      timeout: timeout.duration + (host == nil ? .zero : Self.timeForHost),
      reconnects: lasting?.noReconnect == false
    )
    guard lasting != nil else { return connection }
    let states = connection.states
    Task {
      for await state in states {
        Terminal.showError("The connection to the router is \(state == .connected ? "there again" : "lost").")
      }
    }
    return connection
  }
}

extension RouterOptions {
  /// How much longer a router on another machine may take: name resolution, ssh's own limit below, and its shell.
  private static let timeForHost = Duration.seconds(15)

  /// What the user has set up for ssh counts, but for what would keep several connections at once from working, or
  /// have one wait for somebody to answer: nobody is asked for passwords, as each connection would ask.
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
    // ssh has a shell there read the command.
    if let socket { command += " --socket '" + socket.replacing("'", with: #"'\''"#) + "'" }
    let options = Self.hostOptions.flatMap { ["-o", $0] }
    return try await RouterConnection(
      bridge: ["ssh", "-T"] + options + ["--", host, command],
      timeout: timeout,
      reconnects: reconnects
    )
  }
}

/// What becomes of a command that lasts when the router ends.
struct LastingOptions: ParsableArguments {
  @Flag(help: "End when the connection to the router is lost, instead of waiting for the next router.")
  var noReconnect = false
}

/// How long the router may take to answer, for commands that send no event: an event has a time of its own.
struct AnswerOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Time for the router to answer.", valueName: "seconds"))
  var timeout = Seconds.forAnswer
}

/// A number of seconds, more than 0 and up to an hour.
struct Seconds: ExpressibleByArgument, CustomStringConvertible {
  /// A router answers in milliseconds, even on a busy machine.
  static let forAnswer = Seconds(description: "5", duration: .seconds(5))

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

/// How much of a table to show.
struct TableOptions: ParsableArguments {
  @Flag(help: "Cut nothing, however long the lines become.")
  var full = false
}
