import ArgumentParser
import SceneClient

struct HandlerAskCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ask",
    abstract: "Ask the user what opens a link, or the links of a host.",
    discussion: """
      For a link, the window of scened-desktop asks. Without scened-desktop or a display, and with --menu, a menu asks: \
      it offers each application, and a last line leads to a second menu, whose answer counts always for the host or \
      scheme. The link opens where the user chose. 'scenectl handler set HOST --ask' makes scened start this command \
      for the links of a host. For a host, a menu asks, the answer is saved and nothing opens.

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
      "Ask with this menu program, given with its arguments and separated by spaces.",
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
    let event = RouterOptions.none.event(ofLink: subject)
    throw try await LinkQuestion(event, menu: menu, isOffered: offer).ask()
  }

  private func chooseForHost() async throws {
    let key = ChoiceKey(handled: try host())
    let desktop = InstalledDesktop()
    let lines = ApplicationMenu.lines(for: key, on: desktop)
    guard !lines.isEmpty else {
      throw HandlerError("No installed application opens the links of '\(key)'.".printable)
    }
    let applications = try ApplicationMenu(lines, for: key, command: menu, in: desktop.places)
    let id = try await applications.answerForAlways()
    try await HandlerLists.save(id, for: key)
    try options.show(key, "opened by \(id.asApplicationID)\(key.handled.excluded)")
  }

  private func host() throws -> Handled {
    let name = subject.hasPrefix("//") ? String(subject.dropFirst(2)) : subject
    guard let handled = Handled(host: name) else {
      throw ValidationError("'\(subject)' is neither a link nor a host.".printable)
    }
    return handled
  }
}
