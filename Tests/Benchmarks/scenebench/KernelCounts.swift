import Foundation
import TestSupport

/// Counts system calls with strace(1).
enum SystemCalls {
  /// Returns how many system calls a process makes for each event of a load; `nil` if strace is not installed.
  ///
  /// The system calls of all threads are counted. `load` returns the number of events.
  static func perEvent(
    of process: CInt,
    _ load: () throws -> Double
  ) throws -> (total: Double, summary: String)? {
    guard let strace = Machine.program("strace") else { return nil }
    let trace = try SystemCallTrace(of: process, by: strace, options: ["-c", "-U", "calls,name"])
    let events = try load()
    let counts = try trace.end().compactMap { line -> (name: String, count: Double)? in
      let words = line.split(separator: " ")
      return words.count == 2 ? Double(words[0]).map { (String(words[1]), $0 / events) } : nil
    }
    let each = counts.filter { $0.name != "total" }
    let summary = each.filter { $0.count >= 0.005 }.sorted { $0.count > $1.count }
      .map { String(format: "%.2f \($0.name)", $0.count) }.joined(separator: ", ")
    return (each.reduce(0) { $0 + $1.count }, summary)
  }
}

/// Counts context switches as reported by the kernel.
enum ContextSwitches {
  /// Returns how many context switches a process, with all its threads, makes for each event of a load.
  static func perEvent(of process: CInt, _ load: () throws -> Double) throws -> Double {
    let before = count(of: process)
    let events = try load()
    return (count(of: process) - before) / events
  }

  private static func count(of process: CInt) -> Double {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    return threads.flatMap { Machine.lines(of: "/proc/\(process)/task/\($0)/status") }
      .filter { $0.contains("ctxt_switches:") }
      .compactMap { $0.split(whereSeparator: \.isWhitespace).last.flatMap { Double($0) } }
      .reduce(0, +)
  }
}
