import Glibc
import SystemPackage

/// A window that is to come to the front, for a program that cannot do it itself.
struct RaisedWindow: Sendable, Equatable {
  /// A text that the title of the window contains, to choose among several windows of a process.
  var title: String?
  /// The token that allows the window to come to the front (xdg-activation-v1).
  var activationToken: String?
  /// The process of the window, or a process that was started in it; nil for the parent of this process.
  var processID: CInt?

  /// What became of an attempt.
  enum Result: Sendable, Equatable {
    case raised(String)
    case failed(String)

    var isRaised: Bool { if case .raised = self { true } else { false } }

    /// What was done, or why nothing could be done.
    var sentence: String {
      switch self {
      case .raised(let sentence), .failed(let sentence): sentence
      }
    }
  }

  /// Brings the window to the front by the first way that works.
  ///
  /// A multiplexer first shows the pane; the window is then the one of the terminal that shows the multiplexer. After it
  /// the terminal is asked, which knows its windows best, and then the compositor or the window manager.
  func raise() async -> Result {
    let commands = RaisingCommands(activationToken: activationToken)
    var start = processID ?? getppid()
    var done: [String] = []
    if let pane = Host.variable("TMUX_PANE"), Host.variable("TMUX") != nil {
      switch await commands.showPane(ofTmux: pane) {
      case .success(let client):
        done.append("tmux shows the pane \(pane)")
        start = client ?? start
      case .failure(let error): return .failed("The pane \(pane) cannot be shown: \(error.description)")
      }
    }
    if let pane = Host.variable("WEZTERM_PANE") {
      switch await commands.output("wezterm", "cli", "activate-pane", "--pane-id", pane) {
      case .success: done.append("wezterm shows the pane \(pane)")
      case .failure(let error): return .failed("The pane \(pane) cannot be shown: \(error.description)")
      }
    }
    var failures: [String] = []
    for way in ways(of: commands, from: ProcessAncestry(of: start).processIDs) {
      switch await way() {
      case .success(let sentence): return .raised((done + [sentence]).joined(separator: ", ") + ".")
      case .failure(let error): failures.append(error.description)
      }
    }
    if failures.isEmpty {
      let isWayland = Host.variable("WAYLAND_DISPLAY") != nil
      failures.append(
        isWayland
          ? "on this Wayland desktop only the program itself can raise its window, with an activation token"
          : "there is no desktop: neither WAYLAND_DISPLAY nor DISPLAY is set"
      )
    }
    let reasons = failures.joined(separator: "; ")
    if done.isEmpty { return .failed("The window cannot be raised: \(reasons).") }
    return .raised(done.joined(separator: ", ") + ", but the window cannot be raised: \(reasons).")
  }

  private typealias Way = () async -> Swift.Result<String, RaisingError>

  private func ways(of commands: RaisingCommands, from processes: [CInt]) -> [Way] {
    var ways: [Way] = []
    if let socket = Host.variable("KITTY_LISTEN_ON"), let window = Host.variable("KITTY_WINDOW_ID") {
      ways.append { await commands.focus(kittyWindow: window, at: socket) }
    }
    if Host.variable("SWAYSOCK") != nil {
      ways.append { await commands.focusInSway(processes, title: title) }
    }
    if Host.variable("HYPRLAND_INSTANCE_SIGNATURE") != nil {
      ways.append { await commands.focusInHyprland(processes) }
    }
    if Host.variable("DISPLAY") != nil {
      if let id = Host.variable("WINDOWID") { ways.append { await commands.activate(x11Window: id) } }
      ways.append { await commands.activateInX11(processes, title: title) }
    }
    return ways
  }
}

/// The processes from one process up to the first process of the session.
struct ProcessAncestry {
  /// The process itself, its parent, and so on; not process 1.
  let processIDs: [CInt]

  /// The most processes: a loop is impossible, but processes may change while they are read.
  private static let most = 64

  init(of process: CInt) {
    var ids: [CInt] = []
    var next = process
    while next > 1, ids.count < Self.most {
      ids.append(next)
      next = Self.parent(of: next) ?? 0
    }
    processIDs = ids
  }

  /// Returns the parent of a process (proc(5), `/proc/PID/stat`); nil if the process has ended.
  private static func parent(of process: CInt) -> CInt? {
    guard let bytes = Host.contents(of: FilePath("/proc/\(process)/stat")) else { return nil }
    // The name of the program is in parentheses, and may contain any character.
    guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[end...].split(separator: UInt8(ascii: " "))
    return fields.count > 2 ? CInt(String(decoding: fields[2], as: UTF8.self)) : nil
  }
}
