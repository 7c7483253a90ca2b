import ArgumentParser
import SceneRouting

struct HandlerUnsetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset",
    abstract: "Undo a choice, so that the choice before it counts again.",
    discussion: """
      Without arguments, the command undoes every choice of scened and of --ask; choices of other applications \
      and of profiles stay until they are named. With --from alone, it undoes every choice for the links of that \
      application. The command removes the additions of 'scenectl handler set' from the files, and nothing else: a \
      file that was not changed since is the same as before, and missing if it was missing before. With --all, it \
      undoes every choice, as before a removal of scened.
      """
  )

  @OptionGroup var options: FileCommandOptions

  @Argument(
    help: ArgumentHelp(
      "The schemes, types and hosts; see 'scenectl handler --help'.",
      valueName: "scheme|mime|host"
    ),
    completion: .chosen
  )
  var handled: [String] = []

  @OptionGroup var sender: SenderOption

  @Flag(help: "Undo every choice that 'scenectl handler set' and the answers of the user have made.")
  var all = false

  func validate() throws {
    if all, !handled.isEmpty || sender.from != nil {
      throw ValidationError("--all undoes every choice: it takes no other argument and no --from.")
    }
    for word in handled {
      if case .host = try Handled.checked(word), sender.from != nil {
        throw ValidationError("--from is for schemes and MIME types: '\(word)' is a host.".printable)
      }
    }
  }

  func run() async throws {
    let from = sender.from?.asApplicationID
    let named = try handled.map { ChoiceKey(handled: try Handled.checked($0), sender: from) }
    let keys = try HandlerLists.change { lists in
      if !named.isEmpty {
        try lists.removeChoices(for: named)
        return named
      }
      if all { return lists.removeAllChoices() }
      return from.map { lists.removeChoices(from: $0) } ?? lists.removeOwnChoices()
    }
    if !keys.isEmpty { await HandlerCommand.putInForce() }
    let desktop = InstalledDesktop(isForPeople: options.router.json)
    for key in keys {
      try options.show(key, HandlerInEffect.sentence(for: key, on: desktop))
    }
    if all, keys.isEmpty, !options.router.json { try Terminal.show("No choice was left.") }
  }
}
