import Foundation

/// A message bus of a test's own.
package final class MessageBus {
  /// Where it listens.
  package let address: String
  /// What tells programs where it is.
  package var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": address] }
  private let directory: TemporaryDirectory
  private let daemon: SpawnedProgram

  /// Starts it.
  ///
  /// - Parameters:
  ///   - services: The command lines of the programs it starts by itself, by their names on the bus.
  ///   - address: Where it listens, if that matters.
  ///   - startTimeout: After how many milliseconds it no longer waits for such a name.
  ///   - environment: Further variables of the programs that it starts.
  /// - Throws: `Overdue` if it does not start.
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

  /// Ends it without a last word to anybody.
  package func end() throws {
    daemon.send(signal: SIGKILL)
    try daemon.waitForEnd()
  }
}
