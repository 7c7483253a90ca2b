import ArgumentParser
import CProcess
import SceneClient
import SceneRouting

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

  init() {}

  /// Nil if there is any option that plugins and browser extensions do not use.
  init?(ofPlugin arguments: [String]) {
    (router, application, nativeMessaging) = (.none, nil, false)
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
  }

  func run() async throws {
    // An adapter runs for days, but needs megabytes of memory only while a command raises a window.
    scened_return_freed_memory()
    let options = router
    let adapter = await Adapter(
      nativeMessaging ? .nativeMessages : .lines,
      application: application?.asApplicationID,
      requestOfStart: router.variable("SCENED_OPEN_REQUEST")
    ) { () async throws(RouterError) in
      try await options.connection(timeout: Seconds.forAnswer.duration, reconnects: true)
    }
    try await adapter.run()
  }
}
