import Glibc
import TestSupport

/// The daemon on its own socket; the daemon is killed when the object is freed.
final class RunningDaemon {
  let socket: String
  /// The value of `$XDG_RUNTIME_DIR` with which clients find the daemon.
  let runtimeDirectory: String
  let program: SpawnedProgram
  private let directory: TemporaryDirectory

  /// Starts the daemon, and returns when clients can connect.
  init() throws {
    let directory = try TemporaryDirectory()
    runtimeDirectory = directory.path
    socket = directory.appending("scened/io.scened.Router")
    program = try SpawnedProgram("scened", environment: ["XDG_RUNTIME_DIR": directory.path])
    self.directory = directory
    try program.errorLine(containing: "Ready.")
  }

  func stop() throws -> SpawnedProgram.Ending {
    program.send(signal: SIGTERM)
    return try program.waitForEnd()
  }
}
