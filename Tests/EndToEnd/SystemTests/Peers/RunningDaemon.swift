import Glibc
import TestSupport

/// The daemon, on a socket of its own, killed at the end of its life at the latest.
final class RunningDaemon {
  /// The socket.
  let socket: String
  /// The value of `$XDG_RUNTIME_DIR` with which clients find it.
  let runtimeDirectory: String
  let program: SpawnedProgram
  private let directory: TemporaryDirectory

  /// Starts it; clients may connect from here on.
  init() throws {
    let directory = try TemporaryDirectory()
    runtimeDirectory = directory.path
    socket = directory.appending("scened/io.scened.Router")
    program = try SpawnedProgram("scened", environment: ["XDG_RUNTIME_DIR": directory.path])
    self.directory = directory
    try program.errorLine(containing: "Ready.")
  }

  /// Tells it to end and waits until it has.
  func stop() throws -> SpawnedProgram.Ending {
    program.send(signal: SIGTERM)
    return try program.waitForEnd()
  }
}
