import Foundation
import TestSupport
import Testing

/// `scenectl status --metrics`.
@Suite(.blocking) struct MetricsTests {
  @Test func metricsAreTheNumbersOfTheRouter() throws {
    let router = try Router()
    let (_, scene) = try router.scene("--application", "A", "--prefer", "good")
    _ = try router.scenectl("open", "x:good", "x:good", "x:bad")
    let run = try router.scenectl("status", "--metrics")
    #expect(run.status == 0 && run.error == "")
    let object = try #require(try router.scenectl("status", "--json").objects().first)
    for line in [
      "# HELP scened_scenes Open scenes.", "# TYPE scened_scenes gauge", "scened_scenes 1",
      "scened_applications 0", "scened_pending_deliveries 0", "scened_missing 0",
      "# TYPE scened_events_total counter",
      #"scened_events_total{result="acknowledged"} 2"#, #"scened_events_total{result="notRouted"} 1"#,
      "scened_registry_changes_total \(object["generation"] ?? "")",
      #"scened_build_info{product="scened",version="\#(object["version"] ?? "")"} 1"#,
    ] {
      #expect(run.lines.contains(line), "\(line) is missing in \(run.output)")
    }
    // The number varies, because the router may still count the connections of tools that have ended.
    #expect(run.output.contains(/\nscened_connections \d+\n/))
    let started = try #require(run.output.firstMatch(of: /scened_start_time_seconds (\d+\.\d{6})\n/))
    #expect(object["startedUSec"] == String(started.1).replacing(".", with: ""))
    try expectMetrics(run.output)
    _ = scene
  }

  /// The histogram of durations must agree with the times that `scenectl history` prints.
  @Test func timesOfRememberedEventsAreCounted() throws {
    let router = try Router()
    let (_, scene) = try router.scene("--application", "A", "--prefer", "good")
    _ = try router.scenectl("open", "x:good", "x:good", "x:bad")
    let times = try router.scenectl("history", "--json").objects().map { record in
      try #require(Int(record["settledUSec"] ?? "")) - #require(Int(record["routedUSec"] ?? ""))
    }
    let run = try router.scenectl("status", "--metrics")
    let prefix = "scened_recent_event_duration_seconds"
    #expect(times.count == 3)
    for (bound, microseconds) in [("0.001", 1000), ("0.25", 250_000), ("10.0", 10_000_000)] {
      let line = #"\#(prefix)_bucket{le="\#(bound)"} \#(times.count { $0 <= microseconds })"#
      #expect(run.lines.contains(line), "\(line) is missing in \(run.output)")
    }
    let digits = String(times.reduce(0, +) + 10_000_000).dropFirst()
    let sum = "\(times.reduce(0, +) / 1_000_000).\(digits.suffix(6))"
    for line in [#"\#(prefix)_bucket{le="+Inf"} 3"#, "\(prefix)_count 3", "\(prefix)_sum \(sum)"] {
      #expect(run.lines.contains(line), "\(line) is missing in \(run.output)")
    }
    _ = try router.scenectl("history", "--clear")
    #expect(try router.scenectl("status", "--metrics").lines.contains("\(prefix)_count 0"))
    _ = scene
  }

  /// Quotation marks and line breaks in the router's texts do not end a label or a line of the metrics.
  @Test func textsOfTheRouterAreEscaped() throws {
    let service = try HostileService(.replies(words: ["product": #"a"b\n\"#], showsActivity: false))
    defer { try? service.end() }
    let environment = ["SCENED_SOCKET": service.path]
    let run = try Router.scenectl(["status", "--metrics"], environment: environment)
    let labels = #"{product="a\"b\\n\\",version="t\\u{a}FORGED"#
    #expect(run.lines.contains { $0.hasPrefix("scened_build_info" + labels) })
    try expectMetrics(run.output)
  }

  @Test func metricsAreNoJSON() throws {
    let run = try Router.scenectl(["status", "--metrics", "--json"])
    #expect(run.status == 64)
    #expect(run.error.hasPrefix("scenectl: --metrics and --json exclude each other."))
  }

  /// Checks that Prometheus reads the text and finds no fault in the text's names and types.
  private func expectMetrics(_ text: String) throws {
    let promtool = try TestEnvironment.run("get-promtool")
    let directory = try TemporaryDirectory()
    try Data(text.utf8).write(to: URL(filePath: directory.appending("metrics")))
    let check = #""$0" check metrics <"$1""#
    let run = try SpawnedProgram.run("/bin/sh", ["-c", check, promtool, directory.appending("metrics")])
    #expect(run.ending == .exit(0) && run.output == "" && run.error == "", "\(run) \(text)")
  }
}
