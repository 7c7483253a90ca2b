import DesktopEntries

/// A terminal that runs a program in a window of its own.
struct Terminal {
  /// The words before the program's command line: the terminal and the terminal's own arguments.
  let words: [[UInt8]]

  /// Makes the terminal that the option `--terminal` names; nil for a missing terminal.
  init?(_ line: ExecLine, names: ExecLine.Names, in environment: LaunchEnvironment) {
    guard case .success = environment.path(ofProgram: line.program),
      case .commands(let lists) = line.expansion(opening: [], names: names), let words = lists.first
    else { return nil }
    self.words = words
  }

  /// Makes the usual terminal of an environment: `xdg-terminal-exec`, else `$TERMINAL`, else `x-terminal-emulator`.
  ///
  /// `xdg-terminal-exec` starts the terminal that the user chose; its specification is a draft of freedesktop.org.
  /// Debian has `x-terminal-emulator` (Debian Policy 11.8.3). The result is nil if none of the three exists.
  init?(usualIn environment: LaunchEnvironment) {
    let candidates = ["xdg-terminal-exec", environment["TERMINAL"] ?? "", "x-terminal-emulator"]
    let isThere: (String) -> Bool = {
      if case .success = environment.path(ofProgram: $0) { true } else { false }
    }
    guard let program = candidates.first(where: { !$0.isEmpty && isThere($0) }) else { return nil }
    words = ([program] + Self.arguments(of: program)).map { Array($0.utf8) }
  }

  /// Returns the arguments that a terminal needs before the program's command line.
  private static func arguments(of program: String) -> [String] {
    switch program.split(separator: "/").last {
    case "xdg-terminal-exec", "foot", "footclient": []
    case "xfce4-terminal": ["-x"]
    case "gnome-terminal": ["--"]
    case "wezterm": ["start", "--"]
    default: ["-e"]
    }
  }

  /// Returns the command line that runs another command line in the terminal.
  ///
  /// The terminal runs env(1), which sets the variables and then runs `command`. Some terminals only ask a running
  /// server to start the program. The server's environment can hold variables of an earlier start. So env(1) also
  /// removes the variables in `unset`.
  func command(running command: [[UInt8]], with variables: LaunchVariables.Changes) -> [[UInt8]] {
    let changes = ["env"] + variables.unset.flatMap { ["-u", $0] } + variables.set
    return words + changes.map { Array($0.utf8) } + command
  }
}
