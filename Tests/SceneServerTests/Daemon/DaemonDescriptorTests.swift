import RouterInterface
import TestSupport
import Testing

@Suite struct DaemonDescriptorTests {
  @Test func connectionsBeyondThreeQuartersOfTheDescriptorsAreClosed() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    let daemon = try SpawnedProgram(
      "/bin/sh",
      ["-c", #"ulimit -n 200 && exec "$0" --socket "$1""#, SpawnedProgram.buildDirectory + "/scened", path]
    )
    try daemon.errorLine(containing: "Ready.")
    let clients = try (0..<150).map { _ in try WireClient(path: path) }
    for client in clients { try client.call(Wire.GetStatistics()) }
    #expect(try WireClient(path: path).end() == [])
    #expect(try clients[0].call(Wire.GetStatistics()).connections == 150)
    try clients[0].leave()
    #expect(try WireClient(path: path).call(Wire.GetStatistics()).connections == 150)
    withExtendedLifetime(daemon) {}
  }
}
