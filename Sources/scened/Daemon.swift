import CSystemd
import Dispatch
import Glibc
import Logging
import SceneServer
import UnixSocket

/// The life of the process from listening to its end.
struct Daemon {
  /// The signals at which it ends in order.
  static let stopSignals = [SIGTERM, SIGINT]
  /// With fewer, which are half its own, it has no room for clients.
  fileprivate static let leastDescriptors = 64

  let log: Logger
  private let server: SceneServer
  /// Kept for as long as the process lives.
  private let sources: [any DispatchSourceProtocol]

  /// Listens and serves; `ended` is called once with the exit status.
  init(_ options: Options, log: Logger, ended: @escaping @Sendable (CInt) -> Void) throws {
    self.log = log
    // A connection is a descriptor, and what the system allows by default is meant for programs that use select(2).
    let descriptors = try DescriptorLimit.set(soft: .max).soft
    guard descriptors >= Self.leastDescriptors else { throw TooFewDescriptors(descriptors) }
    let notifications = ServiceNotifications()
    let server = try SceneServer(
      listener: Listening.socket(options, log: log),
      instance: options.isSystem ? .system : .user,
      log: log
    ) { counts in
      notifications.status(counts.statusLine)
    }
    self.server = server
    let signalsAreHeard = DispatchGroup()
    sources =
      Self.stopSignals.map { Self.stopping(server, on: $0, signalsAreHeard, notifications, log) }
      + [Self.watchdog(on: server.queue, notifications)].compactMap { $0 }
    try server.start { error in
      if let error { log.critical("\(error)") }
      notifications.finish()
      ended(error == nil ? 0 : 1)
    }
    for source in sources { source.activate() }
    // Sources are activated in the background. A signal that comes before that ends the process at once, which is
    // only in order as long as nobody has been told that it is ready.
    signalsAreHeard.wait()
    notifications.ready(ServerCounts().statusLine)
    log.notice("Ready.")
  }

  /// A source that takes the place of the signal's default action, which is to end the process at once.
  private static func stopping(
    _ server: SceneServer,
    on signal: CInt,
    _ isHeard: DispatchGroup,
    _ notifications: ServiceNotifications,
    _ log: Logger
  ) -> any DispatchSourceProtocol {
    let source = DispatchSource.makeSignalSource(signal: signal, queue: server.queue)
    isHeard.enter()
    source.setRegistrationHandler { isHeard.leave() }
    source.setEventHandler {
      notifications.stopping()
      log.notice("Stopping.")
      server.stop()
    }
    return source
  }

  /// Tells systemd twice in the time it asks for that the server's queue still gets its turn.
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

/// The process may open so few descriptors that the program does not start.
private struct TooFewDescriptors: Error, CustomStringConvertible {
  let description: String

  init(_ count: Int) {
    description = "\(count) file descriptors are too few; \(Daemon.leastDescriptors) are needed (ulimit -n)."
  }
}
