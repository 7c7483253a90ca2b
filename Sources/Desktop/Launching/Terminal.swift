import DesktopEntries

/// A terminal that runs a program in a window of its own.
struct Terminal {
  /// The terminal and its own arguments, after which the program's command line follows.
  let words: [[UInt8]]

  /// The terminal of the option `--terminal`.
  ///
  /// It is nil if the terminal does not exist.
  init?(_ line: ExecLine, names: ExecLine.Names, in environment: LaunchEnvironment) {
    guard case .success = environment.path(ofProgram: line.program),
      case .commands(let lists) = line.expansion(opening: [], names: names), let words = lists.first
    else { return nil }
    self.words = words
  }

  /// The usual terminal of an environment: `xdg-terminal-exec`, else `$TERMINAL`, else `x-terminal-emulator`.
  ///
  /// The first is the draft of freedesktop.org for the user's choice, and the last is Debian's (Debian Policy 11.8.3). It
  /// is nil if none of the three exists.
  init?(usualIn environment: LaunchEnvironment) {
    let candidates = ["xdg-terminal-exec", environment["TERMINAL"] ?? "", "x-terminal-emulator"]
    let isThere: (String) -> Bool = {
      if case .success = environment.path(ofProgram: $0) { true } else { false }
    }
    guard let program = candidates.first(where: { !$0.isEmpty && isThere($0) }) else { return nil }
    words = ([program] + Self.arguments(of: program)).map { Array($0.utf8) }
  }

  /// Returns the arguments of a terminal after which the words of a command line follow, each as an argument.
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
  /// The variables are words of env(1), because a terminal that is a client of a running server starts programs in the
  /// server's environment. That environment can hold the variables that scened set for an earlier start, so env(1) also
  /// removes each of them that this start does not set.
  func command(running command: [[UInt8]], with variables: LaunchVariables.Changes) -> [[UInt8]] {
    let changes = ["env"] + variables.unset.flatMap { ["-u", $0] } + variables.set
    return words + changes.map { Array($0.utf8) } + command
  }
}
