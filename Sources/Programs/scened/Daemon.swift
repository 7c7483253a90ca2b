import CSystemd
import Dispatch
import Glibc
import Logging
import SceneServer
import UnixSocket

struct Daemon {
  static let stopSignals = [SIGTERM, SIGINT]
  /// `ServerLimits` accepts no smaller number.
  fileprivate static let leastDescriptors = 64

  let log: Logger
  private let server: SceneServer
  /// Kept for the life of the process.
  private let sources: [any DispatchSourceProtocol]

  /// Calls `ended` once, with the exit status.
  init(_ options: Options, log: Logger, ended: @escaping @Sendable (CInt) -> Void) throws {
    self.log = log
    // Each connection takes a descriptor; the low default is only for programs that use select(2).
    let descriptors = try DescriptorLimit.set(soft: .max).soft
    guard descriptors >= Self.leastDescriptors else { throw TooFewDescriptors(descriptors) }
    let notifications = ServiceNotifications()
    let listener = try Listening.socket(options, log: log)
    let stateDirectory = Listening.stateDirectory(options, listener)
    // The system's instance serves all users, so it starts no program and reads no file of a user.
    let desktop = options.isSystem ? nil : Desktop(socket: listener.path, options, log: log)
    let server = try SceneServer(
      listener: listener,
      instance: options.isSystem ? .system : .user,
      machineName: machineName,
      history: options.history,
      stateDirectory: stateDirectory,
      log: log,
      launcher: desktop,
      reload: desktop?.reload,
      refresh: desktop?.refresh
    ) { counts in
      notifications.status(counts.statusLine)
    }
    self.server = server
    let activation = DispatchGroup()
    sources =
      Self.stopSignals.map { signal in
        Self.source(of: signal, on: server.queue, activation) {
          notifications.stopping()
          log.notice("Stopping.")
          server.stop()
        }
      }
      + [
        Self.source(of: SIGHUP, on: server.queue, activation) {
          notifications.reloading()
          guard let desktop else { return notifications.reloaded() }
          desktop.reload { _ in notifications.reloaded() }
        }
      ]
      + [Self.watchdog(on: server.queue, notifications)].compactMap { $0 }
    for source in sources { source.activate() }
    // Dispatch opens a descriptor for each signal in the background, and until then the signal has its default action.
    // Clients could take all descriptors later, and signals are handled before the daemon is ready.
    activation.wait()
    // Before any connection is accepted, so that the first event is decided with all declarations.
    desktop?.load(into: server)
    try server.start { error in
      if let error { log.critical("\(error)") }
      notifications.finish()
      ended(error == nil ? 0 : 1)
    }
    notifications.ready(ServerCounts().statusLine)
    log.notice("Ready.")
  }

  /// The caller activates the source; the group `activation` is empty when it takes signals.
  private static func source(
    of signal: CInt,
    on queue: DispatchQueue,
    _ activation: DispatchGroup,
    _ action: @escaping @Sendable () -> Void
  ) -> any DispatchSourceProtocol {
    let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
    activation.enter()
    source.setRegistrationHandler { activation.leave() }
    source.setEventHandler(handler: action)
    return source
  }

  /// Twice in the watchdog's interval, from the server's queue.
  private static func watchdog(
    on queue: DispatchQueue,
    _ notifications: ServiceNotifications
  ) -> (any DispatchSourceProtocol)? {
    let interval = scened_watchdog_interval()
    guard interval > 0 else { return nil }
    let source = DispatchSource.makeTimerSource(queue: queue)
    source.schedule(deadline: .now(), repeating: .microseconds(Int(interval) / 2))
    source.setEventHandler { notifications.alive() }
    return source
  }
}

private var machineName: String? {
  // gethostname(2): a name has at most 64 bytes.
  var name = [CChar](repeating: 0, count: 65)
  guard unsafe gethostname(&name, name.count) == 0 else { return nil }
  return String(validating: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

extension ServerCounts {
  /// For `systemctl status`.
  fileprivate var statusLine: String {
    "\(scenes) scenes, \(applications) applications, \(connections) connections."
  }
}

private struct TooFewDescriptors: Error, CustomStringConvertible {
  let description: String

  init(_ count: Int) {
    description = "\(count) file descriptors are too few; \(Daemon.leastDescriptors) are needed (ulimit -n)."
  }
}
