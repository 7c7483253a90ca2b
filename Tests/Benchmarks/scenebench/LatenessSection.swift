import Foundation
import TestSupport

/// Measures how late a busy and an idle router do work with a deadline.
struct LatenessSection {
  private let options: Options
  /// The watchdog's interval, which systemd would set; the router sends a ping after each half interval.
  private static let watchdogUSec = 100_000

  init(_ options: Options) { self.options = options }

  func tables() throws -> [Table] {
    var table = Table(title: "lateness, ms", columns: ["p50", "p99", "greatest"])
    for isBusy in [true, false] {
      let (target, suffix) = isBusy ? ("≤ 10", "under full load") : (nil, "idle")
      let deadlines = try deadlines(isBusy: isBusy)
      let signals = try signals(isBusy: isBusy)
      table.rows += [
        Table.Row("deadline of a delivery, \(suffix)", deadlines.router, target: target),
        Table.Row("nanosleep of the client that waits for it, \(suffix)", deadlines.own),
        Table.Row("SIGTERM to STOPPING=1, \(suffix)", quantiles(signals.map(\.told)), target: target),
        Table.Row("SIGTERM to the end of the process, \(suffix)", quantiles(signals.map(\.ended))),
        Table.Row("watchdog ping, \(suffix)", quantiles(try watchdog(isBusy: isBusy)), target: target),
      ]
    }
    return [table, try disturbance()]
  }

  /// Measures how long a client's events take while another client makes the most expensive calls.
  ///
  /// The measured client sends an event when the previous event has ended.
  private func disturbance() throws -> Table {
    var table = Table(title: "an event beside another client, ms", columns: ["p50", "p99", "greatest"])
    table.rows = [Table.Row("that does nothing", try events(beside: nil))]
    for (kind, label) in [
      ("url", "URL of 32 KiB, a million identifiers"),
      ("activity", "activity of 100 KiB, a million identifiers"),
      ("shared", "event for 10,000 scenes with the same identifier, taken by none"),
      ("explanation", "1,024 steps of the trace of such an event"),
      ("scene", "scene of 256 registrations and 2,048 identifiers, opened and closed"),
      ("registration", "registration of 2,040 identifiers replaced"),
      ("activation", "scene of 256 registrations and 2,048 identifiers, active and inactive"),
      ("changes", "registration of one identifier replaced, 64 times with one write"),
      ("declaration", "256 declarations of 2,048 identifiers and 1,024 claims, withdrawn again"),
      ("list", "list of 10,000 scenes"),
      ("snapshot", "monitor that sees 10,000 scenes and leaves"),
      ("death", "process with 1,000 scenes dies with a delivery open in each"),
      ("deadlines", "4,096 deliveries whose time is up at the same moment"),
    ] {
      table.rows.append(Table.Row(label, try events(beside: kind), target: "≤ 20"))
    }
    return table
  }

  private func events(beside kind: String?) throws -> [Double?] {
    let router = try RouterServer(options)
    let disturber = try kind.map { kind in
      try SpawnedProgram(LoadProgram.name, ["router-disturb", "--socket", router.socket, "--with", kind])
    }
    try disturber?.errorLine(containing: "Ready.")
    let figures = try LoadProgram.figures(
      ["p50", "p99", "max"],
      [
        "router-load", "--socket", router.socket, "--events", "1000000", "--seconds",
        "\(options.repetitions)",
      ]
    )
    if let text = disturber?.errorText, text != "Ready.\n" {
      throw BenchmarkError("The client that disturbs has ended: \(text)")
    }
    return figures.map { $0 / 1000 }
  }

  private func quantiles(_ milliseconds: [Double]) -> [Double?] {
    let sorted = milliseconds.sorted()
    return [sorted[sorted.count / 2], sorted[sorted.count * 99 / 100], sorted.last]
  }

  /// Runs `body` with a router that is idle or under full load.
  private func withRouter<Value>(
    isBusy: Bool,
    environment: [String: String] = [:],
    _ body: (RouterServer) throws -> Value
  ) throws -> Value {
    let router = try RouterServer(options, environment: environment)
    let load = isBusy ? try router.keepBusy() : nil
    if isBusy { usleep(300_000) }
    return try withExtendedLifetime(load) { try body(router) }
  }

  private func deadlines(isBusy: Bool) throws -> (router: [Double?], own: [Double?]) {
    try withRouter(isBusy: isBusy) { router in
      let names = ["p50", "p99", "max"]
      let figures = try LoadProgram.figures(
        names + names.map { "own-\($0)" },
        ["router-deadlines", "--socket", router.socket, "--events", "\(20 * options.repetitions)"]
      ).map { $0 / 1000 }
      return (Array(figures[..<3]), Array(figures[3...]))
    }
  }

  private func signals(isBusy: Bool) throws -> [(told: Double, ended: Double)] {
    try (0..<2 * options.repetitions).map { _ in
      try withRouter(isBusy: isBusy) { router in
        let start = ContinuousClock.now
        router.program.send(signal: SIGTERM)
        try router.notifications.message(with: "STOPPING=1")
        let told = start.duration(to: .now)
        try router.program.waitForEnd()
        return (told / .milliseconds(1), start.duration(to: .now) / .milliseconds(1))
      }
    }
  }

  /// Returns how late each ping is.
  ///
  /// The ping with the least delay counts as punctual.
  private func watchdog(isBusy: Bool) throws -> [Double] {
    try withRouter(isBusy: isBusy, environment: ["WATCHDOG_USEC": "\(Self.watchdogUSec)"]) { router in
      let start = ContinuousClock.now
      let offsets = try (0..<10 * options.repetitions).map { count in
        try router.notifications.message(with: "WATCHDOG=1")
        return start.duration(to: .now) / .milliseconds(1) - Double(count * Self.watchdogUSec) / 2000
      }
      // The first pings are not used, because the router may have sent them before the load began.
      let later = offsets.dropFirst(10)
      let earliest = later.min() ?? 0
      return later.map { $0 - earliest }
    }
  }
}
