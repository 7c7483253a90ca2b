import ArgumentParser
import SceneClient

struct OpenCommand: AsyncParsableCommand, TakesFiles {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open URLs and files in the scenes that want them.",
    discussion: """
      Each argument is routed on its own, and its outcome is printed; after a failure the next argument follows. \
      Without a terminal on standard error, a failure is also shown as a desktop notification. If the router is \
      restarted meanwhile, the event is sent again, and no scene gets it twice.

      A URL may have white space: it is repaired as browsers do it. An argument that begins with a scheme and a colon \
      is a URL, unless there is a file of this name and no // follows the colon.

      A file is routed as its file: URL, with its MIME type: the one that GIO finds by the name of the file, or by its \
      contents if the name tells none or several. A directory has the type inode/directory. A line, and a column in \
      it, may be given as FILE:10, FILE:10:3, +10 FILE, file:///path#L10, #10 or #L10,3; of a range such as #L10-L20 \
      the first line counts. If a file has a name that ends like this, the name counts.

      With --wait, the command returns when no scene shows the page or file any more, so that it can be $EDITOR: \
      export EDITOR='scenectl open --wait'. The file may be new, if its directory exists. The scene that takes the \
      file has to say that it shows it; without that, the command waits until the scene is closed. A restart of the \
      router makes no difference, except that the command may return five seconds late. A program that was only \
      started and has no scene cannot be waited for; the command says so, and ends with status 1, so that git, for \
      example, does not go on with a file that nobody has edited. To end the wait, press Ctrl-C; the scene stays.

      The token of $XDG_ACTIVATION_TOKEN or $DESKTOP_STARTUP_ID goes with the first argument, so that the window may come \
      to the front. A shell has none; on a terminal under Wayland, the command says that the window may stay behind.

      With --ask, the user decides as with 'scenectl handler ask', and with --as-handler while Shift is held, which X11 \
      tells, and GNOME Shell with the package scened-gnome. With --profile or --action, a desktop entry is made \
      for the link and removed afterwards, unless a choice of 'scenectl handler set' names it.

      A program that scened has started for a link may pass the link on with this command. $SCENED_EVENT names the event \
      of the link, so that the router passes over that program for this link.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var routing: RoutingOptions

  @Flag(
    help: "Print nothing, and show failures as notifications: for a desktop that starts scenectl for links."
  )
  var asHandler = false

  @Flag(help: "Return only when no scene shows the page or file any more, as an editor does.")
  var wait = false

  @Flag(help: "Ask the user what opens each URL or file.")
  var ask = false

  @Option(
    help: ArgumentHelp("Open in this profile of the browser that --application names.", valueName: "name"),
    completion: .profiles
  )
  var profile: String?

  @Option(
    help: ArgumentHelp(
      "Open by this action of the application that --application names, such as new-private-window.",
      valueName: "id"
    ),
    completion: .actions
  )
  var action: String?

  @Argument(
    help: ArgumentHelp("URLs, or paths of files, each with a line if you like.", valueName: "url|path"),
    completion: .file()
  )
  var files: [FileArgument]

  init() {}

  /// `--as-handler` is the only option possible without the argument parser.
  init(_ files: [FileArgument], asHandler: Bool) {
    (router, routing, wait, ask, profile, action) = (.none, .none, false, false, nil, nil)
    self.asHandler = asHandler
    self.files = files
  }

  func validate() throws {
    let count = try FileArgument.joined(files).count
    if wait, routing.noWait { throw ValidationError("--wait and --no-wait exclude each other.") }
    if routing.eventID != nil, count > 1 {
      throw ValidationError("--event-id is for one event, and there are \(count) arguments.")
    }
    let scope = routing.scopeOptions
    if ask || profile != nil || action != nil, !router.areOfOwnRouter {
      throw ValidationError("--ask, --profile and --action take no --socket, --system or --host.")
    }
    if ask, wait || routing.noWait || scope.application != nil || scope.scene != nil {
      throw ValidationError("--ask takes no --wait, --no-wait, --application or --scene: the user decides.")
    }
    if profile != nil || action != nil {
      if scope.application == nil { throw ValidationError("--profile and --action need --application.") }
      if scope.scene != nil || profile != nil && action != nil {
        throw ValidationError("--profile, --action and --scene exclude each other.")
      }
    }
  }

  func run() async throws {
    if ask { return try await askForEach() }
    if asHandler, await ShiftKey.isHeld() { return try await askForEach() }
    guard let application = routing.scopeOptions.application, profile != nil || action != nil else {
      return try await open(routing)
    }
    let desktop = InstalledDesktop()
    guard let id = desktop.id(named: application) else {
      throw HandlerError(
        "The application '\(application)' is not installed.\(desktop.idsLike(application).question)".printable
      )
    }
    let entry =
      try profile.map { try desktop.entry(ofProfile: $0, of: id) }
      ?? desktop.entry(ofAction: action ?? "", of: id)
    var routing = routing
    routing.scopeOptions.application = entry.id.asApplicationID
    let ofEntry = routing
    try await HandlerLists.withEntry(entry) { try await open(ofEntry) }
  }

  private func askForEach() async throws {
    var status = ExitCode.success
    for file in try FileArgument.joined(files) {
      var result = CommandStatus.error.exitCode
      do {
        result = try await LinkQuestion(router.event(of: file)).ask()
      } catch let error as FileArgumentError {
        await report.show(file.text, error.sentence)
      } catch let error as HandlerError {
        await report.show(file.text, error.description)
      }
      if status == .success { status = result }
    }
    throw status
  }

  private var report: OutcomeReport {
    OutcomeReport(
      printsJSON: router.json,
      router: router,
      notifications: asHandler ? .only : .withoutTerminal
    )
  }

  private func open(_ routing: RoutingOptions) async throws {
    let files = try FileArgument.joined(files)
    let connection: RouterConnection
    do throws(ConnectionError) {
      connection = try await wait ? router.connect(lasting: .always) : router.connectToSend()
    } catch {
      await report.show(files.map(\.text).joined(separator: " "), error.sentence)
      throw CommandStatus.error.exitCode
    }
    // Before the first event, so that the monitor sees every later restart of the router.
    let changes = wait ? try await connection.monitor(showsDecisions: false) : nil
    var state = State(token: router.activationToken)
    var status = CommandStatus.taken
    for file in files {
      let result = try await send(file, routing, &state, connection)
      if status == .taken { status = result }
    }
    if state.hasWindowWithoutToken { showThatWindowMayStayBehind() }
    if let changes, !state.documents.isEmpty {
      let result = try await ShownDocuments.waitUntilClosed(state.documents, changes, over: connection)
      if status == .taken { status = result }
    }
    throw status.exitCode
  }

  private struct State {
    /// Raises one window, once (xdg-activation-v1).
    var token: String?
    var documents: [ShownDocuments.Document] = []
    var hasWindowWithoutToken = false
  }

  /// Only Wayland needs a token for each window that comes to the front.
  private func showThatWindowMayStayBehind() {
    guard Terminal.showsErrors, !asHandler, router.variable("WAYLAND_DISPLAY") != nil else { return }
    Terminal.showError(
      "There was no activation token, so the window may stay behind; see FOCUS in scened-desktop(5)."
    )
  }

  /// The end of the program does not tell when the file is closed: many programs pass a file to another of their
  /// processes and end.
  private static let cannotWait =
    "The program that has the file has no window in scened, so nobody knows when the file is closed. "
    + "Use a command of the program that waits."

  private func send(
    _ file: FileArgument,
    _ routing: RoutingOptions,
    _ state: inout State,
    _ connection: RouterConnection
  ) async throws -> CommandStatus {
    var report = self.report
    let event: Event
    do throws(FileArgumentError) {
      event = try router.event(of: file, mayBeNew: wait)
    } catch {
      await report.show(file.text, error.sentence)
      if router.json, !asHandler {
        try Terminal.showJSON(JSONLine(["argument": file.text.quoted, "error": error.sentence.quoted]).text)
      }
      return .error
    }
    report.absentFile = router.host == nil ? file.absentFile : nil
    let token = state.token.take()
    var outcome: EventOutcome?
    let status = try await routing.send(
      event,
      from: router.variable("SCENED_EVENT"),
      token: token,
      over: connection,
      report
    ) { outcome = $0 }
    guard case .taken(let taken) = outcome else { return status }
    if token == nil, taken.decision.target == .scene { state.hasWindowWithoutToken = true }
    guard wait else { return status }
    guard let scene = taken.settlement.sceneID else {
      await report.show(event.summary, Self.cannotWait)
      return .error
    }
    state.documents.append(ShownDocuments.Document(event, takenBy: scene))
    return status
  }
}

extension RoutingOptions {
  /// `origin` is the scene or the earlier event that this event comes from; with `--no-wait`, `didEnd` is never called.
  func send(
    _ event: Event,
    from origin: String? = nil,
    token: String? = nil,
    over connection: RouterConnection,
    _ report: OutcomeReport,
    didEnd: (EventOutcome) -> Void = { _ in }
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
          didEnd(outcome)
          return try await report.show(event, to: scope, outcome, decisions, connection)
        }
      }
      return .outcomeUnknown
    } catch let error as RouterError {
      return try await report.show(event, error)
    }
  }
}
