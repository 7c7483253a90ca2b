import CSystemd
import Dispatch
import Glibc
import Logging
import SceneServer
import UnixSocket

/// The life of the process from listening to its end.
struct Daemon {
  /// The signals that shut it down.
  static let stopSignals = [SIGTERM, SIGINT]
  /// The fewest descriptors with which it starts: half of them are not for connections.
  fileprivate static let leastDescriptors = 64

  let log: Logger
  private let server: SceneServer
  /// Kept for as long as the process lives.
  private let sources: [any DispatchSourceProtocol]

  /// Listens and serves; `ended` is called once with the exit status.
  init(_ options: Options, log: Logger, ended: @escaping @Sendable (CInt) -> Void) throws {
    self.log = log
    // Each connection takes a descriptor, and the soft limit is low by default only for programs that use select(2).
    let descriptors = try DescriptorLimit.set(soft: .max).soft
    guard descriptors >= Self.leastDescriptors else { throw TooFewDescriptors(descriptors) }
    let notifications = ServiceNotifications()
    let listener = try Listening.socket(options, log: log)
    // One server for all users starts nothing, and reads nothing that one of them has written.
    let desktop = options.isSystem ? nil : Desktop(socket: listener.path, options, log: log)
    let server = try SceneServer(
      listener: listener,
      instance: options.isSystem ? .system : .user,
      history: options.history,
      log: log,
      launcher: desktop,
      reload: desktop?.reload
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
    // Dispatch opens the descriptors of signals in the background: before clients can take them all, and before the
    // program is ready, as until then a signal has its default action.
    activation.wait()
    // Before anything is accepted, so that the first event is decided with them.
    desktop?.load(into: server)
    try server.start { error in
      if let error { log.critical("\(error)") }
      notifications.finish()
      ended(error == nil ? 0 : 1)
    }
    notifications.ready(ServerCounts().statusLine)
    log.notice("Ready.")
  }

  /// A source that does something at a signal; it enters `activation`, and leaves it when it is active.
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

  /// A source that pings systemd's watchdog from the server's queue, twice in the interval that it asks for.
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

extension ServerCounts {
  /// One line for `systemctl status`.
  fileprivate var statusLine: String {
    "\(scenes) scenes, \(applications) applications, \(connections) connections."
  }
}

/// The process may have too few descriptors for the program to start.
private struct TooFewDescriptors: Error, CustomStringConvertible {
  let description: String

  init(_ count: Int) {
    description = "\(count) file descriptors are too few; \(Daemon.leastDescriptors) are needed (ulimit -n)."
  }
}
