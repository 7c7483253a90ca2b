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
  /// One second, because a status line is for people.
  private static let interval: UInt64 = 1_000_000

  private let send: @Sendable (ServerCounts) -> Void
  private var lastReport: UInt64?
  /// The time at which the counts are to be reported; `nil` if they have been reported.
  private(set) var nextReport: UInt64?

  init(_ send: @escaping @Sendable (ServerCounts) -> Void) { self.send = send }

  /// Notes that the counts may have changed.
  func note(_ counts: ServerCounts, at now: UInt64) {
    guard nextReport == nil else { return }
    nextReport = max(now, (lastReport ?? 0) + Self.interval)
    if lastReport == nil { report(counts, at: now) }
  }

  /// Reports the counts if ``nextReport`` has come.
  func report(_ counts: ServerCounts, at now: UInt64) {
    guard let due = nextReport, due <= now else { return }
    nextReport = nil
    lastReport = now
    send(counts)
  }
}
