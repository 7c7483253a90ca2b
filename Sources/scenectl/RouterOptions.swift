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

  @Flag(help: "Print JSON for programs, one object a line.")
  var json = false

  func validate() throws {
    if system, socket != nil { throw ValidationError("--system and --socket exclude each other.") }
  }

  /// Where the options say the router listens; nil if they do not.
  var socketPath: String? { system ? RouterConnection.systemSocketPath : socket }

  /// Connects to the router, which has to answer within `timeout` whatever it is asked.
  ///
  /// With `lasting` the connection is made again if it is lost, which is said on standard error.
  func connect(
    timeout: Seconds = .forAnswer,
    lasting: LastingOptions? = nil
  ) async throws(RouterError) -> RouterConnection {
    let connection = try await RouterConnection(
      socketPath: socketPath,
      timeout: timeout.duration,
      reconnects: lasting?.noReconnect == false
    )
    let states = connection.states
    Task {
      for await state in states {
        Terminal.showError("The connection to the router is \(state == .connected ? "there again" : "lost").")
      }
    }
    return connection
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
