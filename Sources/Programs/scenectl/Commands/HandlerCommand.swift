import ArgumentParser

/// `scenectl handler`.
struct HandlerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handler",
    abstract: "Choose which application opens links and files: scened itself, or another.",
    discussion: """
      The choices are for your user only. They are in mimeapps.list and, for hosts, in intentapps.list; every other \
      line of these files stays as it is. If scened is the default, all programs open links through it, and links that \
      no scene and no host claim takes go to the default before scened.

      SCHEME is the scheme of URLs: https, or org.example.app: with a colon if it has a dot. MIME is the type of files: \
      image/png. HOST is a host of web links, with or without the beginning of a path: meet.example.org, \
      *.example.org, forge.example.org/team, or //localhost if it has no dot.
      """,
    subcommands: [
      HandlerSetCommand.self, HandlerUnsetCommand.self, HandlerListCommand.self, HandlerAskCommand.self,
    ]
  )
}

/// The options of every command, all of which are refused by the commands that change files.
struct FileCommandOptions: ParsableArguments {
  @OptionGroup(visibility: .hidden) var router: RouterOptions

  func validate() throws {
    if !router.areUnset {
      throw ValidationError("This command changes files: it takes no --socket, --system, --host or --json.")
    }
  }
}

/// `scenectl handler set`.
struct HandlerSetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Choose the application that opens links and files from now on.",
    usage: "scenectl handler set <scheme|mime|host> ... [<application>]",
    discussion: """
      Without an application, the command chooses scened (scened-open.desktop) and remembers the default until now. \
      The applications chosen before stay in the list, after the new application.
      """
  )

  @OptionGroup var options: FileCommandOptions

  @Argument(
    help: ArgumentHelp(
      "Schemes, types and hosts, see 'scenectl handler --help', and last the application's desktop id with '.desktop'.",
      valueName: "scheme|mime|host|application"
    ),
    completion: .handled
  )
  var words: [String]

  func validate() throws { _ = try choice() }

  func run() throws {
    let (handled, application) = try choice()
    var lists = try HandlerLists()
    try lists.choose(application, for: handled)
    for handled in handled { try Terminal.show("\(handled): opened by \(application)".printable) }
  }

  /// Returns the schemes, types and hosts, and the application: the last word if it is a desktop id, else scened.
  private func choice() throws -> (handled: [Handled], application: String) {
    var words = words
    let named = words.last?.hasSuffix(".desktop") == true ? words.popLast() : nil
    guard !words.isEmpty else {
      throw ValidationError("Give a scheme, a MIME type or a host that '\(named ?? "")' opens.")
    }
    return (try words.map(Handled.checked), named ?? HandlerLists.ownID)
  }
}

/// `scenectl handler unset`.
struct HandlerUnsetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset",
    abstract: "Undo a choice, so that the choice before it counts again.",
    discussion: "Without arguments, the command undoes every choice of scened."
  )

  @OptionGroup var options: FileCommandOptions

  @Argument(
    help: ArgumentHelp(
      "The schemes, types and hosts; see 'scenectl handler --help'.",
      valueName: "scheme|mime|host"
    ),
    completion: .handled
  )
  var handled: [String] = []

  func validate() throws { _ = try handled.map(Handled.checked) }

  func run() throws {
    var lists = try HandlerLists()
    var handled = try handled.map(Handled.checked)
    if handled.isEmpty {
      handled = try lists.removeOwnChoices()
    } else {
      try lists.removeChoices(for: handled)
    }
    let choices = lists.choices
    for handled in handled {
      let next = choices.first { $0.handled == handled }?.applications.first
      try Terminal.show(
        "\(handled): \(next.map { "opened by \($0)" } ?? "no application is chosen")".printable
      )
    }
  }
}

/// `scenectl handler list`.
struct HandlerListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List which applications are chosen for links and files."
  )

  @OptionGroup var router: RouterOptions
  @OptionGroup var table: TableOptions

  func validate() throws {
    if router.host != nil {
      throw ValidationError("The choices are in files of this machine: list takes no --host.")
    }
  }

  func run() throws {
    let choices = try HandlerLists().choices
    if router.json {
      for choice in choices { try Terminal.showJSON(choice.json) }
      return
    }
    var rows = Table("FOR", "APPLICATION", "THEN", "DEFAULT BEFORE", isWhole: table.full)
    for choice in choices {
      rows.append(
        "\(choice.handled)",
        choice.applications[0],
        rows.cell(Array(choice.applications.dropFirst())),
        choice.replaced
      )
    }
    try rows.show(orElse: "No application is chosen.")
  }
}

extension HandlerLists.Choice {
  fileprivate var json: String {
    JSONLine([
      "handled": "\(handled)".quoted,
      "applications": "[" + applications.map(\.quoted).joined(separator: ",") + "]",
      "replaced": replaced?.quoted,
    ]).text
  }
}

extension Handled {
  /// Reads an argument; throws a validation error if it is no scheme, MIME type or host.
  static func checked(_ argument: String) throws(ValidationError) -> Handled {
    guard let handled = Handled(argument: argument) else {
      throw ValidationError("'\(argument.printable)' is not a scheme, MIME type or host.")
    }
    return handled
  }
}
