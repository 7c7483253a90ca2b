/// The numbers shown in the status line.
package struct ServerCounts: Sendable, Equatable {
  /// The number of open scenes.
  package var scenes: Int
  /// The number of applications declared over a connection.
  package var applications: Int
  /// The number of connected clients.
  package var connections: Int

  /// Makes counts.
  package init(scenes: Int = 0, applications: Int = 0, connections: Int = 0) {
    self.scenes = scenes
    self.applications = applications
    self.connections = connections
  }
}

/// Reports the counts after a change, at most once a second.
final class StatusReporter {
  /// The shortest time between two reports: one second, in microseconds.
  ///
  /// A status line is for people, who would not see faster changes.
  private static let interval: UInt64 = 1_000_000

  private let send: @Sendable (ServerCounts) -> Void
  private var lastReport: UInt64?
  /// The time of the next report; `nil` if the counts have not changed after the last report.
  private(set) var nextReport: UInt64?

  init(_ send: @escaping @Sendable (ServerCounts) -> Void) { self.send = send }

  /// Notes that the counts may have changed.
  func note(_ counts: ServerCounts, at now: UInt64) {
    guard nextReport == nil else { return }
    nextReport = max(now, (lastReport ?? 0) + Self.interval)
    if lastReport == nil { report(counts, at: now) }
  }

  /// Reports the counts if the time ``nextReport`` has come.
  func report(_ counts: ServerCounts, at now: UInt64) {
    guard let due = nextReport, due <= now else { return }
    nextReport = nil
    lastReport = now
    send(counts)
  }
}
