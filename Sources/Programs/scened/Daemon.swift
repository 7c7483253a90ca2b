import CSystemd
import Dispatch
import Glibc
import Logging
import SceneServer
import UnixSocket

/// The daemon, from the start of listening to the exit.
struct Daemon {
  /// The signals that shut the daemon down.
  static let stopSignals = [SIGTERM, SIGINT]
  /// The smallest number of descriptors with which the daemon starts.
  ///
  /// `ServerLimits` accepts no smaller number.
  fileprivate static let leastDescriptors = 64

  let log: Logger
  private let server: SceneServer
  /// The sources of signals and of the watchdog, kept for the life of the process.
  private let sources: [any DispatchSourceProtocol]

  /// Listens and serves; calls `ended` once with the exit status.
  init(_ options: Options, log: Logger, ended: @escaping @Sendable (CInt) -> Void) throws {
    self.log = log
    // Each connection takes a descriptor, so the soft limit is raised. The low default limit is only for programs that
    // use select(2).
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
    // Dispatch opens a descriptor for each signal in the background. Until the descriptor is open, the signal has its
    // default action. The daemon waits here, because clients could take all descriptors later, and because it must
    // handle signals before it reports that it is ready.
    activation.wait()
    // Files are read before any connection is accepted, so that the first event is decided with all declarations.
    desktop?.load(into: server)
    try server.start { error in
      if let error { log.critical("\(error)") }
      notifications.finish()
      ended(error == nil ? 0 : 1)
    }
    notifications.ready(ServerCounts().statusLine)
    log.notice("Ready.")
  }

  /// Makes a source that calls `action` at a signal.
  ///
  /// The caller activates the source, and can wait for the group `activation` until the source takes signals.
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

  /// Makes a source that pings systemd's watchdog from the server's queue, twice in the watchdog's interval.
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

/// The name of this machine; nil for a name that is not UTF-8.
private var machineName: String? {
  // gethostname(2): a name has at most 64 bytes.
  var name = [CChar](repeating: 0, count: 65)
  guard unsafe gethostname(&name, name.count) == 0 else { return nil }
  return String(validating: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

extension ServerCounts {
  /// The status line for `systemctl status`.
  fileprivate var statusLine: String {
    "\(scenes) scenes, \(applications) applications, \(connections) connections."
  }
}

/// The error that the limit of open descriptors is too low for the daemon.
private struct TooFewDescriptors: Error, CustomStringConvertible {
  let description: String

  init(_ count: Int) {
    description = "\(count) file descriptors are too few; \(Daemon.leastDescriptors) are needed (ulimit -n)."
  }
}
