import ArgumentParser
import DesktopEntries
import Installed
import SceneClient
import SceneRouting

struct HandlerAskCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ask",
    abstract: "Ask in a menu which application opens a link or the links of a host.",
    discussion: """
      For a link, the menu offers each application, and a last line leads to a second menu, whose answer counts always \
      for the host or scheme. The link opens in the chosen application. 'scenectl handler set HOST --ask' makes scened start this command for the links of a host. \
      For a host, the answer is saved and nothing opens.

      The menu is a program that reads lines, shows them, and prints the chosen line: rofi -dmenu, fuzzel --dmenu, fzf. \
      No shell reads its words.
      """
  )

  @OptionGroup var options: FileCommandOptions

  @Argument(
    help: ArgumentHelp("A link, or a host; see 'scenectl handler --help'.", valueName: "link|host"),
    completion: .hosts
  )
  var subject: String

  @Option(
    help: ArgumentHelp(
      "The menu program and its arguments, separated by spaces; by default an installed one.",
      valueName: "command"
    )
  )
  var menu: String?

  @Flag(help: "Send the link to scened first; ask only if scened has started this command for the link.")
  var offer = false

  private var isLink: Bool { !subject.hasPrefix("//") && FileArgument(argument: subject).isURL }

  func validate() throws {
    if !isLink { _ = try host() }
    if menu?.split(separator: " ").isEmpty == true {
      throw ValidationError("The command of --menu is empty.")
    }
  }

  func run() async throws {
    guard isLink else { return try await chooseForHost() }
    let report = OutcomeReport(printsJSON: false, router: .none, notifications: .withoutTerminal)
    let started = Host.variable("SCENED_EVENT")
    if offer, started == nil {
      throw try await send(to: nil, from: nil, report).exitCode
    }
    let desktop = InstalledDesktop()
    let key = try keyOfAnswer(desktop)
    let candidates = candidates(for: key, on: desktop)
    guard !candidates.isEmpty else {
      throw HandlerError("No installed application opens '\(subject)'.".printable)
    }
    let answer: (id: String, isForAlways: Bool)
    do {
      answer = try await self.answer(among: candidates, for: key, from: started, desktop)
    } catch let error as HandlerError {
      // Without a menu the router finds the target, so that the link is not lost.
      var report = report
      report.insteadOfQuestion = error.description
      throw try await send(to: nil, from: started, report).exitCode
    } catch is NoAnswer where offer {
      // The user chose nothing. After a failure, the router would open the link in the next application.
      return
    }
    let status = try await send(to: answer.id, from: started, report)
    // The link does not wait until the router has read the choice.
    if answer.isForAlways { try await save(answer.id, for: key) }
    throw status.exitCode
  }

  private func answer(
    among candidates: [Candidate],
    for key: ChoiceKey,
    from event: String?,
    _ desktop: InstalledDesktop
  ) async throws -> (id: String, isForAlways: Bool) {
    let menu = try chosenMenu(desktop)
    let forAlways = "Always for \(key) …"
    let heading = ChoiceMenu.Heading(subject: subject, sender: await sender(of: event, desktop))
    let answer = try await menu.answer(to: candidates.map(\.line) + [forAlways], under: heading)
    if answer == forAlways {
      return (try await choice(among: candidates, in: menu, for: key), true)
    }
    guard let chosen = candidates.first(where: { $0.line == answer }) else { throw NoAnswer() }
    return (chosen.id, false)
  }

  private func choice(among candidates: [Candidate], in menu: ChoiceMenu, for key: ChoiceKey) async throws
    -> String
  {
    let answer = try await menu.answer(
      to: candidates.map(\.line),
      under: ChoiceMenu.Heading(subject: "Always for \(key)")
    )
    guard let chosen = candidates.first(where: { $0.line == answer }) else { throw NoAnswer() }
    return chosen.id
  }

  /// The name of the application that sent the event, as the router knows it, else of its program.
  private func sender(of event: String?, _ desktop: InstalledDesktop) async -> String? {
    guard let event, let connection = try? await RouterOptions.none.connect(),
      let record = try? await connection.records(limit: 100).first(where: { $0.decisionID == event })
    else { return nil }
    let application = record.senderApplicationID.flatMap(desktop.properName)
    return application ?? record.nameOfSender ?? record.senderApplicationID
  }

  private func chooseForHost() async throws {
    let key = ChoiceKey(handled: try host())
    let desktop = InstalledDesktop()
    let candidates = candidates(for: key, on: desktop)
    guard !candidates.isEmpty else {
      throw HandlerError("No installed application opens the links of '\(key)'.".printable)
    }
    let id = try await choice(among: candidates, in: chosenMenu(desktop), for: key)
    try await save(id, for: key)
    try options.show(key, "opened by \(id.asApplicationID)\(key.handled.excluded)")
  }

  private func host() throws -> Handled {
    let name = subject.hasPrefix("//") ? String(subject.dropFirst(2)) : subject
    guard let handled = Handled(host: name) else {
      throw ValidationError("'\(subject)' is neither a link nor a host.".printable)
    }
    return handled
  }

  private func chosenMenu(_ desktop: InstalledDesktop) throws -> ChoiceMenu {
    if let menu { return ChoiceMenu(command: menu) }
    guard let menu = ChoiceMenu(in: desktop.places, onAnyDisplay: false) else {
      throw HandlerError(ChoiceMenu.absence)
    }
    return menu
  }

  private func save(_ id: String, for key: ChoiceKey) async throws {
    try HandlerLists.change { try $0.choose(id, for: key, before: nil) }
    await HandlerCommand.putInForce()
  }

  /// If `id` is nil, the router finds the target.
  private func send(
    to id: String?,
    from origin: String?,
    _ report: OutcomeReport
  ) async throws -> CommandStatus {
    let connection: RouterConnection
    do throws(ConnectionError) {
      connection = try await RouterOptions.none.connect()
    } catch {
      await report.show(subject, error.sentence)
      return .error
    }
    var routing = RoutingOptions.none
    routing.scopeOptions.application = id?.asApplicationID
    let token = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"].lazy.compactMap { Host.variable($0) }.first
    return try await routing.send(Event(url: subject), from: origin, token: token, over: connection, report)
  }
}

private struct NoAnswer: Error, CustomStringConvertible {
  let description = "No application was chosen."
}

extension HandlerAskCommand {
  private struct Candidate {
    let id: String
    let line: String
  }

  private func candidates(for key: ChoiceKey, on desktop: InstalledDesktop) -> [Candidate] {
    let applications =
      switch key.handled {
      case .host(let host): desktop.applications(forHost: host)
      case .type(let type): desktop.applications(for: type)
      }
    return applications.filter { $0.entry.id != MadeEntry.askID }.map { application in
      let id = application.entry.id
      return Candidate(id: id, line: "\(application.entry.name) (\(id.asApplicationID))".printable)
    }
  }

  /// The choice of `--ask` that covers the link, such as `*.example.org`, else the host of a web link, else the scheme.
  private func keyOfAnswer(_ desktop: InstalledDesktop) throws -> ChoiceKey {
    let scheme = subject.prefix { $0 != ":" }.lowercased()
    let byScheme = ChoiceKey(handled: .type(DesktopEntry.type(ofScheme: scheme)))
    let asking = try HandlerLists(desktop.places).choices.filter { $0.applications[0] == MadeEntry.askID }
    let keys = asking.compactMap { choice -> (claim: HostClaim, key: ChoiceKey)? in
      guard case .host(let host) = choice.key.handled else { return nil }
      return HostClaim(host).map { ($0, choice.key) }
    }
    if let closest = HostClaim.closest(to: subject, among: keys.map(\.claim)) {
      return keys.first { $0.claim == closest }?.key ?? byScheme
    }
    if scheme == "http" || scheme == "https", !asking.contains(where: { $0.key == byScheme }) {
      return subject.urlHost.flatMap(Handled.init(host:)).map { ChoiceKey(handled: $0) } ?? byScheme
    }
    return byScheme
  }
}
