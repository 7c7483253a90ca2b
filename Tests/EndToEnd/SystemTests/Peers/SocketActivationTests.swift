import Glibc
import RouterInterface
import TestSupport
import Testing
import UnixSocket
import Varlink
import VarlinkClient

/// A daemon that its first client starts through the socket.
@Suite(.blocking) struct SocketActivationTests {
  @Test func firstClientStartsTheDaemonAndIsServed() async throws {
    let directory = try TemporaryDirectory()
    let socket = directory.appending("router")
    let activator = try SpawnedProgram(
      TestEnvironment.run("get-varlinkctl") + "/systemd-socket-activate",
      ["--listen=\(socket)", "--fdname=varlink", SpawnedProgram.buildDirectory + "/scened"]
    )
    try activator.errorLine(containing: "Listening on")

    let client = try await VarlinkConnection.connect(to: SocketAddress(path: socket))
    let statistics = try await client.call(
      Wire.GetStatisticsCall.method,
      Wire.GetStatisticsCall(),
      as: Statistics.self
    )
    #expect(statistics.connections == 1)
    // The activator has executed the daemon without a fork, so the daemon now runs in the activator's process.
    try activator.errorLine(containing: "scened: Ready.")
    activator.send(signal: SIGTERM)
    #expect(try activator.waitForEnd() == .exit(0))
    #expect(throws: SocketError.self) {
      _ = try StreamSocket.connect(to: SocketAddress(path: socket), nonblocking: true)
    }
  }
}
