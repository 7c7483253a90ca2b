import ArgumentParser
import SceneRouting

struct HandlerListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List which application opens which links and files, and why.",
    discussion: """
      The list has your choices and all schemes that an installed application opens, also those for which nobody chose an \
      application. THEN names the applications that follow in your list; after scened, it is the application for \
      links that no window and no host claim takes.
      """
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var table: TableOptions

  @Flag(help: "Also list the types of files for which nobody chose an application.")
  var all = false

  @Argument(
    help: ArgumentHelp(
      "List only these schemes, types and hosts; see 'scenectl handler --help'.",
      valueName: "scheme|mime|host"
    ),
    completion: .handled
  )
  var handled: [String] = []

  func validate() throws {
    if router.host != nil {
      throw ValidationError("The choices are in files of this machine: list takes no --host.")
    }
    for word in handled { _ = try Handled.checked(word) }
  }

  func run() async throws {
    let desktop = InstalledDesktop(isForPeople: router.json)
    var found = try HandlerInEffect.all(on: desktop, withTypes: all)
    if !handled.isEmpty {
      let named = try handled.map(Handled.checked)
      let others = try named.filter { handled in !found.contains { $0.key == ChoiceKey(handled: handled) } }
        .compactMap { try HandlerInEffect(ChoiceKey(handled: $0), on: desktop) }
      found = (found + others).filter { named.contains($0.key.handled) }
    }
    if router.json {
      for handler in found { try Terminal.showJSON(handler.json(on: desktop)) }
      return
    }
    var rows = Table("FOR", "OPENED BY", "THEN", "BECAUSE", isWhole: table.full)
    for handler in found {
      rows.append(
        "\(handler.key)",
        desktop.name(of: handler.application),
        rows.cell(handler.next.map(desktop.name(of:))),
        handler.because
      )
    }
    try rows.show(orElse: "No application is installed or chosen for it.")
  }
}

extension HandlerInEffect {
  fileprivate func json(on desktop: InstalledDesktop) -> String {
    let made = MadeEntry.Parts(application.asApplicationID)
    return JSONLine([
      "handled": "\(key.handled)".quoted,
      "from": key.sender?.quoted,
      "application": (made?.application ?? application.asApplicationID).quoted,
      "profile": made?.profile?.quoted,
      "name": desktop.name(of: application).quoted,
      "then": next.map(\.asApplicationID).quoted,
      "thenNames": next.map(desktop.name).quoted,
      "because": because.quoted,
      "path": source?.path.quoted,
      "line": source.map { "\($0.line)" },
    ]).text
  }
}
