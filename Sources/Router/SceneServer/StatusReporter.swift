package struct ServerCounts: Sendable, Equatable {
  package var scenes: Int
  /// Declared over a connection.
  package var applications: Int
  package var connections: Int

  package init(scenes: Int = 0, applications: Int = 0, connections: Int = 0) {
    self.scenes = scenes
    self.applications = applications
    self.connections = connections
  }
}

final class StatusReporter {
  /// In microseconds; people would not see faster changes of the status line.
  private static let interval: UInt64 = 1_000_000

  private let send: @Sendable (ServerCounts) -> Void
  private var lastReport: UInt64?
  /// `nil` if the counts have not changed after the last report.
  private(set) var nextReport: UInt64?

  init(_ send: @escaping @Sendable (ServerCounts) -> Void) { self.send = send }

  func note(_ counts: ServerCounts, at now: UInt64) {
    guard nextReport == nil else { return }
    nextReport = max(now, (lastReport ?? 0) + Self.interval)
    if lastReport == nil { report(counts, at: now) }
  }

  func report(_ counts: ServerCounts, at now: UInt64) {
    guard let due = nextReport, due <= now else { return }
    nextReport = nil
    lastReport = now
    send(counts)
  }
}
