import Foundation
import TestSupport
import UnixSocket

/// A server that runs until this object is freed.
protocol Server {
  /// The path of the server's socket.
  var socket: String { get }
  /// The process that does the server's work.
  var processID: CInt { get }
}

/// The daemon.
final class RouterServer: Server {
  let socket: String
  let program: SpawnedProgram
  let notifications: NotifySocket
  private let directory: TemporaryDirectory

  var processID: CInt { program.processID }

  /// Starts the daemon and waits until it is ready.
  ///
  /// `tool` is the beginning of a command line, for example of callgrind, that runs the daemon under a tool.
  init(_ options: Options, environment: [String: String] = [:], under tool: [String] = []) throws {
    directory = try TemporaryDirectory()
    notifications = try NotifySocket()
    socket = directory.appending("router")
    let environment = environment.merging(["NOTIFY_SOCKET": notifications.path]) { own, _ in own }
    let command = tool + [options.routerPath, "--socket", socket, "--log-level", "error"]
    program = try SpawnedProgram(command[0], Array(command.dropFirst()), environment: environment)
    try notifications.message(with: "READY=1")
  }

  /// Keeps the daemon as busy as possible until the returned object is freed.
  func keepBusy() throws -> SpawnedProgram {
    try SpawnedProgram(
      LoadProgram.name,
      [
        "router-load", "--socket", socket, "--senders", "64", "--window", "4", "--scenes", "16", "--events",
        "50000000",
      ]
    )
  }
}

/// The stub that answers in the router's place.
final class StubServer: Server {
  let socket: String
  private let program: SpawnedProgram
  private let directory: TemporaryDirectory

  var processID: CInt { program.processID }

  init() throws {
    directory = try TemporaryDirectory()
    socket = directory.appending("stub")
    program = try SpawnedProgram(LoadProgram.name, ["stub", "--socket", socket])
  }
}

/// A D-Bus daemon with a configuration that allows everything.
final class BusServer: Server {
  enum Implementation: String, CaseIterable {
    case broker = "dbus-broker"
    case daemon = "dbus-daemon"

    /// The program to start; `nil` if it is not installed.
    var program: String? { Machine.program(self == .broker ? "dbus-broker-launch" : rawValue) }
  }

  let socket: String
  let program: SpawnedProgram
  private let directory: TemporaryDirectory
  private let listener: ListeningSocket?

  /// The process that does the server's work.
  ///
  /// dbus-broker-launch starts the broker as its child. dbus-daemon has no child.
  var processID: CInt {
    let children = Machine.lines(of: "/proc/\(program.processID)/task/\(program.processID)/children").first
    return children?.split(separator: " ").first.flatMap { CInt($0) } ?? program.processID
  }

  /// Starts the daemon; `nil` if it is not installed or does not run here.
  init?(_ implementation: Implementation) throws {
    guard let path = implementation.program else { return nil }
    directory = try TemporaryDirectory()
    socket = directory.appending("bus")
    let configuration = directory.appending("bus.conf")
    try Self.configuration(socket).write(toFile: configuration, atomically: true, encoding: .utf8)
    switch implementation {
    case .daemon:
      listener = nil
      program = try SpawnedProgram(path, Self.arguments(configuration))
    case .broker:
      let listener = try ListeningSocket.listen(at: socket)
      program = try SpawnedProgram(
        path,
        ["--scope", "user", "--config-file", configuration],
        environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(socket)"],
        activation: ["dbus.socket": listener.descriptor.rawValue]
      )
      self.listener = consume listener
    }
    if (try? LoadProgram.run(["bus-load", "--socket", socket, "--events", "10"])) == nil { return nil }
  }

  static func arguments(_ configuration: String) -> [String] {
    ["--config-file", configuration, "--nofork", "--nopidfile"]
  }

  /// Returns the configuration of a session bus without services.
  static func configuration(_ socket: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(socket)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
      <limit name="max_completed_connections">100000</limit>
      <limit name="max_connections_per_user">100000</limit>
      <limit name="max_replies_per_connection">50000</limit>
    </busconfig>
    """
  }
}
