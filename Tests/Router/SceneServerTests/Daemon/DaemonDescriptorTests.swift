import Glibc
import RouterInterface
import TestSupport
import Testing
import Varlink

@Suite struct DaemonDescriptorTests {
  private static func start(
    _ path: String,
    descriptors: Int,
    environment: [String: String] = [:]
  ) throws -> SpawnedProgram {
    // The script closes all inherited descriptors above 2. Otherwise the descriptors of the program that runs the tests
    // would count towards the limit.
    let script = #"""
      for fd in /proc/self/fd/*; do fd=${fd##*/}; (( fd < 3 )) || exec {fd}>&-; done
      ulimit -n "$2" && exec "$0" --socket "$1"
      """#
    return try SpawnedProgram(
      "/bin/bash",
      ["-c", script, SpawnedProgram.buildDirectory + "/scened", path, "\(descriptors)"],
      environment: environment
    )
  }

  /// Connections may use three quarters of the daemon's descriptors, but at least 32 descriptors stay free.
  @Test(arguments: [(200, 150), (100, 68)])
  func connectionBeyondTheLimitIsRefused(_ descriptors: Int, _ maximum: Int) throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    let daemon = try Self.start(path, descriptors: descriptors)
    try daemon.errorLine(containing: "Ready.")
    let clients = try (0..<maximum).map { _ in try WireClient(path: path) }
    for client in clients { try client.call(Wire.GetStatisticsCall()) }
    let refused = try WireClient(path: path)
    let expected = Wire.RouterErrorReply.limitExceeded(limit: "fileDescriptors", maximum: Int64(descriptors))
    #expect(try refused.failure(of: Wire.GetStatisticsCall()) == expected)
    #expect(try refused.end() == [])
    try daemon.errorLine(containing: "because the limit 'fileDescriptors' is \(descriptors)")
    #expect(try clients[0].call(Wire.GetStatisticsCall()).connections == maximum)
    try clients[0].leave()
    #expect(try WireClient(path: path).call(Wire.GetStatisticsCall()).connections == maximum)
    withExtendedLifetime(daemon) {}
  }

  /// Clients cannot take the descriptors that the daemon needs for timers, signals and the socket file.
  @Test func deadlinesAndSignalsWorkWithTheFewestDescriptors() throws {
    let directory = try TemporaryDirectory()
    let path = directory.appending("router")
    let manager = try NotifySocket()
    let environment = ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "100000"]
    let daemon = try Self.start(path, descriptors: 64, environment: environment)
    try manager.message(with: "READY=1")
    let scene = try WireClient(path: path)
    let view = Registration(id: "view", preferring: [], allowing: ["*"])
    let context = SceneContext(applicationID: "app", registrations: [view])
    try scene.call(Wire.OpenSceneCall(context: context), .more)
    let sender = try WireClient(path: path)
    // There are more silent clients than the daemon has descriptors.
    let others = try (0..<80).map { _ in try WireClient(path: path) }
    var event = Wire.SendEventCall.url("test:one")
    event.timeoutUSec = 1000
    guard case .timedOut = try sender.failure(of: event) else { throw Overdue("It has no deadline.") }
    for _ in 0..<3 { try manager.message(with: "WATCHDOG=1") }
    daemon.send(signal: SIGTERM)
    try manager.message(with: "STOPPING=1")
    #expect(try daemon.waitForEnd() == .exit(0))
    #expect(access(path, F_OK) == -1)
    withExtendedLifetime(others) {}
  }

  @Test func withFewerItDoesNotStart() throws {
    let directory = try TemporaryDirectory()
    let daemon = try Self.start(directory.appending("router"), descriptors: 63)
    #expect(try daemon.waitForEnd() == .exit(1))
    #expect(daemon.errorText.contains("63") && daemon.errorText.contains("64"), "\(daemon.errorText)")
  }
}
