import ArgumentParser

/// `scenectl handler`.
struct HandlerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handler",
    abstract: "Choose which application opens links and files: scened itself, or another.",
    discussion: """
      The choices are yours alone, in mimeapps.list and, for hosts, intentapps.list; every other line of these files \
      stays as it is. With scened as the default, links come to it from everywhere, and those that no scene and no \
      host claim takes go to what was the default before.

      SCHEME is the scheme of URLs (https, or org.example.app: with a colon if it has a dot), MIME the type of files \
      (image/png), HOST a host of web links, with or without the beginning of a path (meet.example.org, \
      *.example.org, forge.example.org/team, or //localhost if it has no dot).
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
      throw ValidationError("This changes files: it takes no --socket, --system, --host or --json.")
    }
  }
}

/// `scenectl handler set`.
struct HandlerSetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Choose an application, which opens links and files from now on.",
    usage: "scenectl handler set <scheme|mime|host> ... [<application>]",
    discussion: """
      Without an application it is scened (scened-open.desktop), and what was the default until now is remembered. \
      The applications chosen before stay in the list, after the new one.
      """
  )

  @OptionGroup var options: FileCommandOptions

  @Argument(
    help: ArgumentHelp(
      "What it opens, see 'scenectl handler --help', and last the application's desktop id, which ends in '.desktop'.",
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
      throw ValidationError("What '\(named ?? "")' is to open is missing: a scheme, a MIME type or a host.")
    }
    return (try words.map(Handled.checked), named ?? HandlerLists.ownID)
  }
}

/// `scenectl handler unset`.
struct HandlerUnsetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset",
    abstract: "Take a choice back, so that what was there before it counts again.",
    discussion: "Without arguments, everything that scened was chosen for."
  )

  @OptionGroup var options: FileCommandOptions

  @Argument(
    help: ArgumentHelp("What was chosen for, see 'scenectl handler --help'.", valueName: "scheme|mime|host"),
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
      throw ValidationError("'\(argument.printable)' is no scheme, MIME type or host.")
    }
    return handled
  }
}
