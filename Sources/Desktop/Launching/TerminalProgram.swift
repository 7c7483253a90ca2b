import DesktopEntries

struct TerminalProgram {
  /// The terminal and its own arguments.
  let words: [[UInt8]]

  /// For the option `--terminal`; nil for a missing terminal.
  init?(_ line: ExecLine, names: ExecLine.Names, in environment: LaunchEnvironment) {
    guard case .success = environment.path(ofProgram: line.program),
      case .commands(let lists) = line.expansion(opening: [], names: names), let words = lists.first
    else { return nil }
    self.words = words
  }

  /// `xdg-terminal-exec` starts the terminal that the user chose, by a draft of freedesktop.org.
  ///
  /// Debian has `x-terminal-emulator` (Debian Policy 11.8.3).
  init?(usualIn environment: LaunchEnvironment) {
    let candidates = ["xdg-terminal-exec", environment["TERMINAL"] ?? "", "x-terminal-emulator"]
    let isThere: (String) -> Bool = {
      if case .success = environment.path(ofProgram: $0) { true } else { false }
    }
    guard let program = candidates.first(where: { !$0.isEmpty && isThere($0) }) else { return nil }
    words = ([program] + Self.arguments(of: program)).map { Array($0.utf8) }
  }

  /// What a terminal needs before the program's command line.
  private static func arguments(of program: String) -> [String] {
    switch program.split(separator: "/").last {
    case "xdg-terminal-exec", "foot", "footclient": []
    case "xfce4-terminal": ["-x"]
    case "gnome-terminal": ["--"]
    case "wezterm": ["start", "--"]
    default: ["-e"]
    }
  }

  /// env(1) sets and removes the variables, because the program may inherit those of a running server of the terminal.
  func command(running command: [[UInt8]], with variables: LaunchVariables.Changes) -> [[UInt8]] {
    let changes = ["env"] + variables.unset.flatMap { ["-u", $0] } + variables.set
    return words + changes.map { Array($0.utf8) } + command
  }
}
