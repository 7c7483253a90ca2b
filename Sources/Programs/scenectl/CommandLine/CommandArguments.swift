import ArgumentParser
import Glibc
import SceneRouting

/// The arguments of the tool, which the system passes as bytes.
///
/// The argument parser takes only strings, so an argument that is not UTF-8 becomes a NUL, which no real argument
/// contains, and one scalar for each byte. Only ``FileArgument`` understands this form.
enum CommandArguments {
  private static let mark = "\u{0}"

  /// Without the name of the tool.
  static let all: [String] = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
    guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
    if let text = unsafe String(validatingCString: argument) { return text }
    let bytes = unsafe UnsafeBufferPointer(start: argument, count: strlen(argument))
    return unsafe bytes.reduce(into: mark) { $0.unicodeScalars.append(Unicode.Scalar(UInt8(bitPattern: $1))) }
  }

  static func bytes(of argument: String) -> [UInt8] {
    argument.hasPrefix(mark)
      ? argument.unicodeScalars.dropFirst().map { UInt8($0.value) } : Array(argument.utf8)
  }

  static func isUTF8(_ argument: String) -> Bool { !argument.hasPrefix(mark) }

  static func parse() async throws -> any ParsableCommand {
    if let command = plainCommand { return command }
    if all.isEmpty { throw CleanExit.message(Scenectl.overview) }
    let command: any ParsableCommand
    do {
      try CommandName.check(all)
      command = try await Scenectl.asyncParseAsRoot(withNumbersAttached(all))
    } catch {
      if Scenectl.fullMessage(for: error).contains(mark) { try requireUTF8(except: []) }
      throw error
    }
    try requireUTF8(except: (command as? any TakesFiles)?.files ?? [])
    return command
  }

  /// The frequent arguments of desktops, ssh and plugins, without the argument parser.
  ///
  /// The parser would take longer than the rest of the work, and in each adapter a megabyte of memory.
  private static var plainCommand: (any ParsableCommand)? {
    var arguments = all.dropFirst()
    if all.first == "adapter" { return AdapterCommand(ofPlugin: Array(arguments)) }
    let asHandler = all.first == "open" && arguments.first == "--as-handler"
    if asHandler { arguments = arguments.dropFirst() }
    guard !arguments.contains(where: { $0.hasPrefix("-") }) else { return nil }
    return switch all.first {
    case "open" where !arguments.isEmpty: OpenCommand(arguments.map(FileArgument.init), asHandler: asHandler)
    case "bridge" where arguments.isEmpty: BridgeCommand.plain
    case "ssh" where !arguments.isEmpty && arguments.allSatisfy(isUTF8): SSHCommand.plain(Array(arguments))
    default: nil
    }
  }

  /// Joins each negative number to the option before it: `--count=-1`.
  ///
  /// The argument parser would treat `-1` as an option.
  private static func withNumbersAttached(_ arguments: [String]) -> [String] {
    var result: [String] = []
    for (index, argument) in arguments.enumerated() {
      let isNumber = argument.hasPrefix("-") && argument.dropFirst().first?.isNumber == true
      if isNumber, let option = result.last, option.hasPrefix("-"), option != "--", !option.contains("=") {
        result[result.count - 1] = option + "=" + argument
      } else {
        result.append(argument)
      }
      // What follows are arguments of ssh.
      if argument == "--" || argument == "ssh" { return result + arguments[(index + 1)...] }
    }
    return result
  }

  private static func requireUTF8(except files: [FileArgument]) throws {
    var refused = all.filter { $0.hasPrefix(mark) }.map(FileArgument.init)
    for file in files { refused.firstIndex(of: file).map { _ = refused.remove(at: $0) } }
    guard let argument = refused.first else { return }
    throw ValidationError(
      "The argument '\(argument.text.printable)' is not UTF-8; only paths of files may contain other bytes."
    )
  }
}

protocol TakesFiles: ParsableCommand {
  var files: [FileArgument] { get }
}

/// Checks the names of commands, because the argument parser treats an unknown name as an argument.
private enum CommandName {
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

/// Ids in the router's replies have no `.desktop`.
func applicationID(_ text: String) -> String { text.asApplicationID }
