import Glibc
import TestSupport
import UnixSocket

/// A daemon and its supervisor.
///
/// Like systemd, the supervisor starts the daemon again, and keeps the daemon's socket and runtime directory.
final class SupervisedDaemon {
  let socket: String
  private let directory: TemporaryDirectory
  private let listener: ListeningSocket
  private var daemon: SpawnedProgram

  init() throws {
    directory = try TemporaryDirectory()
    socket = directory.appending("router")
    listener = try ListeningSocket.listen(at: socket)
    daemon = try Self.start(listener, directory.path)
  }

  /// Ends the daemon with a signal and starts the next daemon.
  ///
  /// The next daemon serves the clients that connected in between.
  func kill(_ signal: CInt = SIGKILL) throws {
    daemon.send(signal: signal)
    try daemon.waitForEnd()
    daemon = try Self.start(listener, directory.path)
  }

  private static func start(
    _ listener: borrowing ListeningSocket,
    _ runtimeDirectory: String
  ) throws -> SpawnedProgram {
    try SpawnedProgram(
      "scened",
      ["--system"],
      environment: ["RUNTIME_DIRECTORY": runtimeDirectory],
      activation: ["scened.socket": listener.descriptor.rawValue]
    )
  }
}
