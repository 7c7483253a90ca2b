import Glibc
import TestSupport
import UnixSocket

/// The daemon under somebody who starts it anew and keeps its socket, as systemd does.
final class SupervisedDaemon {
  let socket: String
  private let directory: TemporaryDirectory
  private let listener: ListeningSocket
  private var daemon: SpawnedProgram

  init() throws {
    directory = try TemporaryDirectory()
    socket = directory.appending("router")
    listener = try ListeningSocket.listen(at: socket)
    daemon = try Self.start(listener)
  }

  /// Kills it at once, and starts the next; who has connected meanwhile is served by that.
  func kill() throws {
    daemon.send(signal: SIGKILL)
    try daemon.waitForEnd()
    daemon = try Self.start(listener)
  }

  private static func start(_ listener: borrowing ListeningSocket) throws -> SpawnedProgram {
    try SpawnedProgram(
      "scened",
      ["--system"],
      activation: ["scened.socket": listener.descriptor.rawValue]
    )
  }
}
