import ArgumentParser
import Glibc

/// The arguments of the tool, which the system passes as bytes.
///
/// The argument parser takes only strings. An argument that is not UTF-8 gets another form: a NUL, and then one scalar
/// for each byte. No real argument contains a NUL. Only ``FileArgument`` understands this form.
enum CommandArguments {
  private static let mark = "\u{0}"

  /// All arguments after the name of the tool.
  static let all: [String] = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
    guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
    if let text = unsafe String(validatingCString: argument) { return text }
    let bytes = unsafe UnsafeBufferPointer(start: argument, count: strlen(argument))
    return unsafe bytes.reduce(into: mark) { $0.unicodeScalars.append(Unicode.Scalar(UInt8(bitPattern: $1))) }
  }

  /// Returns the bytes that the system passed for an argument; ``mark`` begins an argument that is not UTF-8.
  static func bytes(of argument: String) -> [UInt8] {
    argument.hasPrefix(mark)
      ? argument.unicodeScalars.dropFirst().map { UInt8($0.value) } : Array(argument.utf8)
  }

  /// Returns whether an argument is UTF-8; ``mark`` begins every other argument.
  static func isUTF8(_ argument: String) -> Bool { !argument.hasPrefix(mark) }

  /// Parses the arguments.
  ///
  /// Paths of files may contain any bytes. All other arguments must be UTF-8.
  ///
  /// - Throws: the argument parser's errors, or a validation error for bytes that are not UTF-8.
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

  /// The command, if the arguments are simple enough to be read without the argument parser; otherwise nil.
  ///
  /// These arguments are `open` and `bridge` without options, `open --as-handler`, and `adapter` with the options that
  /// plugins give. The argument parser would take longer than the rest of the work. In each adapter, it would also take
  /// a megabyte of memory.
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

  /// Returns the arguments, with each negative number joined to the option before it: `--count=-1`.
  ///
  /// Otherwise the argument parser would treat `-1` as an option, and report that `--count` has no value.
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

/// A command with files among its arguments.
protocol TakesFiles: ParsableCommand {
  var files: [FileArgument] { get }
}
