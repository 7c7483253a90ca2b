import Glibc
import Installed
import Subprocess
import SystemPackage

/// Why a way to raise a window did not work, as a part of a sentence.
struct RaisingError: Error, CustomStringConvertible {
  let description: String
}

/// The commands that bring windows of terminals, compositors and X11 to the front.
///
/// The tests run them with tmux 3.3, kitty 0.26, sway 1.7 and X11. Those for wezterm and Hyprland follow the manuals
/// and were never run, because Debian 12 lacks these programs.
struct RaisingCommands: Sendable {
  /// Commands answer within half a second, unless the machine is very busy.
  private static let timeout = Duration.seconds(5)

  let activationToken: String?
  /// Looked up before that of this process.
  var environment: ProcessEnvironment

  /// With these, commands find the desktop, a multiplexer and a terminal.
  private static let places = [
    "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "SWAYSOCK", "HYPRLAND_INSTANCE_SIGNATURE", "DISPLAY", "XAUTHORITY",
    "TMUX", "WEZTERM_UNIX_SOCKET", "DBUS_SESSION_BUS_ADDRESS",
  ]

  private func place(_ name: String) -> String? { environment[name] ?? Host.variable(name) }

  var hasSway: Bool { place("SWAYSOCK") != nil }
  var hasHyprland: Bool { place("HYPRLAND_INSTANCE_SIGNATURE") != nil }
  var hasWayland: Bool { place("WAYLAND_DISPLAY") != nil }
  /// Under X11, GNOME lets every program raise a window.
  var hasGNOMEOnWayland: Bool {
    hasWayland && place("XDG_CURRENT_DESKTOP")?.split(separator: ":").contains("GNOME") == true
  }
  var hasX11: Bool { place("DISPLAY") != nil }

  typealias Outcome = Result<String, RaisingError>

  /// `name` is a name or a path.
  func output(_ name: String, _ arguments: String...) async -> Outcome { await output(name, arguments) }

  private func output(_ name: String, _ arguments: [String]) async -> Outcome {
    await IdleCode.release()
    return await withTaskGroup(of: Outcome?.self) { outcomes in
      outcomes.addTask { await run(name, arguments) }
      outcomes.addTask {
        try? await Task.sleep(for: Self.timeout)
        return nil
      }
      defer { outcomes.cancelAll() }
      if let outcome = await outcomes.next(), let outcome { return outcome }
      return .failure(RaisingError(description: "'\(name)' does not answer"))
    }
  }

  private func run(_ name: String, _ arguments: [String]) async -> Outcome {
    var changes: [Environment.Key: String?] = [:]
    for name in Self.places { if let value = place(name) { changes[.init(stringLiteral: name)] = value } }
    if let activationToken {
      changes["XDG_ACTIVATION_TOKEN"] = activationToken
      changes["DESKTOP_STARTUP_ID"] = activationToken
    }
    var options = PlatformOptions()
    options.teardownSequence = [.send(signal: .kill, toProcessGroup: false, allowedDurationToNextStep: .zero)]
    do {
      let result = try await Subprocess.run(
        name.hasPrefix("/") ? .path(FilePath(name)) : .name(name),
        arguments: Arguments(arguments),
        environment: .inherit.updating(changes),
        platformOptions: options,
        input: .none,
        output: .string(limit: 1 << 20),
        error: .string(limit: 4096)
      )
      let output = result.standardOutput
      if case .exited(0) = result.terminationStatus { return .success(output) }
      let words = result.standardError.split(whereSeparator: \.isNewline).first ?? output.prefix(200)
      return .failure(RaisingError(description: "'\(name)' failed" + (words.isEmpty ? "" : ": \(words)")))
    } catch {
      return .failure(RaisingError(description: "'\(name)' is not installed"))
    }
  }
}

// MARK: - Terminals

extension RaisingCommands {
  /// Returns the process of the client that shows the pane, in whose terminal tmux runs; nil if tmux has no client.
  func showPane(ofTmux pane: String) async -> Result<CInt?, RaisingError> {
    let shown = await output("tmux", "display-message", "-p", "-t", pane, "#{session_id}")
    guard case .success(let session) = shown else { return shown.map { _ in nil } }
    let id = String(session.prefix { !$0.isNewline })
    for command in [["select-window", "-t", pane], ["select-pane", "-t", pane]] {
      if case .failure(let error) = await output("tmux", command) { return .failure(error) }
    }
    let format = "#{client_control_mode} #{client_activity} #{client_pid} #{session_id} #{client_name}"
    let listed = await output("tmux", "list-clients", "-F", format)
    guard case .success(let lines) = listed else { return .success(nil) }
    // Clients in control mode run in no terminal.
    let clients = lines.split(separator: "\n").compactMap { line in
      line.hasPrefix("0 ") ? line.dropFirst(2).split(separator: " ", maxSplits: 3) : nil
    }.filter { $0.count == 4 }
    // A client that shows the session is preferred; else the one that was last active switches to it.
    let last = clients.max { (Int($0[0]) ?? 0) < (Int($1[0]) ?? 0) }
    guard let client = clients.first(where: { $0[2] == id }) ?? last else { return .success(nil) }
    if client[2] != id {
      let name = String(client[3])
      if case .failure(let error) = await output("tmux", "switch-client", "-c", name, "-t", pane) {
        return .failure(error)
      }
    }
    return .success(CInt(client[1]))
  }

  /// kitty has to allow remote control over a socket.
  func focus(kittyWindow window: String, at socket: String) async -> Outcome {
    await output("kitty", "@", "--to", socket, "focus-window", "--match", "id:\(window)")
      .map { _ in "kitty has focused the window \(window)" }
  }
}

// MARK: - Compositors

extension RaisingCommands {
  /// Focuses a window of the first process that has one, preferably with `title`, even if a later process has it.
  ///
  /// For a process without a window, swaymsg fails.
  func focusInSway(_ processes: [CInt], title: String?) async -> Outcome {
    let titled = title.map { " title=\"\($0.literalPattern)\"" }
    // The empty criterion finds every window of a process.
    for criterion in [titled, ""].compactMap(\.self) {
      for process in processes {
        switch await output("swaymsg", "[pid=\(process)\(criterion)] focus") {
        case .success: return .success("sway has focused the window of process \(process)")
        case .failure(let error) where error.description.contains("No matching node"): break
        case .failure(let error): return .failure(error)
        }
      }
    }
    return .failure(RaisingError(description: "sway knows no window of these processes"))
  }

  /// Focuses a window of the first process that has one; the output of hyprctl then begins with `ok`.
  func focusInHyprland(_ processes: [CInt]) async -> Outcome {
    for process in processes {
      switch await output("hyprctl", "dispatch", "focuswindow", "pid:\(process)") {
      case .success(let answer) where answer.hasPrefix("ok"):
        return .success("Hyprland has focused the window of process \(process)")
      case .success: break
      case .failure(let error): return .failure(error)
      }
    }
    return .failure(RaisingError(description: "Hyprland knows no window of these processes"))
  }
}

// MARK: - GNOME Shell

extension RaisingCommands {
  /// Raises a window of the first process that has one, preferably with `title`, by the extension in
  /// `Sources/Adapters/gnome`.
  func raiseInGNOME(_ processes: [CInt], title: String?) async -> Outcome {
    let called = await callGNOME(
      ["Raise", "aus", String(processes.count)] + processes.map(String.init) + [title ?? ""]
    )
    switch called {
    case .success("u 0\n"):
      return .failure(RaisingError(description: "GNOME Shell knows no window of these processes"))
    case .success(let reply):
      return .success(
        "GNOME Shell has raised the window of process \(reply.dropFirst(2).prefix { $0.isNumber })"
      )
    case .failure(let error) where error.description.contains("/io/scened/Windows"):
      let advice = "GNOME raises it only with the extension of the package scened-gnome, which is not on"
      return .failure(RaisingError(description: advice))
    case .failure: return called
    }
  }

  /// As in X.h; 0 if the extension is not on.
  func keysHeldInGNOME() async -> UInt32 {
    guard case .success(let reply) = await callGNOME(["HeldKeys"]) else { return 0 }
    return UInt32(reply.dropFirst(2).prefix { $0.isNumber }) ?? 0
  }

  private func callGNOME(_ call: [String]) async -> Outcome {
    let object = ["org.gnome.Shell", "/io/scened/Windows", "io.scened.Windows"]
    return await output("busctl", ["--user", "--auto-start=no", "--", "call"] + object + call)
  }
}

// MARK: - Firefox

extension RaisingCommands {
  /// Hands a token to a running Firefox and opens nothing; nil if the process is no Firefox.
  ///
  /// A new Firefox finds the running one by the profile, so it gets the same option.
  static func silentCall(ofFirefox process: CInt) -> [String]? {
    guard let program = Host.canonicalPath(FilePath("/proc/\(process)/exe")),
      program.lastComponent?.string.hasPrefix("firefox") == true,
      case .file(let bytes, _) = FileContents.read("/proc/\(process)/cmdline")
    else { return nil }
    let words = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    let option = words.firstIndex { ["-P", "-profile", "--profile"].contains($0) }
    return [program.string] + (option.map { words[$0...].prefix(2) } ?? []) + ["--silent"]
  }

  /// Firefox uses the token for the next window that scened's extension, which cannot take it itself, raises.
  func giveToken(by call: [String]) async -> Outcome {
    await output(call[0], Array(call.dropFirst())).map { _ in
      "Firefox has the token for its extension, which can raise the window"
    }
  }
}

// MARK: - X11

extension RaisingCommands {
  func activate(x11Window id: String) async -> Outcome {
    var outcome = await output("xdotool", "windowactivate", "--sync", id)
    if case .failure = outcome, let number = UInt64(id) {
      outcome = await output("wmctrl", "-i", "-a", "0x" + String(number, radix: 16))
    }
    return outcome.map { _ in "the window \(id) is active" }
  }

  /// Activates a window of the first process that has one, preferably with `title`.
  func activateInX11(_ processes: [CInt], title: String?) async -> Outcome {
    let listed = await output("wmctrl", "-l", "-p")
    guard case .success(let lines) = listed else { return await activateByXdotool(processes, title: title) }
    // Of each line: WINDOW DESKTOP PROCESS HOST TITLE.
    let windows = lines.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 4) }.filter {
      $0.count >= 4
    }
    for process in processes {
      let own = windows.filter { CInt($0[2]) == process }
      let window =
        own.first { window in title.map { window.count > 4 && window[4].contains($0) } ?? true } ?? own.first
      if let window {
        return await output("wmctrl", "-i", "-a", String(window[0]))
          .map { _ in "the window of process \(process) is active" }
      }
    }
    return .failure(RaisingError(description: "X11 knows no window of these processes"))
  }

  private func activateByXdotool(_ processes: [CInt], title: String?) async -> Outcome {
    for process in processes {
      let names = title.map { ["--all", "--name", $0.literalPattern] } ?? []
      for criterion in names.isEmpty ? [names] : [names, []] {
        let found = await output(
          "xdotool",
          ["search", "--onlyvisible", "--pid", String(process)] + criterion
        )
        switch found {
        case .success(let ids):
          guard let id = ids.split(separator: "\n").first else { break }
          return await output("xdotool", "windowactivate", "--sync", String(id))
            .map { _ in "the window of process \(process) is active" }
        case .failure(let error) where error.description.contains("not installed"):
          return .failure(RaisingError(description: "neither 'wmctrl' nor 'xdotool' is installed"))
        case .failure: break
        }
      }
    }
    return .failure(RaisingError(description: "X11 knows no window of these processes"))
  }
}

extension String {
  fileprivate var literalPattern: String {
    reduce(into: "") { pattern, character in
      if "\\^$.|?*+()[]{}\"".contains(character) { pattern += "\\" }
      pattern.append(character)
    }
  }
}

/// The environment with which a process was started.
struct ProcessEnvironment: Sendable {
  private let variables: [String: String]

  static let own = ProcessEnvironment(ofProcess: getpid()) ?? .empty
  static let empty = ProcessEnvironment(variables: [:])

  /// Nil if it is unset or empty.
  subscript(name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

  private init(variables: [String: String]) { self.variables = variables }

  /// proc(5), `/proc/PID/environ`; nil if it is unreadable.
  init?(ofProcess process: CInt) {
    guard case .file(let bytes, _) = FileContents.read("/proc/\(process)/environ") else { return nil }
    var variables: [String: String] = [:]
    for entry in bytes.split(separator: 0) {
      guard let end = entry.firstIndex(of: UInt8(ascii: "=")) else { continue }
      variables[String(decoding: entry[..<end], as: UTF8.self)] =
        String(decoding: entry[entry.index(after: end)...], as: UTF8.self)
    }
    self.variables = variables
  }
}
