import ArgumentParser
import Glibc

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

  /// - Throws: the argument parser's errors, or a validation error for bytes that are not UTF-8 and belong to no path.
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
    if all.first == "adapter" { return AdapterCommand(ofPlugin: Array(all.dropFirst())) }
    var arguments = all.dropFirst()
    let asHandler = all.first == "open" && arguments.first == "--as-handler"
    if asHandler { arguments = arguments.dropFirst() }
    guard !arguments.contains(where: { $0.hasPrefix("-") }) else { return nil }
    return switch all.first {
    case "open" where !arguments.isEmpty: OpenCommand(arguments.map(FileArgument.init), asHandler: asHandler)
    case "bridge" where arguments.isEmpty: BridgeCommand.plain
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
      if argument == "--" { return result + arguments[(index + 1)...] }
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
