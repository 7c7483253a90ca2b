import Foundation
import RouterInterface
import TestSupport
import Varlink

/// A desktop of a test's own, and the daemon that reads it.
final class DesktopDaemon {
  private let directory: TemporaryDirectory
  let socket: String
  private(set) var program: SpawnedProgram?

  init() throws {
    directory = try TemporaryDirectory()
    socket = directory.appending("router")
  }

  func path(_ name: String) -> String { directory.appending(name) }

  /// Makes a file in a directory that nobody but this user can change.
  func write(_ name: String, _ text: String, mode: Int = 0o644) throws {
    let path = path(name)
    let readable: [FileAttributeKey: Any] = [.posixPermissions: 0o755]
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true,
      attributes: readable
    )
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  /// Makes an entry in the home directory of data.
  func install(_ name: String, exec: String = "app %u", mode: Int = 0o644, _ lines: String...) throws {
    let lines = ["[Desktop Entry]", "Type=Application", "Name=\(name)", "Exec=\(exec)"] + lines
    let text = lines.joined(separator: "\n") + "\n"
    try write("home/.local/share/applications/\(name).desktop", text, mode: mode)
  }

  /// Tells programs where the home is.
  var environment: [String: String] {
    [
      "HOME": path("home"), "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "",
      "XDG_DATA_DIRS": path("share"),
    ]
  }

  /// Starts the daemon in a home of its own, and returns when it is ready.
  func start(_ arguments: [String] = []) throws {
    let manager = try NotifySocket()
    let program = try SpawnedProgram(
      "scened",
      ["--socket", socket] + arguments,
      environment: environment.merging(["NOTIFY_SOCKET": manager.path]) { own, _ in own }
    )
    try manager.message(with: "READY=1")
    self.program = program
  }

  func connect() throws -> WireClient { try WireClient(path: socket) }

  var applications: [Wire.Application] {
    get throws { try connect().call(Wire.ListApplications()).applications }
  }

  /// Where an event would go.
  func explain(_ url: String, contentType: String? = nil, named application: String? = nil) throws
    -> Wire.RouteDecision
  {
    let event = Wire.Event(url: url, contentType: contentType)
    return try connect().call(Wire.ExplainEvent(event: event, applicationID: application)).decision
  }
}
