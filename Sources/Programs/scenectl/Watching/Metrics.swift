import SceneClient

/// The numbers of a router in the text format of Prometheus (exposition format 0.0.4).
///
/// The textfile collector of node_exporter does not read OpenMetrics, in which `# HELP` and `# TYPE` name a counter
/// without `_total`.
struct Metrics {
  private(set) var lines: [String] = []

  /// The records in the histogram: enough for percentiles, in about half a megabyte.
  static let recordCount = 1000

  /// In seconds: a router handles an event in less than a millisecond, and a program may need seconds to start.
  private static let bounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

  init(_ program: RouterProgram, _ statistics: Statistics, _ records: [EventRecord]) {
    add("build_info", "The program that answers, as labels.", "gauge") {
      [("{product=\(Self.value(program.name)),version=\(Self.value(program.version))}", "1")]
    }
    add("start_time_seconds", "When the router was started, in seconds since 1970.", "gauge") {
      [("", Self.seconds(statistics.started))]
    }
    let gauges = [
      ("scenes", "Open scenes.", statistics.scenes),
      ("applications", "Declared applications.", statistics.applications),
      ("connections", "Open connections.", statistics.connections),
      ("pending_deliveries", "Deliveries that are not settled.", statistics.pendingDeliveries),
      (
        "missing", "Scenes and applications for which events wait after a restart.",
        statistics.missing ?? 0
      ),
    ]
    for (name, about, number) in gauges { add(name, about, "gauge") { [("", "\(number)")] } }
    add("registry_changes_total", "Changes of scenes and applications since the start.", "counter") {
      [("", "\(statistics.generation)")]
    }
    add("events_total", "Events that have ended since the start, by result.", "counter") {
      statistics.events.sorted { $0.key < $1.key }.map { ("{result=\(Self.value($0.key))}", "\($0.value)") }
    }
    let times = records.compactMap { record in record.settled.map { $0 - record.routed } }
    add(
      "recent_event_duration_seconds",
      "Time from sending to the end of the newest events, \(Self.recordCount) at most, not of all events.",
      "histogram"
    ) {
      Self.bounds.map { bound in ("_bucket{le=\"\(bound)\"}", "\(times.count { $0 <= .seconds(bound) })") }
        + [
          ("_bucket{le=\"+Inf\"}", "\(times.count)"), ("_sum", Self.seconds(times.reduce(.zero, +))),
          ("_count", "\(times.count)"),
        ]
    }
  }

  private mutating func add(
    _ name: String,
    _ about: String,
    _ type: String,
    _ samples: () -> [(suffix: String, number: String)]
  ) {
    let name = "scened_" + name
    lines += ["# HELP \(name) \(about)", "# TYPE \(name) \(type)"]
    lines += samples().map { "\(name)\($0.suffix) \($0.number)" }
  }

  private static func value(_ text: String) -> String {
    "\"" + text.printable.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private static func seconds(_ time: Duration) -> String {
    let (seconds, microseconds) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return "\(seconds).\(microseconds.text(digits: 6))"
  }
}
