import Foundation
import RouterInterface
import TestSupport
import Varlink

/// Directories for the desktop entries and settings of one test, and a daemon that reads these directories.
final class DesktopDaemon {
  private let directory: TemporaryDirectory
  let socket: String
  private(set) var program: SpawnedProgram?
  /// The test's stand-in for the service manager, to which the daemon reports its state.
  private let manager: NotifySocket

  init() throws {
    directory = try TemporaryDirectory()
    manager = try NotifySocket()
    socket = directory.appending("router")
  }

  func path(_ name: String) -> String { directory.appending(name) }

  /// Creates a file in a directory that only this user can change.
  func write(_ name: String, _ text: String, mode: Int = 0o644) throws {
    let path = path(name)
    let readable: [FileAttributeKey: Any] = [.posixPermissions: 0o755]
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true,
      attributes: readable
    )
    // The write is atomic, because the daemon may read at any time. Otherwise the daemon could find an entry that is
    // still empty. An empty entry hides other entries with the same id.
    try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  /// Creates a symbolic link, and the directories above it.
  func link(_ name: String, to target: String) throws {
    let path = path(name)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true
    )
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  /// Creates a script for `/bin/sh`, and returns the script's path.
  func writeScript(_ name: String, _ lines: String) throws -> String {
    try directory.writeScript(name, lines)
    return path(name)
  }

  /// Creates a desktop entry in the user's directory of applications.
  func install(_ name: String, exec: String = "app %u", mode: Int = 0o644, _ lines: String...) throws {
    let lines = ["[Desktop Entry]", "Type=Application", "Name=\(name)", "Exec=\(exec)"] + lines
    let text = lines.joined(separator: "\n") + "\n"
    try write("home/.local/share/applications/\(name).desktop", text, mode: mode)
  }

  /// The environment variables that name the home and the other directories of this desktop.
  var environment: [String: String] {
    [
      "HOME": path("home"), "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "",
      "XDG_DATA_DIRS": path("share"),
    ]
  }

  /// Starts the daemon on this desktop, and returns when the daemon is ready.
  ///
  /// The words of `command` come before the daemon's command line.
  func start(
    _ arguments: [String] = [],
    under command: [String] = [],
    with variables: [String: String] = [:]
  ) throws {
    let line = command + ["\(SpawnedProgram.buildDirectory)/scened", "--socket", socket] + arguments
    let program = try SpawnedProgram(
      line[0],
      Array(line.dropFirst()),
      environment: environment.merging(["NOTIFY_SOCKET": manager.path]) { own, _ in own }
        .merging(variables) { $1 }
    )
    self.program = program
    try waitForManager("READY=1")
  }

  /// Waits until the daemon has sent an assignment, such as `READY=1`, to its service manager.
  func waitForManager(_ assignment: String) throws { try manager.message(with: assignment) }

  /// Waits until the daemon would send a URL to an application, or to no application if `application` is nil.
  func wait(for application: String?, toGet url: String, contentType: String? = nil) throws {
    try Deadline().wait("'\(url)' does not go to \(application ?? "nobody").") {
      try explain(url, contentType: contentType).applicationID == application
    }
  }

  /// Calls `send`, and returns when the daemon has decided so many events.
  func waitForDecisions(_ count: Int, of send: () throws -> Void) throws {
    let monitor = try connect()
    try monitor.send(Wire.MonitorCall(showDecisions: true), .more)
    // The snapshot comes first; from then on, no decision is missed.
    _ = try monitor.reply(to: Wire.MonitorCall.self)
    try send()
    var decided = 0
    while decided < count {
      if case .decision = try monitor.reply(to: Wire.MonitorCall.self) { decided += 1 }
    }
  }

  func reload() throws -> Reload { try connect().call(Wire.ReloadCall()) }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  func move(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
  }

  func connect() throws -> WireClient { try WireClient(path: socket) }

  var applications: [ApplicationDescription] {
    get throws { try connect().call(Wire.ListApplicationsCall()).applications }
  }

  /// Returns the decision about an event.
  func explain(_ url: String, contentType: String? = nil, named application: String? = nil) throws
    -> RouteDecision
  {
    let event = Event(.url(url), contentType: contentType)
    return try connect().call(Wire.ExplainEventCall(event: event, applicationID: application)).decision
  }
}
