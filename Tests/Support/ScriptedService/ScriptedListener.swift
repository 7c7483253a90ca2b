import Glibc
import TestSupport
import UnixSocket

/// A service that accepts the connections that a test's script expects.
package final class ScriptedListener: Sendable {
  /// The path of the service's socket.
  package let path: String

  private let directory: TemporaryDirectory
  private let socket: ListeningSocket
  private let deadline = Deadline()

  /// Listens at a path in a new temporary directory.
  package init() throws {
    directory = try TemporaryDirectory()
    path = directory.appending("socket")
    socket = try ListeningSocket.listen(at: path)
  }

  /// Waits for the next client.
  ///
  /// - Throws: `Overdue` if no client connects.
  package func accept() throws -> ScriptedPeer {
    let isThere = isReady(socket.descriptor.rawValue, for: POLLIN, milliseconds: deadline.millisecondsLeft)
    guard isThere, case .connection(let connection) = try socket.accept() else {
      throw Overdue("No client came.")
    }
    return ScriptedPeer(connection)
  }
}
