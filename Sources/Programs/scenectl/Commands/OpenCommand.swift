import ArgumentParser
import SceneClient

/// `scenectl open`.
struct OpenCommand: AsyncParsableCommand, TakesFiles {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open URLs and files in the scenes that want them.",
    discussion: """
      Each argument is routed on its own, and its outcome is printed; after a failure the next argument follows. \
      Without a terminal on standard error, a failure is also shown as a desktop notification.

      A file is routed as its file: URL, with its MIME type. The type is found by the name of the file; if the name \
      tells none, 'xdg-mime query filetype' is asked. A directory has the type inode/directory. A line, and a column \
      in it, may be given as FILE:10, FILE:10:3, +10 FILE, file:///path#L10, #10 or #L10,3; of a range such as \
      #L10-L20 the first line counts. If a file has a name that ends like this, the name counts. An argument that \
      begins with a scheme and a colon is a URL; write ./ before a file with such a name.

      A program that scened has started for a link may pass the link on with this command. $SCENED_EVENT names the event \
      of the link, so that the router passes over that program.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var routing: RoutingOptions

  @Flag(
    help: "Print nothing, and show failures as notifications: for a desktop that starts scenectl for links."
  )
  var asHandler = false

  @Argument(
    help: ArgumentHelp("URLs, or paths of files, each with a line if you like.", valueName: "url|path"),
    completion: .file()
  )
  var files: [FileArgument]

  init() {}

  /// Creates the command of a command line without options except `--as-handler`.
  init(_ files: [FileArgument], asHandler: Bool) {
    (router, routing) = (.none, .none)
    self.asHandler = asHandler
    self.files = files
  }

  func validate() throws {
    let count = try FileArgument.joined(files).count
    if routing.eventID != nil, count > 1 {
      throw ValidationError("--event-id is for one event, and there are \(count) arguments.")
    }
  }

  func run() async throws {
    let files = try FileArgument.joined(files)
    let report = OutcomeReport(
      printsJSON: router.json,
      router: router,
      notifications: asHandler ? .only : .withoutTerminal
    )
    let connection: RouterConnection
    do throws(ConnectionError) {
      connection = try await router.connect()
    } catch {
      await report.show(files.map(\.text).joined(separator: " "), error.sentence)
      throw CommandStatus.error.exitCode
    }
    // An activation token raises one window, and can be used once (xdg-activation-v1).
    var token = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"].lazy.compactMap(router.variable).first
    var status = CommandStatus.taken
    for file in files {
      let result = try await send(file, &token, connection, report)
      if status == .taken { status = result }
    }
    throw status.exitCode
  }

  private func send(
    _ file: FileArgument,
    _ token: inout String?,
    _ connection: RouterConnection,
    _ report: OutcomeReport
  ) async throws -> CommandStatus {
    let event: Event
    do throws(FileArgumentError) {
      event = try await router.event(of: file)
    } catch {
      await report.show(file.text, error.sentence)
      if router.json, !asHandler {
        try Terminal.showJSON(JSONLine(["argument": file.text.quoted, "error": error.sentence.quoted]).text)
      }
      return .error
    }
    return try await routing.send(
      event,
      from: router.variable("SCENED_EVENT"),
      token: token.take(),
      over: connection,
      report
    )
  }
}

extension RoutingOptions {
  /// Sends an event, and shows its outcome; `origin` is the event or scene that it comes from.
  func send(
    _ event: Event,
    from origin: String? = nil,
    token: String? = nil,
    over connection: RouterConnection,
    _ report: OutcomeReport
  ) async throws -> CommandStatus {
    let options = options(activationToken: token)
    let scope = scopeOptions.scope(origin: origin)
    do {
      if noWait {
        let decision = try await connection.route(event, to: scope, options: options)
        return try await report.show(event, to: scope, decision, connection)
      }
      var decisions: [RouteDecision] = []
      for try await progress in try await connection.sendUpdates(event, to: scope, options: options) {
        switch progress {
        case .decision(let decision): decisions.append(decision)
        case .settlement: break
        case .ended(let outcome):
          return try await report.show(event, to: scope, outcome, decisions, connection)
        }
      }
      return .outcomeUnknown
    } catch let error as RouterError {
      return try await report.show(event, error)
    }
  }
}
