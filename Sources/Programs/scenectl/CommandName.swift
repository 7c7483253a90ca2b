import ArgumentParser

/// Checks the names of commands, because the argument parser treats an unknown name as an argument.
enum CommandName {
  static func check(_ arguments: [String]) throws(ValidationError) {
    var words = arguments[...]
    var path = ["scenectl"]
    var command: any ParsableCommand.Type = Scenectl.self
    while let word = words.popFirst() {
      switch word {
      case "--socket", "--host", "--generate-completion-script": _ = words.popFirst()
      case "--": return
      case "help" where path.count == 1: continue
      // `CommandArguments` reports arguments that are not UTF-8.
      case _ where word.hasPrefix("-") || !CommandArguments.isUTF8(word): break
      default:
        let commands = command.configuration.subcommands
        guard let next = commands.first(where: { $0.configuration.commandName == word }) else {
          throw ValidationError(sentence(about: word, in: path, commands))
        }
        (command, path) = (next, path + [word])
        // Further words are arguments of the command.
        if next.configuration.subcommands.isEmpty { return }
      }
    }
  }

  private static func sentence(
    about word: String,
    in path: [String],
    _ commands: [any ParsableCommand.Type]
  ) -> String {
    let command = path.joined(separator: " ")
    let unknown = "'\(word.printable.shortened)' is no command of \(command)."
    if path.count == 1, FileArgument(argument: word).isURL {
      return unknown + " To open it: \(command) open \(word.printable.shortened)"
    }
    let similar = word.similar(among: commands.compactMap { $0.configuration.commandName })
    return unknown + (similar.isEmpty ? " See '\(command) --help'." : similar.question)
  }
}
