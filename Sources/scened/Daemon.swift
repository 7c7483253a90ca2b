import CSystemd
import Dispatch
import Glibc
import Logging
import SceneServer
import UnixSocket

/// The life of the process from listening to its end.
struct Daemon {
  let log: Logger
  private let server: SceneServer
  /// Kept for as long as the process lives.
  private let sources: [any DispatchSourceProtocol]

  /// Listens and serves; `ended` is called once with the exit status.
  init(_ options: Options, log: Logger, ended: @escaping @Sendable (CInt) -> Void) throws {
    self.log = log
    // A connection is a descriptor, and what the system allows by default is meant for programs that use select(2).
    try DescriptorLimit.set(soft: .max)
    let server = try SceneServer(listener: Listening.socket(options), log: log) { counts in
      unsafe scened_notify_status(counts.statusLine)
    }
    self.server = server
    sources =
      [SIGTERM, SIGINT].map { Self.stopping(server, on: $0, log) }
      + [Self.watchdog(on: server.queue)].compactMap { $0 }
    try server.start { error in
      if let error { log.critical("\(error)") }
      ended(error == nil ? 0 : 1)
    }
    for source in sources { source.activate() }
    unsafe scened_notify_ready(ServerCounts().statusLine)
    log.notice("Ready.")
  }

  private static func stopping(_ server: SceneServer, on signal: CInt, _ log: Logger)
    -> any DispatchSourceProtocol
  {
    // The default action would end the process before the source hears of it.
    Glibc.signal(signal, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: signal, queue: server.queue)
    source.setEventHandler {
      unsafe scened_notify_stopping("Stopping.")
      log.notice("Stopping.")
      server.stop()
    }
    return source
  }

  /// Tells systemd twice in the time it asks for that the server's queue still gets its turn.
  private static func watchdog(on queue: DispatchQueue) -> (any DispatchSourceProtocol)? {
    let interval = scened_watchdog_interval()
    guard interval > 0 else { return nil }
    let source = DispatchSource.makeTimerSource(queue: queue)
    source.schedule(deadline: .now(), repeating: .microseconds(Int(interval) / 2))
    source.setEventHandler { scened_notify_watchdog() }
    return source
  }
}

extension ServerCounts {
  /// One line for `systemctl status`.
  fileprivate var statusLine: String {
    "\(scenes) scenes, \(applications) applications, \(connections) connections."
  }
}
