import Foundation
import TestSupport
import Testing

/// The units of scenectl(1) that write metrics for Prometheus, run by a real systemd.
@Suite(.blocking) struct MetricsUnitTests {
  @Test func timerWritesMetricsForTheTextfileCollector() throws {
    let manual = PackageDirectory.appending("systemd/man/scened.recipes.7")
    let page = try String(contentsOfFile: manual, encoding: .utf8)
    let box = try SystemBox()
    try box.run("mkdir", "--parents", "/var/lib/prometheus/node-exporter")
    for unit in ["scened-metrics.service", "scened-metrics.timer"] {
      let path = "/etc/systemd/system/\(unit)"
      let heading = "\(path.replacing("-", with: #"\-"#)):\n.PP\n.EX\n"
      let start = try #require(page.firstRange(of: heading)).upperBound
      let end = try #require(page[start...].firstRange(of: ".EE\n")).lowerBound
      let text = page[start..<end].replacing(#"\-"#, with: "-").replacing(#"\(aq"#, with: "'")
      try box.run("sh", "-c", #"printf %s "$1" >"$0""#, path, String(text))
    }
    try box.run("systemctl", "start", "scened.socket")
    try box.run("systemctl", "enable", "--now", "scened-metrics.timer")
    let file = "/var/lib/prometheus/node-exporter/scened.prom"
    let metrics = try box.run("sh", "-c", #"until [ -s "$0" ]; do sleep 0.1; done; cat "$0""#, file)
    #expect(metrics.contains("scened_scenes 0\n"))
    #expect(metrics.contains(#"scened_build_info{product="scened","#))
  }
}
