import DesktopEntries
import Logging
import SceneServer

struct Options {
  struct UsageError: Error, CustomStringConvertible {
    let description: String
  }

  enum Action {
    case serve
    case showHelp
    case showVersion
  }

  static let help = """
    usage: scened [--socket PATH] [--system] [--terminal COMMAND] [--history off|short|full] [--log-level LEVEL]
                  [--version] [--help]

    Routes URL and user-activity events to the open scenes (windows) of local programs.

    Listens on the socket that systemd passes; else at PATH; else at $SCENED_SOCKET; else at
    $XDG_RUNTIME_DIR/scened/io.scened.Router, with --system at /run/scened/io.scened.Router.

      --socket PATH      listen at PATH
      --system           serve all users whom the mode of the socket lets in, not only one user
      --terminal COMMAND run programs that need a terminal with COMMAND, followed by their command line, as in
                         'xterm -e'; by default with xdg-terminal-exec, else $TERMINAL, else x-terminal-emulator
      --history DETAIL   how much the history of the last 10,000 events and the log show: short (the default) leaves
                         out users, queries and fragments of URLs; full shows whole URLs; off shows no URLs, and
                         keeps no history
      --log-level LEVEL  debug, info (a line for each event), notice (the default), warning or error
      --version          print the version
      --help             print this

    """

  var action = Action.serve
  var socket: String?
  var isSystem = false
  var terminal: ExecLine?
  var history = HistoryDetail.short
  var logLevel = Logger.Level.notice

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let (name, attached) = Self.split(argument)
      switch name {
      case "--socket": socket = try Self.value(of: name, attached, &rest)
      case "--terminal": terminal = try Self.terminal(Self.value(of: name, attached, &rest))
      case "--history":
        let detail = try Self.value(of: name, attached, &rest)
        guard let known = HistoryDetail(rawValue: detail) else {
          throw UsageError(description: "--history has no value '\(detail)'; see scened --help.")
        }
        history = known
      case "--log-level":
        let level = try Self.value(of: name, attached, &rest)
        guard let known = Logger.Level(rawValue: level) else {
          throw UsageError(description: "--log-level has no value '\(level)'; see scened --help.")
        }
        logLevel = known
      case "--system" where attached == nil: isSystem = true
      case "--version" where attached == nil: action = .showVersion
      case "--help" where attached == nil: action = .showHelp
      default: throw UsageError(description: "There is no option '\(argument)'; see scened --help.")
      }
    }
  }

  /// A command line with the quoting of desktop entries.
  private static func terminal(_ text: String) throws(UsageError) -> ExecLine {
    do throws(ExecError) {
      return try ExecLine(parsing: text)
    } catch {
      throw UsageError(description: "The value of --terminal is not a command line: \(error)")
    }
  }

  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("--"), let sign = argument.firstIndex(of: "=") else { return (argument, nil) }
    return (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
  }

  private static func value(
    of name: String,
    _ attached: String?,
    _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
      throw UsageError(description: "\(name) needs a value.")
    }
    return value
  }
}
