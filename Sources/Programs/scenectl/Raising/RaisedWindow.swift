import Glibc

/// A window to bring to the front, for a program that cannot raise the window itself.
struct RaisedWindow: Sendable, Equatable {
  /// A text in the title, to choose among several windows of a process.
  var title: String?
  /// xdg-activation-v1.
  var activationToken: String?
  /// The process of the window, or one that was started in it; by default the parent of scenectl.
  var processID: CInt?

  enum Result: Sendable, Equatable {
    case raised(String)
    case failed(String)

    var isRaised: Bool { if case .raised = self { true } else { false } }

    var sentence: String {
      switch self {
      case .raised(let sentence), .failed(let sentence): sentence
      }
    }
  }

  /// Takes the first way that works.
  ///
  /// 1. A window of the process itself: a program started in a terminal may have its own, while its environment leads
  ///    to the terminal's.
  /// 2. The terminal in which the process runs, after its multiplexer has shown the pane: it knows its windows best.
  /// 3. The compositor or the window manager, which finds the terminal's window through an ancestor of the process.
  func raise() async -> Result {
    let process = processID ?? getppid()
    var terminal = processID.flatMap(ProcessEnvironment.init(ofProcess:)) ?? .own
    var commands = RaisingCommands(activationToken: activationToken, environment: .own)
    for way in desktopWays(commands, [process]) {
      if case .success(let sentence) = await way() { return .raised(sentence + ".") }
    }
    var start = process
    var done: [String] = []
    commands.environment = terminal
    if let pane = terminal["TMUX_PANE"], terminal["TMUX"] != nil {
      switch await commands.showPane(ofTmux: pane) {
      case .success(let client):
        done.append("tmux shows the pane \(pane)")
        // The tmux client runs in the terminal. The pane has the environment of tmux's server, which may have been
        // started in another one.
        terminal = client.flatMap(ProcessEnvironment.init(ofProcess:)) ?? .empty
        start = client ?? start
      case .failure(let error): return .failed("The pane \(pane) cannot be shown: \(error.description).")
      }
    }
    commands.environment = terminal
    if let pane = terminal["WEZTERM_PANE"] {
      switch await commands.output("wezterm", "cli", "activate-pane", "--pane-id", pane) {
      case .success: done.append("wezterm shows the pane \(pane)")
      case .failure(let error): return .failed("The pane \(pane) cannot be shown: \(error.description).")
      }
    }
    var failures: [String] = []
    let ways = terminalWays(commands) + desktopWays(commands, ProcessAncestry(of: start).processIDs)
    for way in ways {
      switch await way() {
      case .success(let sentence): return .raised((done + [sentence]).joined(separator: ", ") + ".")
      case .failure(let error): failures.append(error.description)
      }
    }
    if let obstacle = obstacle(commands) { failures.append(obstacle) }
    let reasons = failures.joined(separator: "; ")
    if done.isEmpty { return .failed("The window cannot be raised: \(reasons).") }
    return .raised(done.joined(separator: ", ") + ", but the window cannot be raised: \(reasons).")
  }

  private typealias Way = () async -> Swift.Result<String, RaisingError>

  /// By the number that the terminal puts into an environment variable.
  private func terminalWays(_ commands: RaisingCommands) -> [Way] {
    var ways: [Way] = []
    let environment = commands.environment
    let x11Window = commands.hasX11 ? environment["WINDOWID"] : nil
    if let socket = environment["KITTY_LISTEN_ON"], let window = environment["KITTY_WINDOW_ID"] {
      ways.append {
        let focused = await commands.focus(kittyWindow: window, at: socket)
        // kitty can only ask for the focus, which a window manager may refuse.
        guard case .success(let sentence) = focused, let x11Window,
          case .success(let other) = await commands.activate(x11Window: x11Window)
        else { return focused }
        return .success("\(sentence), \(other)")
      }
    }
    if let x11Window { ways.append { await commands.activate(x11Window: x11Window) } }
    return ways
  }

  /// By the process that owns the window.
  private func desktopWays(_ commands: RaisingCommands, _ processes: [CInt]) -> [Way] {
    var ways: [Way] = []
    if commands.hasSway { ways.append { await commands.focusInSway(processes, title: title) } }
    if commands.hasHyprland { ways.append { await commands.focusInHyprland(processes) } }
    if commands.hasGNOMEOnWayland { ways.append { await commands.raiseInGNOME(processes, title: title) } }
    if commands.hasWayland, activationToken != nil,
      let call = processes.first.flatMap(RaisingCommands.silentCall(ofFirefox:))
    {
      ways.append { await commands.giveToken(by: call) }
    }
    if commands.hasX11 { ways.append { await commands.activateInX11(processes, title: title) } }
    return ways
  }

  /// Nil if the desktop has a way.
  private func obstacle(_ commands: RaisingCommands) -> String? {
    if commands.hasSway || commands.hasHyprland || commands.hasGNOMEOnWayland { return nil }
    if commands.hasWayland {
      return "on this Wayland desktop only the program itself can raise its window, with an activation token"
    }
    return commands.hasX11 ? nil : "there is no desktop: neither WAYLAND_DISPLAY nor DISPLAY is set"
  }
}
