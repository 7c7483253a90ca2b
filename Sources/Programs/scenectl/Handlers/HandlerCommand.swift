import ArgumentParser
import DesktopEntries
import SceneClient

struct HandlerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handler",
    abstract: "Choose which application opens links and files: scened itself, or another.",
    discussion: """
      The choices are for your user only. They are in mimeapps.list; choices for hosts are in intentapps.list, and \
      choices for the links of one program in scened/choices. Every other line of these files stays as it is. If scened \
      is the default, all programs open links through it, and links that no window and no host claim takes go to the \
      default before scened.

      SCHEME is the scheme of URLs: https, or org.example.app: with a colon if it has a dot. MIME is the type of files: \
      image/png. HOST is a host of web links, with or without the beginning of a path: meet.example.org, \
      *.example.org, forge.example.org/team, or //localhost if it has no dot.

      With --json, set, unset and ask print an object with 'handled', 'from' and 'sentence' for each choice, and every \
      command prints an error as an object with 'error'.
      """,
    subcommands: [
      HandlerSetCommand.self, HandlerUnsetCommand.self, HandlerListCommand.self, HandlerProfilesCommand.self,
      HandlerAskCommand.self, HandlerCandidatesCommand.self,
    ]
  )

  /// Also those of the argument parser, which has read no options then.
  static var printsErrorsAsJSON: Bool {
    let words = CommandArguments.all.prefix { $0 != "--" }
    return words.contains("--json") && words.first { !$0.hasPrefix("-") } == configuration.commandName
  }

  /// Returns when a running router uses the changed choices.
  static func putInForce() async {
    do throws(RouterError) {
      _ = try await RouterOptions.none.connection(timeout: Seconds.forReading.duration).reload()
    } catch {
      if error.code == .nobodyListens || error.code == .noSocketPath { return }
      Terminal.showError("The choice is saved, but scened may not use it yet. \(error.sentence)".printable)
    }
  }
}

/// A command that changes files asks no router: most of these options are declared to be refused with an error that
/// says why.
struct FileCommandOptions: ParsableArguments {
  @OptionGroup(visibility: .hidden) var router: RouterOptions

  func validate() throws {
    if !router.areOfOwnRouter {
      throw ValidationError("This command changes files: it takes no --socket, --system or --host.")
    }
  }

  func show(_ key: ChoiceKey, _ state: String) throws(OutputError) {
    let sentence = "\(key): \(state)"
    guard router.json else { return try Terminal.show(sentence.printable) }
    try Terminal.showJSON(
      JSONLine([
        "handled": "\(key.handled)".quoted, "from": key.sender?.quoted, "sentence": sentence.quoted,
      ]).text
    )
  }
}

extension Handled {
  static func checked(_ argument: String) throws(ValidationError) -> Handled {
    if let handled = Handled(argument: argument) { return handled }
    let start = argument.firstRange(of: "//")?.upperBound
    let link = argument[(start ?? argument.startIndex)...].prefix { $0 != "?" && $0 != "#" }
    let host = link.prefix { $0 != "/" }
    var hint = ""
    if let colon = host.lastIndex(of: ":"), host[colon...].dropFirst().allSatisfy(\.isNumber),
      let handled = Handled(host: String(host[..<colon] + link[host.endIndex...]))
    {
      hint = " A port is not part of a host: write '\(handled)' for the links of all its ports."
    } else if start != nil, let handled = Handled(host: String(link)) {
      hint = " Write '\(handled)' for the links of this host and path."
    }
    throw ValidationError("'\(argument)' is not a scheme, MIME type or host.\(hint)".printable)
  }
}

struct SenderOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only for links that this application opens: its desktop id, with or without '.desktop'.",
      valueName: "application"
    ),
    completion: .installedApplications
  )
  var from: String?
}
