import SceneClient

/// The numbers of a router in the text format of Prometheus (exposition format 0.0.4).
///
/// The textfile collector of node_exporter reads this format. The collector does not read OpenMetrics, in which the
/// lines that describe a counter name the counter without `_total`.
struct Metrics {
  /// The lines, in an order that does not change.
  private(set) var lines: [String] = []

  /// Describes the state and the counters of a router.
  init(_ program: RouterProgram, _ statistics: Statistics) {
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
  }

  private mutating func add(
    _ name: String,
    _ about: String,
    _ type: String,
    _ samples: () -> [(labels: String, number: String)]
  ) {
    let name = "scened_" + name
    lines += ["# HELP \(name) \(about)", "# TYPE \(name) \(type)"]
    lines += samples().map { "\(name)\($0.labels) \($0.number)" }
  }

  /// Returns the value of a label, in quotes.
  private static func value(_ text: String) -> String {
    "\"" + text.printable.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private static func seconds(_ time: Duration) -> String {
    let (seconds, microseconds) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return "\(seconds).\(microseconds.text(digits: 6))"
  }
}
