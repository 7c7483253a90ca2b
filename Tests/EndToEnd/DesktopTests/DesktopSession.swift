import Foundation
import TestSupport
import Testing

/// A user's session with its own window system and Debian's programs.
///
/// Tests install and start scened in the session. All programs of the session end with this object.
final class DesktopSession {
  private let directory: TemporaryDirectory
  private let windowSystem: WindowSystem
  /// The X server or the Wayland compositor, and the window manager.
  private var display: [SpawnedProgram] = []
  private var keyboard: SpawnedProgram?
  private var bus: MessageBus?
  private(set) var router: SpawnedProgram?
  /// The `PATH` of the router; nil if the router has the session's `PATH`.
  private var routerPath: String?
  /// The environment of the session's programs.
  private(set) var environment: [String: String]

  /// Starts the window system and the bus.
  ///
  /// - Parameters:
  ///   - windowSystem: The programs that show windows.
  ///   - services: The command lines of the services that the bus starts, by the services' names on the bus.
  ///   - places: Additional environment variables. Their values are paths, relative to the user's home.
  /// - Throws: `Overdue` if the window system or the bus does not start.
  init(
    on windowSystem: WindowSystem = .xvfb,
    services: [String: String] = [:],
    placing places: [String: String] = [:]
  ) throws {
    try TestEnvironment.run("get-desktop")
    directory = try TemporaryDirectory()
    self.windowSystem = windowSystem
    let home = directory.appending("home")
    environment = [
      "PATH": "\(home)/.local/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
      "HOME": home, "XDG_RUNTIME_DIR": directory.appending("run"),
      "XDG_DATA_HOME": "\(home)/.local/share", "XDG_DATA_DIRS": "/usr/local/share:/usr/share",
      "XDG_CONFIG_HOME": "\(home)/.config", "XDG_CONFIG_DIRS": "/etc/xdg",
      "XDG_STATE_HOME": "\(home)/.local/state", "XDG_CACHE_HOME": "\(home)/.cache",
      // Turns off what no test needs, such as accessibility and stored settings, so that fewer parts can fail.
      "NO_AT_BRIDGE": "1", "GTK_A11Y": "none", "GSETTINGS_BACKEND": "memory", "GSK_RENDERER": "cairo",
      "GIO_USE_VFS": "local", "GTK_USE_PORTAL": "0",
    ]
    environment.merge(places.mapValues { "\(home)/\($0)" }) { $1 }
    try FileManager.default.createDirectory(
      atPath: directory.appending("run"),
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    let (server, variables) = try windowSystem.startServer(in: environment)
    if let server { display.append(server) }
    environment.merge(variables) { $1 }
    let bus = try MessageBus(services: services, environment: environment)
    self.bus = bus
    environment.merge(bus.environment) { $1 }
    if let manager = try windowSystem.startManager(in: environment) { display.append(manager) }
    try write(".config/mimeapps.list", "[Default Applications]\n")
  }

  deinit {
    // SIGTERM lets a server remove its files.
    for program in display.reversed() {
      program.send(signal: SIGTERM)
      _ = try? program.waitForEnd()
    }
  }

  /// The path of `name` in the user's home.
  func path(_ name: String) -> String { directory.appending("home/\(name)") }

  /// Writes a file in the user's home, and makes the directories above the file.
  func write(_ name: String, _ text: String) throws {
    let path = path(name)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  /// Writes a script for `/bin/sh` in the user's home, and returns the script's path.
  func writeScript(_ name: String, _ lines: String) throws -> String {
    try directory.writeScript("home/\(name)", lines)
    return path(name)
  }

  /// Writes a desktop entry into the user's own directory of entries.
  func install(_ id: String, exec: String, _ lines: String...) throws {
    let text = ["[Desktop Entry]", "Type=Application", "Name=\(id)", "Exec=\(exec)"] + lines
    try write(".local/share/applications/\(id)", text.joined(separator: "\n") + "\n")
  }

  /// Installs scened as the handler of some schemes and types, and starts scened.
  func startRouter(opening handled: String...) throws {
    try installRouter(opening: handled)
    try startInstalledRouter()
  }

  /// Installs scened as the handler of some schemes and types.
  func installRouter(opening handled: [String]) throws {
    let script = PackageDirectory.appending("systemd/install")
    try run(script, "--user", "--bindir", SpawnedProgram.buildDirectory)
    try run([scenectl, "handler", "set"] + handled)
  }

  func startInstalledRouter() throws {
    let router = try SpawnedProgram(
      "/usr/bin/unshare",
      ["--pid", "--fork", "--kill-child", "--mount-proc", "/bin/sh", "-c", #"while "$0"; do :; done"#]
        + [path(".local/bin/scened")],
      environment: environment.merging(routerPath.map { ["PATH": $0] } ?? [:]) { $1 }
    )
    try router.errorLine(containing: "Ready.")
    self.router = router
  }

  /// Ends the router, and returns when the next router is ready.
  ///
  /// The programs that the router has started keep running.
  func restartRouter() throws {
    let status = try run(scenectl, "status", "--json")
    let process = try #require(status.firstMatch(of: /"processId":([0-9]+)/)).1
    try run("kill", String(process))
    try router?.errorLine(containing: "Ready.")
  }

  /// Makes Debian's `names`, `sh` and `env` the only programs in the `PATH` of a router that is started later.
  ///
  /// A router that `restartRouter()` starts has the `PATH` of the router before it.
  func hidePrograms(except names: String...) throws {
    routerPath = try makeDirectory("programs", of: names + ["sh", "env"])
  }

  /// Makes a directory of links to some programs of Debian, in the user's home; returns the directory's path.
  func makeDirectory(_ directory: String, of programs: [String]) throws -> String {
    for name in programs {
      try write("\(directory)/\(name)", "")
      try FileManager.default.removeItem(atPath: path("\(directory)/\(name)"))
      try FileManager.default.createSymbolicLink(
        atPath: path("\(directory)/\(name)"),
        withDestinationPath: "/usr/bin/\(name)"
      )
    }
    return path(directory)
  }

  /// Starts a Python program that belongs to the tests.
  func startPython(_ name: String, _ arguments: String...) throws -> SpawnedProgram {
    let script = PackageDirectory.appending("Tests/EndToEnd/DesktopTests/Python/\(name)")
    // Debian's interpreter is used because it has Debian's modules.
    let library = [
      "PYTHONPATH": PackageDirectory.appending("Sources/Clients/Python"), "PYTHONDONTWRITEBYTECODE": "1",
    ]
    return try SpawnedProgram(
      "/usr/bin/python3",
      [script] + arguments,
      environment: environment.merging(library) { $1 }
    )
  }

  static let evaluator = PackageDirectory.appending("Tests/EndToEnd/DesktopTests/Python/evaluate.py")

  /// Returns the value of an expression in the editor that listens at a socket in the user's home.
  func evaluate(_ expression: String, at socket: String) throws -> String {
    try run("timeout", "60", "/usr/bin/python3", Self.evaluator, path(socket), expression)
  }

  var scenectl: String { path(".local/bin/scenectl") }

  func start(_ command: String...) throws -> SpawnedProgram {
    try SpawnedProgram("/usr/bin/env", command, environment: environment)
  }

  /// Runs a program in the session; returns the output of the program, which must succeed.
  @discardableResult
  func run(_ command: String...) throws -> String { try run(command) }

  /// Runs a program in the session; returns the output of the program, which must succeed.
  @discardableResult
  func run(_ command: [String]) throws -> String {
    let (ending, output, error) = try SpawnedProgram.run("/usr/bin/env", command, environment: environment)
    guard ending == .exit(0) else { throw Overdue("\(command) ended with \(ending): \(output)\(error)") }
    return output
  }

  /// Opens a scene; returns the scene's process when the scene is open.
  func openScene(of application: String, _ options: String...) throws -> SpawnedProgram {
    let scene = try SpawnedProgram(
      "/usr/bin/env",
      [scenectl, "scene", "--json", "--application", application] + options,
      environment: environment
    )
    try scene.outputLine(containing: "opened")
    return scene
  }

  /// Installs Debian's browser as the user's default, and returns the server that stands for all sites.
  ///
  /// The server prints `GET URL/shown?PAGE` when a browser shows a page. The server prints `GET URL/focused?PAGE` when
  /// the page gets the focus. Both requests come from the page's script, which only a browser runs.
  func installBrowser(hasWindows: Bool = false) throws -> SpawnedProgram {
    let web = try startPython("web.py", path(""))
    let port = try web.outputLine(containing: "")
    let mode =
      hasWindows
      ? "--ozone-platform=\(windowSystem.isWayland ? "wayland" : "x11") --disable-gpu --password-store=basic"
      : "--headless=new"
    // This entry replaces Debian's entry for Chromium. Chromium runs as root only without its sandbox. Chromium's proxy
    // is the server that stands for all sites.
    try install(
      "chromium.desktop",
      exec: """
        /usr/bin/chromium \(mode) --no-sandbox --disable-dev-shm-usage --disable-background-networking \
        --no-first-run --ignore-certificate-errors --user-data-dir=\(path("profile")) \
        --proxy-server=127.0.0.1:\(port) %U
        """,
      "MimeType=text/html;x-scheme-handler/http;x-scheme-handler/https;"
    )
    try run("xdg-settings", "set", "default-web-browser", "chromium.desktop")
    return web
  }

  /// Returns the command line of the program that owns a name on the bus.
  func command(ofOwner name: String) throws -> [String] {
    let reply = try run(
      ["gdbus", "call", "--session", "--dest=org.freedesktop.DBus", "--object-path=/org/freedesktop/DBus"]
        + ["--method=org.freedesktop.DBus.GetConnectionUnixProcessID", name]
    )
    // The reply has the form "(uint32 4711,)".
    let process = reply.split(separator: " ").last?.prefix { $0.isNumber } ?? ""
    return try String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8).split(separator: "\0").map(
      String.init
    )
  }

  /// The titles of all windows.
  var windows: [String] {
    get throws {
      try run("xwininfo", "-root", "-tree").split(separator: "\n").compactMap { line in
        line.split(separator: "\"", omittingEmptySubsequences: false).dropFirst().first.map(String.init)
      }
    }
  }

  /// Takes a picture of the X server's screen, as soon as most of the screen has a colour such as "33cc66".
  ///
  /// If the variable `SCENED_TEST_PICTURES` names a directory, the picture is kept there.
  func takePicture(_ name: String, of colour: String) throws {
    let directory = ProcessInfo.processInfo.environment["SCENED_TEST_PICTURES"] ?? path("pictures")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let script = PackageDirectory.appending("Tests/EndToEnd/DesktopTests/Python/picture.py")
    let screen = self.directory.appending("run/Xvfb_screen0")
    try run("/usr/bin/python3", script, screen, "\(directory)/\(name).png", colour)
  }

  /// Waits for a window whose title contains a text.
  func waitForWindow(_ title: String, by deadline: Deadline = Deadline()) throws {
    try deadline.wait("There is no window '\(title)' but \(windows); \(router?.errorText ?? "")") {
      try windows.contains { $0.contains(title) }
    }
  }
}

// MARK: - The focus

extension DesktopSession {
  /// The title of the window that has the focus, as reported by the window system; nil if no window has the focus.
  ///
  /// Under Wayland, mutter does not report which window has the focus.
  var focusedWindow: String? {
    get throws {
      guard windowSystem == .sway else {
        let found = try SpawnedProgram.run(
          "/usr/bin/xdotool",
          ["getactivewindow", "getwindowname"],
          environment: environment
        )
        return found.output.split(separator: "\n").first.map(String.init)
      }
      let tree = try JSONSerialization.jsonObject(with: Data(run("swaymsg", "--raw", "-t", "get_tree").utf8))
      func focused(_ node: [String: Any]) -> [String: Any]? {
        if node["focused"] as? Bool == true { return node }
        let nodes = ["nodes", "floating_nodes"].flatMap { node[$0] as? [[String: Any]] ?? [] }
        return nodes.lazy.compactMap(focused).first
      }
      return (tree as? [String: Any]).flatMap(focused)?["name"] as? String
    }
  }

  /// Waits until the window with a title has the focus.
  func waitForFocus(_ title: String, by deadline: Deadline = Deadline()) throws {
    try deadline.wait("'\(title)' does not have the focus, but \(focusedWindow ?? "no window")") {
      try focusedWindow == title
    }
  }

  /// Plugs a keyboard into a Wayland compositor.
  ///
  /// Without a keyboard, no window gets the focus, and the compositor grants no activation token.
  func plugInKeyboard() throws {
    guard windowSystem.isWayland else { return }
    let keyboard = try startPython("keyboard.py", windowSystem.isOfGNOME ? "mutter" : "wayland")
    try keyboard.outputLine(containing: "ready")
    self.keyboard = keyboard
  }

  /// Presses the Shift key of the keyboard that is plugged into GNOME Shell, or releases it.
  func toggleShift() throws {
    let keyboard = try #require(keyboard)
    keyboard.send(signal: SIGHUP)
    try keyboard.outputLine(containing: "Shift")
  }

  /// Presses the space bar, which goes to the window that has the focus.
  func pressKey() throws {
    if let keyboard { keyboard.send(signal: SIGUSR1) } else { try run("xdotool", "key", "space") }
  }
}

extension String {
  /// What `scenectl open` prints; a window goes by its title, if it has one.
  var isTakenByANewWindow: Bool { contains(#/taken by the new (window ".+"|scene \S+)/#) }
}
