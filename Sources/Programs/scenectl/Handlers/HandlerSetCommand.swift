import ArgumentParser
import DesktopEntries
import Installed
import SceneRouting

struct HandlerSetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Choose the application that opens links and files from now on.",
    usage: """
      scenectl handler set <scheme|mime> ...
      scenectl handler set <scheme|mime|host> ... <application> [--profile <name>]
      scenectl handler set <scheme|mime> ... <application> --from <application>
      scenectl handler set <scheme|host> ... --ask [--menu <command>]
      """,
    discussion: """
      Without an application, the command chooses scened and remembers the default until now. The applications chosen \
      before stay in the list, after the new application. When the command ends, a running scened uses the choice.

      With --profile, the links open in a profile of Firefox or Chromium; 'scenectl handler profiles' lists the \
      profiles. With --ask, the window of scened-desktop asks for each link what opens it, only now or always; without \
      scened-desktop or a display, a menu asks.
      """
  )

  @OptionGroup var options: FileCommandOptions

  @Argument(
    help: ArgumentHelp(
      """
      Schemes, types and hosts, see 'scenectl handler --help', and last the application's desktop id, with or without \
      '.desktop'.
      """,
      valueName: "scheme|mime|host|application"
    ),
    completion: .handled
  )
  var words: [String]

  @Option(
    help: ArgumentHelp("Open the links in this profile of the browser.", valueName: "name"),
    completion: .profiles
  )
  var profile: String?

  @OptionGroup var sender: SenderOption

  @Flag(help: "Ask the user when a link comes.")
  var ask = false

  @Option(
    help: ArgumentHelp(
      "Ask with this menu program, given with its arguments and separated by spaces.",
      valueName: "command"
    )
  )
  var menu: String?

  @Flag(help: "Also take schemes that no installed application opens, and senders that are not installed.")
  var any = false

  func validate() throws {
    if words.count == 1, words[0].hasSuffix(".desktop") {
      throw ValidationError("Give a scheme, a MIME type or a host that '\(words[0])' opens.".printable)
    }
    for word in words.dropLast() { _ = try Handled.checked(word) }
    if menu != nil, !ask { throw ValidationError("--menu belongs to --ask.") }
    if menu?.split(separator: " ").isEmpty == true {
      throw ValidationError("The command of --menu is empty.")
    }
    if ask, profile != nil {
      throw ValidationError(
        "--ask and --profile exclude each other, because the user chooses when a link comes."
      )
    }
  }

  func run() async throws {
    let desktop = InstalledDesktop(isForPeople: options.router.json)
    var words = words
    let application = try application(in: &words, on: desktop)
    let keys = try words.map { try key($0, on: desktop) }
    let entry = try entry(of: application, on: desktop)
    let id = entry?.id ?? application ?? HandlerLists.ownID
    try require(id, for: keys, on: desktop)
    try HandlerLists.change { lists in
      for key in keys {
        let before: String? =
          if case .type(let type) = key.handled { desktop.defaultApplication(for: type) } else { nil }
        try lists.choose(id, for: key, before: before)
      }
      try entry?.save(in: desktop.places)
    }
    await HandlerCommand.putInForce()
    for key in keys {
      let inEffect = id == HandlerLists.ownID ? try HandlerInEffect(key, on: desktop) : nil
      let name = inEffect?.opener(on: desktop) ?? entry?.name ?? desktop.name(of: id)
      let opener = ask ? "you are asked for each link" : "opened by \(name)"
      try options.show(key, "\(opener)\(key.handled.excluded)")
    }
  }
}

extension HandlerSetCommand {
  /// Removes the last word and returns its desktop id, if it names an application.
  private func application(in words: inout [String], on desktop: InstalledDesktop) throws -> String? {
    guard let last = words.last else { return nil }
    if let id = desktop.id(named: last) {
      let isScheme = DesktopEntry.type(ofScheme: last.lowercased())
      if desktop.types.contains(isScheme), !last.hasSuffix(".desktop") {
        throw HandlerError(
          "'\(last)' is an application and a scheme; write '\(last).desktop' or '\(last):'.".printable
        )
      }
      if ask { throw HandlerError("--ask takes no application: the user chooses among all of them.") }
      words.removeLast()
      guard !words.isEmpty else {
        throw HandlerError("Give a scheme, a MIME type or a host that '\(last)' opens.".printable)
      }
      return id
    }
    if last.hasSuffix(".desktop") {
      throw HandlerError(
        "The application '\(last)' is not installed.\(desktop.idsLike(last).question)".printable
      )
    }
    return nil
  }

  private func key(_ word: String, on desktop: InstalledDesktop) throws -> ChoiceKey {
    let handled = try Handled.checked(word)
    try requireNoApplication(word, handled, on: desktop)
    var key = ChoiceKey(handled: handled)
    if let from = sender.from {
      guard case .type = handled else {
        throw HandlerError(
          "--from is for schemes and MIME types: '\(word)' is a host, and its choice counts for all programs."
            .printable
        )
      }
      guard any || desktop.id(named: from) != nil else {
        throw HandlerError(
          "The application '\(from)' is not installed.\(desktop.idsLike(from).question) With --any it is taken."
            .printable
        )
      }
      key.sender = from.asApplicationID
    }
    guard !any, case .type(let type) = handled, let scheme = DesktopEntry.scheme(ofType: type),
      !desktop.types.contains(type)
    else { return key }
    let isWeb = scheme == "http" || scheme == "https"
    if isWeb {
      Terminal.showError(
        "No installed application opens '\(scheme)'; only windows that ask for a link get it."
      )
      return key
    }
    let meant = desktop.idsLike(word) + desktop.schemesLike(scheme)
    throw HandlerError(
      "'\(word)' is neither an installed application nor a scheme that one opens.\(meant.question) With --any it is taken."
        .printable
    )
  }

  /// The application's name would be used as a host or a scheme.
  ///
  /// A word is accepted if it also names a scheme or a type that an installed application opens.
  private func requireNoApplication(
    _ word: String,
    _ handled: Handled,
    on desktop: InstalledDesktop
  ) throws {
    // No host ends in '.desktop', which is no top-level domain.
    let isEntry = word.hasSuffix(".desktop") && !word.contains("/")
    guard isEntry || desktop.id(named: word) != nil else { return }
    var other = ""
    if !isEntry {
      switch handled {
      case .type(let type) where desktop.types.contains(type): return
      case .type: break
      case .host: other = " The host of this name is '//\(word)'."
      }
    }
    throw HandlerError("'\(word)' is an application; name only one, as the last word.\(other)".printable)
  }

  /// Nil without `--ask` and `--profile`.
  private func entry(of application: String?, on desktop: InstalledDesktop) throws -> MadeEntry? {
    if ask {
      let isThere = desktop.places.hasService(UserBus.nameOfDesktop)
      guard menu != nil || isThere || ChoiceMenu(in: desktop.places, onAnyDisplay: true) != nil else {
        throw HandlerError(ChoiceMenu.absence)
      }
      return .asking(menu: menu)
    }
    guard let profile else { return nil }
    guard let application else { throw HandlerError("--profile needs the browser as the last word.") }
    return try desktop.entry(ofProfile: profile, of: application)
  }

  private func require(_ id: String, for keys: [ChoiceKey], on desktop: InstalledDesktop) throws {
    guard id == HandlerLists.ownID else {
      if !MadeEntry.isMade(id), !desktop.isUsable(id) {
        throw HandlerError("'\(id.asApplicationID)' opens neither links nor files.".printable)
      }
      return
    }
    for key in keys {
      if case .type = key.handled, key.sender == nil { continue }
      let names = words.joined(separator: " ")
      let meant = words.count > 1 ? desktop.idsLike(words.last ?? "").question : ""
      throw HandlerError(
        "Name the installed application that opens '\(key)', last: 'scenectl handler set \(names) APPLICATION'.\(meant)"
          .printable
      )
    }
    guard desktop.isUsable(id) else {
      throw HandlerError("'\(id)' is not installed; 'systemd/install' installs it.")
    }
  }
}
