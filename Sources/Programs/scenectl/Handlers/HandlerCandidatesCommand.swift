import ArgumentParser
import Installed
import SceneClient

struct HandlerCandidatesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "candidates",
    abstract: "List who could open a link, for programs that ask the user.",
    discussion: """
      The open windows that show, prefer or allow the link come first, then the applications and their named profiles, \
      then actions such as a private window. The first of all is the one that scened would choose.

      With --json, the first object has 'url', 'sender', in 'windows' how many open windows want the link, of which 50 \
      are listed at most, and in 'always' what 'scenectl handler set' can choose because of the link. Each further \
      object has 'kind' (window, application, profile or action) and the words for 'scenectl open': 'scene', or \
      'application' with 'profile' or 'action'.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var table: TableOptions

  @Argument(help: ArgumentHelp("A link, or the path of a file.", valueName: "link"), completion: .file())
  var link: String

  @Option(
    help: ArgumentHelp("The event for which scened asks; $SCENED_EVENT has it.", valueName: "id"),
    completion: .events
  )
  var event: String?

  func validate() throws {
    if router.host != nil {
      throw ValidationError("The applications are those of this machine: candidates takes no --host.")
    }
  }

  func run() async throws {
    let event = try router.event(of: FileArgument(argument: link))
    let desktop = InstalledDesktop()
    let connection = try? await router.connect()
    let (openers, windows) = await Opener.all(for: event, from: self.event, on: desktop, connection)
    guard router.json else {
      var rows = Table("NAME", "TITLE", "SCENE", "APPLICATION", "BECAUSE", isWhole: table.full)
      for opener in openers {
        rows.append(
          opener.name,
          opener.title,
          opener.scene,
          opener.application,
          opener.because
        )
      }
      return try rows.show(orElse: "Nothing opens it.")
    }
    let sender = await LinkSender(of: self.event, on: desktop, connection)
    try Terminal.showJSON(
      JSONLine([
        "url": event.url?.quoted,
        "sender": sender?.json,
        "windows": "\(windows)",
        "always": "[" + keys(for: event, from: sender).map(\.json).joined(separator: ",") + "]",
      ]).text
    )
    for (index, opener) in openers.enumerated() {
      try Terminal.showJSON(opener.json(isFirst: index == 0))
    }
  }

  /// For what the user may choose an application because of this link, the narrowest first.
  private func keys(for event: Event, from sender: LinkSender?) -> [ChoiceKey] {
    guard let handled = Handled(event) else { return [] }
    var keys = [handled, handled.domain].compactMap(\.self).map { ChoiceKey(handled: $0) }
    if let application = sender?.application, let kind = Handled(kindOf: event) {
      keys.append(ChoiceKey(handled: kind, sender: application))
    }
    return keys
  }
}

/// The program that sent a link, as the router knows it.
struct LinkSender {
  /// Without `.desktop`; nil if only the program is known.
  let application: String?
  let name: String

  /// Nil if the router does not remember the event or its sender.
  init?(of event: String?, on desktop: InstalledDesktop, _ connection: RouterConnection?) async {
    guard let event, let records = try? await connection?.records(limit: 100),
      let record = records.first(where: { $0.decisionID == event })
    else { return nil }
    application = record.senderApplicationID
    let properName = application.flatMap(desktop.properName)
    guard let name = properName ?? record.nameOfSender ?? application else { return nil }
    self.name = name
  }

  fileprivate var json: String {
    JSONLine(["application": application?.quoted, "name": name.quoted]).text
  }
}

extension ChoiceKey {
  fileprivate var json: String {
    JSONLine(["handled": "\(handled)".quoted, "from": sender?.quoted]).text
  }
}

extension Handled {
  /// The host of a web link, else the type of a file, else the scheme.
  init?(_ event: Event) {
    if let host = event.url?.urlHost.flatMap(Handled.init(host:)) {
      self = host
    } else {
      self.init(kindOf: event)
    }
  }

  /// The type of a file, else the scheme; `https` stands for all web links.
  init?(kindOf event: Event) {
    guard let scheme = event.url?.urlScheme else { return nil }
    if scheme == "file", let type = event.contentType {
      self = .type(type)
    } else {
      self.init(argument: (scheme == "http" ? "https" : scheme) + ":")
    }
  }

  /// The hosts of one owner, such as `*.example.org`; nil for an address or a host without a dot.
  fileprivate var domain: Handled? {
    guard case .host(let host) = self, !excluded.isEmpty, !host.hasPrefix("*.") else { return nil }
    let parent = host.split(separator: ".").dropFirst()
    // Domains such as `co.uk` and `com.au` belong to many owners.
    let isOwned = parent.count > 2 || parent.count == 2 && parent.map(\.count).max() ?? 0 > 3
    return Handled(host: "*." + (isOwned ? parent.joined(separator: ".") : host))
  }
}

extension InstalledDesktop {
  func applications(for handled: Handled) -> [InstalledApplication] {
    switch handled {
    case .host(let host): applications(forHost: host)
    case .type(let type): applications(for: type)
    }
  }
}
