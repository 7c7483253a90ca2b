import Foundation

/// A private message bus for a test.
package final class MessageBus {
  /// The address that the bus listens at.
  package let address: String
  /// The environment variable through which programs find the bus.
  package var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": address] }
  private let directory: TemporaryDirectory
  private let daemon: SpawnedProgram

  /// Starts the bus.
  ///
  /// - Parameters:
  ///   - services: For each name on the bus, the command line of the program that the bus starts for the name.
  ///   - address: The address to listen at; nil for an address in a temporary directory.
  ///   - startTimeout: How many milliseconds a started program has to take its name on the bus.
  ///   - environment: More environment variables for the programs that the bus starts.
  /// - Throws: `Overdue` if the bus does not start.
  package init(
    services: [String: String] = [:],
    at address: String? = nil,
    startTimeout: Int = 25_000,
    environment: [String: String] = [:]
  ) throws {
    directory = try TemporaryDirectory()
    let address = address ?? "unix:path=\(directory.appending("bus"))"
    self.address = address
    for (name, command) in services {
      try "[D-BUS Service]\nName=\(name)\nExec=\(command)\n"
        .write(toFile: directory.appending("\(name).service"), atomically: false, encoding: .utf8)
    }
    let configuration = """
      <busconfig>
        <type>session</type>
        <listen>\(address)</listen>
        <servicedir>\(directory.path)</servicedir>
        <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
        <limit name="service_start_timeout">\(startTimeout)</limit>
      </busconfig>
      """
    let file = directory.appending("configuration")
    try configuration.write(toFile: file, atomically: false, encoding: .utf8)
    daemon = try SpawnedProgram(
      TestEnvironment.run("get-dbus-daemon"),
      ["--config-file=\(file)", "--nofork", "--nopidfile", "--print-address"],
      environment: environment
    )
    try daemon.outputLine(containing: "unix:")
  }

  /// Kills the bus, which then cannot notify its clients.
  package func end() throws {
    daemon.send(signal: SIGKILL)
    try daemon.waitForEnd()
  }
}
