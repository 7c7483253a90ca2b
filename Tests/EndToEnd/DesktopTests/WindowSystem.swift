import Foundation
import TestSupport

/// The programs that show the windows of a session.
///
/// None of these programs needs a screen.
enum WindowSystem: Sendable {
  /// An X server without a window manager.
  case xvfb
  /// An X server with a window manager that usually gives the focus to a window that asks for it.
  case openbox
  /// An X server with a window manager that can deny the focus to a window that asks for it.
  case mutterOnX11
  /// A Wayland compositor.
  case sway
  /// A Wayland compositor that needs a session bus.
  case mutter
  /// GNOME Shell, with the extensions in `Sources/Adapters/gnome`, which are not turned on.
  case gnome

  var isWayland: Bool { self == .sway || isOfGNOME }
  /// Whether mutter is the compositor.
  var isOfGNOME: Bool { self == .mutter || self == .gnome }

  /// The name of the socket of a Wayland compositor.
  private static let socket = "wayland-1"

  /// Starts the server, unless the window manager is the server.
  ///
  /// - Parameter environment: The environment of the session, with `XDG_RUNTIME_DIR`.
  /// - Returns: The started server, if any, and the variables that lead programs to the server.
  /// - Throws: `Overdue` if the server does not start.
  func startServer(in environment: [String: String]) throws -> (SpawnedProgram?, [String: String]) {
    let directory = environment["XDG_RUNTIME_DIR"] ?? ""
    switch self {
    case .xvfb, .openbox, .mutterOnX11:
      // Without `-noreset` the server would reset itself after its last client, and refuse clients meanwhile.
      let server = try SpawnedProgram(
        "/usr/bin/Xvfb",
        ["-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0", "1024x768x24"]
          + ["-fbdir", directory]
      )
      return (server, ["DISPLAY": ":\(try server.outputLine(containing: ""))", "GDK_BACKEND": "x11"])
    case .sway:
      let variables = [
        "WAYLAND_DISPLAY": Self.socket, "SWAYSOCK": "\(directory)/sway", "GDK_BACKEND": "wayland",
      ]
      let settings = "\(directory)/sway.conf"
      // By default, a window that asks for the focus does not get the focus. sway only marks the window as urgent.
      try "xwayland disable\nfocus_on_window_activation smart\nexec echo ready\n"
        .write(toFile: settings, atomically: false, encoding: .utf8)
      let server = try SpawnedProgram(
        "/usr/bin/unshare",
        // sway 1.7 refuses to run as root.
        ["--user", "--map-user=1000", "--map-group=1000", "sway", "--config", settings],
        environment: environment.merging(variables) { $1 }.merging(
          ["WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman"]
        ) { $1 }.filter { $0.key != "WAYLAND_DISPLAY" }
      )
      try server.outputLine(containing: "ready")
      return (server, variables)
    case .mutter:
      return (nil, ["WAYLAND_DISPLAY": Self.socket, "GDK_BACKEND": "wayland"])
    case .gnome:
      // The settings are in a file, through which gnome-extensions tells the shell what is on.
      return (
        nil,
        [
          "WAYLAND_DISPLAY": Self.socket, "GDK_BACKEND": "wayland", "XDG_CURRENT_DESKTOP": "GNOME",
          "GSETTINGS_BACKEND": "keyfile",
        ]
      )
    }
  }

  /// Starts the window manager, and returns when the manager is ready; nil if there is no separate window manager.
  func startManager(in environment: [String: String]) throws -> SpawnedProgram? {
    let command: [String]
    switch self {
    case .xvfb, .sway: return nil
    case .openbox: command = ["openbox", "--startup", "echo ready"]
    case .mutterOnX11: command = ["mutter", "--x11", "--", "sh", "-c", "echo ready; exec sleep 3600"]
    case .mutter:
      command =
        ["mutter", "--headless", "--virtual-monitor", "1024x768", "--no-x11"]
        + ["--wayland-display", Self.socket, "--", "sh", "-c", "echo ready; exec sleep 3600"]
    case .gnome:
      // GNOME Shell 43 runs JavaScript in its child before the child becomes ibus-daemon. If another thread holds a lock
      // of JavaScript at this moment, the shell hangs for ever.
      for _ in 1...2 {
        if let shell = try? Self.startGNOMEShell(in: environment) { return shell }
      }
      return try Self.startGNOMEShell(in: environment)
    }
    let manager = try SpawnedProgram("/usr/bin/env", command, environment: environment)
    try manager.outputLine(containing: "ready")
    return manager
  }

  private static func startGNOMEShell(in environment: [String: String]) throws -> SpawnedProgram {
    let adapter = PackageDirectory.appending("Sources/Adapters/gnome")
    // GNOME Shell looks for the login manager on the bus of the system, and starts without one.
    let script = """
      export DBUS_SYSTEM_BUS_ADDRESS=$DBUS_SESSION_BUS_ADDRESS
      for extension in raise raise-44; do
        directory=$XDG_DATA_HOME/gnome-shell/extensions/$extension@scened.io
        mkdir -p "$directory"
        cp "$0/windows.js" "$0/$extension@scened.io/"* "$directory"
      done
      exec gnome-shell --headless --virtual-monitor 1024x768 --no-x11 --wayland-display "$1" 2>&1
      """
    let shell = try SpawnedProgram(
      "/bin/sh",
      ["-c", script, adapter, socket],
      environment: environment
    )
    do {
      try shell.outputLine(containing: "GNOME Shell started", by: Deadline(in: .seconds(100)))
    } catch {
      // A child that hangs would keep the shell's name on the bus, and its socket, from the next shell.
      _ = try SpawnedProgram.run("/usr/bin/pkill", ["--signal", "KILL", "--parent", "\(shell.processID)"])
      throw error
    }
    // In the overview, with which the shell starts, no window has the focus.
    let property = [
      "org.gnome.Shell", "/org/gnome/Shell", "org.gnome.Shell", "OverviewActive", "b", "false",
    ]
    let left = try SpawnedProgram.run(
      "/usr/bin/busctl",
      ["--user", "set-property"] + property,
      environment: environment
    )
    guard left.ending == .exit(0) else { throw Overdue("The overview stays: \(left.error)") }
    return shell
  }
}
