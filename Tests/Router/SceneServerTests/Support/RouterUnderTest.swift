import Dispatch
import Foundation
import Glibc
import Logging
import SceneRouting
import SceneServer
import TestSupport
import Testing
import UnixSocket

/// A router behind a socket; the router stops when this object is released.
final class RouterUnderTest {
  /// The places where a router can run.
  enum Kind: CaseIterable {
    /// A server in this process.
    case inProcess
    /// The daemon, as a program of its own.
    case daemon
  }

  private enum Running {
    case server(SceneServer, ended: DispatchSemaphore)
    case program(SpawnedProgram)
  }

  /// The path of the socket.
  let path: String
  private let directory: TemporaryDirectory
  private let running: Running
  private var ordinaryCalls: WireClient?

  /// The directory of ``path``, which no other test uses.
  var directoryPath: String { directory.path }

  init(_ kind: Kind = .inProcess) throws {
    let directory = try TemporaryDirectory()
    path = directory.appending("router")
    running =
      switch kind {
      case .inProcess: try Self.serve(at: path, limits: Limits(), log: .silent)
      case .daemon: try Self.spawn(at: path)
      }
    self.directory = directory
  }

  /// Makes a router in this process with the given limits and log.
  init(limits: Limits = Limits(), log: Logger) throws {
    let directory = try TemporaryDirectory()
    path = directory.appending("router")
    running = try Self.serve(at: path, limits: limits, log: log)
    self.directory = directory
  }

  /// Makes a router in this process with the given detail of the history.
  ///
  /// If a directory is given, the history is stored there and outlives the router.
  init(history: HistoryDetail, in stateDirectory: String? = nil, log: Logger = .silent) throws {
    let directory = try TemporaryDirectory()
    path = directory.appending("router")
    running = try Self.serve(
      at: path,
      limits: Limits(),
      history: history,
      stateDirectory: stateDirectory,
      log: log
    )
    self.directory = directory
  }

  /// Makes a router that keeps its state in `stateDirectory`; the directory outlives the router.
  ///
  /// `limits` and `log` apply only to a router in this process.
  init(_ kind: Kind, in stateDirectory: String, limits: Limits = Limits(), log: Logger = .silent) throws {
    let directory = try TemporaryDirectory()
    path = directory.appending("router")
    running =
      switch kind {
      case .inProcess: try Self.serve(at: path, limits: limits, stateDirectory: stateDirectory, log: log)
      case .daemon: try Self.spawn(at: path, environment: ["RUNTIME_DIRECTORY": stateDirectory])
      }
    self.directory = directory
  }

  /// Makes a router in this process that asks `refresh` before it carries out calls.
  init(refresh: @escaping @Sendable (@escaping @Sendable (Bool) -> Void) -> Void) throws {
    let directory = try TemporaryDirectory()
    path = directory.appending("router")
    running = try Self.serve(at: path, limits: Limits(), log: .silent, refresh: refresh)
    self.directory = directory
  }

  convenience init(limits change: (inout Limits) -> Void) throws {
    var limits = Limits()
    change(&limits)
    try self.init(limits: limits, log: .silent)
  }

  deinit { end() }

  /// Asks the router to stop in the orderly way, and waits for the end.
  func end() {
    stop()
    switch running {
    case .server(_, let ended):
      ended.wait()
      // This signal lets the next call of `end` return. `deinit` calls `end` in any case.
      ended.signal()
    case .program(let program): _ = try? program.waitForEnd()
    }
  }

  /// Asks the router to stop in the orderly way; does not wait for the end.
  func stop() {
    switch running {
    case .server(let server, _): server.queue.sync { server.stop() }
    case .program(let program): program.send(signal: SIGTERM)
    }
  }

  /// Calls `body` while the router in this process is kept busy.
  ///
  /// The router reads nothing until `body` has returned, and then finds everything that `body` has sent.
  func whileBusy(_ body: () throws -> Void) throws {
    guard case .server(let server, _) = running else { throw Overdue("A daemon is not kept busy.") }
    try server.queue.sync(execute: body)
  }

  func kill() throws {
    guard case .program(let program) = running else { throw Overdue("This process is not killed.") }
    program.send(signal: SIGKILL)
    #expect(try program.waitForEnd() == .signal(SIGKILL))
  }

  /// The daemon's resident memory, in bytes.
  var residentSize: Int {
    get throws {
      guard case .program(let program) = running,
        let status = FileManager.default.contents(atPath: "/proc/\(program.processID)/status"),
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
          .first(where: { $0.hasPrefix("VmRSS:") }), let size = Int(line.filter(\.isNumber))
      else { throw Overdue("The kernel does not say what the daemon holds.") }
      return size << 10
    }
  }

  /// The processor time that the daemon has used so far.
  var processorTime: Duration {
    get throws {
      guard case .program(let program) = running else { throw Overdue("This process does more than route.") }
      var clock = clockid_t()
      var time = timespec()
      guard clock_getcpuclockid(program.processID, &clock) == 0, clock_gettime(clock, &time) == 0 else {
        throw Overdue("The daemon's clock cannot be read.")
      }
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
  }

  func connect() throws -> WireClient { try WireClient(path: path) }

  /// Returns the connection for calls that the router answers immediately; always the same connection.
  func calls() throws -> WireClient {
    if let ordinaryCalls { return ordinaryCalls }
    let calls = try connect()
    ordinaryCalls = calls
    return calls
  }

  private static func serve(
    at path: String,
    limits: Limits,
    history: HistoryDetail = .short,
    stateDirectory: String? = nil,
    log: Logger,
    refresh: (@Sendable (@escaping @Sendable (Bool) -> Void) -> Void)? = nil
  ) throws -> Running {
    let server = try SceneServer(
      listener: .listen(at: path),
      limits: limits,
      history: history,
      stateDirectory: stateDirectory,
      log: log,
      refresh: refresh
    )
    let ended = DispatchSemaphore(value: 0)
    try server.start { error in
      if let error { log.critical("\(error)") }
      ended.signal()
    }
    return .server(server, ended: ended)
  }

  private static func spawn(at path: String, environment: [String: String] = [:]) throws -> Running {
    let program = try SpawnedProgram("scened", ["--socket", path], environment: environment)
    try program.errorLine(containing: "Ready.")
    return .program(program)
  }
}

extension Logger {
  /// A log without output.
  static var silent: Logger { Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() } }
}
