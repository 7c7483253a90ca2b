import Dispatch
import ExternalEvents
import Glibc
import Logging
import SceneClient
import SceneRouting
import SceneServer
import ScriptedService
import TestSupport
import UnixSocket

/// A router on a socket of its own; the router ends with this object.
final class TestRouter: Sendable {
  /// Where the router runs: in the test's process, or as a daemon.
  enum Kind: CaseIterable {
    case inProcess
    case daemon
  }

  /// The connection for the calls of the test itself.
  let connection: RouterConnection
  let socket: String
  private let directory: TemporaryDirectory
  private let end: @Sendable () -> Void

  init(_ kind: Kind) async throws {
    directory = try TemporaryDirectory()
    socket = directory.appending("router")
    let path = socket
    switch kind {
    case .inProcess:
      let log = Logger(label: "router") { _ in SwiftLogNoOpLogHandler() }
      let server = try SceneServer(listener: .listen(at: path), limits: Limits(), log: log)
      try server.start { _ in }
      end = { server.queue.async { server.stop() } }
    case .daemon:
      end = try await onThread {
        let program = try SpawnedProgram("scened", ["--system", "--socket", path])
        try program.errorLine(containing: "Ready.")
        nonisolated(unsafe) let daemon = program
        return { daemon.send(signal: SIGTERM) }
      }
    }
    connection = try await RouterConnection(socketPath: path)
  }

  deinit { end() }
}
