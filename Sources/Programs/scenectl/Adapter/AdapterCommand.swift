import ArgumentParser
import CProcess
import SceneClient
import SceneRouting
import Varlink

struct AdapterCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adapter",
    abstract: "Hold scenes for a program that speaks JSON on standard input and output.",
    discussion: """
      A plugin of an editor, an extension of a browser or a script says how its scenes shall be, and gets their events. \
      The program need not know Varlink, sockets or restarts of the router, because the command says everything again \
      after a restart. One JSON object a line is read and written; the end of the input closes all scenes.

      In: {"scene": KEY, "application": ID, …} says how a scene shall be, whole: declaration, title, showing, \
      preferring, allowing, activity, request; a member that is left out is empty. {"active": KEY}, {"close": KEY}, \
      {"taken": DELIVERY}, {"declined": DELIVERY, "reason"}, {"declare": ID, "scenes": […], "claims", \
      "isSingleScene"}, {"send": N, "event": {…}, "from", "to", "activationToken"}, {"explain": N, "event": {…}, \
      "from"}, {"raise": KEY, "title", "activationToken", "process"}.

      Out: {"ready": VERSION, "adapter": 1, "application": the ID of --application}, \
      {"state": "connected" or "reconnecting"}, {"opened": KEY, "scene": ID}, \
      {"deliver": DELIVERY, "scene": KEY, "event": {…}, "path", "line", "column", "activationToken", "sender", \
      "timeout"}, {"request": REQUEST, "application", "declaration", "event", …}, {"withdrawn": ID, "reason"}, \
      {"closed": KEY, "reason"}, {"sent": N, "outcome", "application", "scene", "error"}, {"explained": N, "target", \
      "rule", "application", "because", "scene"}, {"error": TEXT, "in": WORD} for an object that was not carried out.

      With --programs, the command reads and writes nothing, and holds scenes for programs that tell over the session \
      bus what they have open: players (MPRIS: VLC, mpv with mpv-mpris, and others), Okular and zathura. Each shows the \
      file that it has open, and a link to the file raises its window. The user unit scened-programs runs this; \
      'systemctl --user enable --now scened-programs' turns it on.
      """
  )

  @OptionGroup var router: RouterOptions

  @Option(
    help: ArgumentHelp(
      "Name this application in 'ready', for a program that cannot know its own desktop entry.",
      valueName: "id"
    ),
    completion: .installedApplications
  )
  var application: String?

  @Flag(help: "Use the framing of browsers: 32 bits of length before each object.")
  var nativeMessaging = false

  @Flag(help: "Hold a scene for each player and document viewer of the session, until the session bus ends.")
  var programs = false

  init() {}

  /// Nil if there is any option that plugins and browser extensions do not use.
  init?(ofPlugin arguments: [String]) {
    (router, application, nativeMessaging, programs) = (.none, nil, false, arguments == ["--programs"])
    if programs { return }
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch (word, rest.first) {
      case ("--native-messaging", _): nativeMessaging = true
      case ("--application", let id?) where !id.hasPrefix("-") && CommandArguments.isUTF8(id):
        application = id
        rest.removeFirst()
      default: return nil
      }
    }
  }

  func validate() throws {
    if router.json { throw ValidationError("adapter always writes JSON: it takes no --json.") }
    if programs, nativeMessaging || application != nil {
      throw ValidationError("--programs talks to no program at the standard streams: it stands alone.")
    }
  }

  func run() async throws {
    // An adapter runs for days, but needs megabytes of memory only to start, and while a command raises a window.
    scened_return_freed_memory()
    await IdleCode.beginToRelease()
    let options = router
    let connect = { @Sendable () async throws(RouterError) in
      try await options.connection(timeout: Seconds.forAnswer.duration, reconnects: true)
    }
    if programs { return try await BusPrograms().run(connect: connect) }
    let framing: ObjectFraming = nativeMessaging ? .nativeMessages : .lines
    let request = router.variable("SCENED_OPEN_REQUEST")
    let adapter = await Adapter(requestOfStart: request, connect: connect) { framing.write($0) }
    framing.write(.ready(application: application?.asApplicationID))
    var document = JSONDocument()
    try await adapter.run(framing.readInput()) { part throws(AdapterError) in
      try AdapterRequest(part, &document)
    }
  }
}
