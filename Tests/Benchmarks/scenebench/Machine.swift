import Foundation

/// The machine that runs the measurements, and the load by other processes.
enum Machine {
  /// Processor, memory, kernel and date in one line.
  static var description: String {
    let model = lines(of: "/proc/cpuinfo").first { $0.hasPrefix("model name") }?.split(separator: ":").last
    let memory = lines(of: "/proc/meminfo").first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    let kernel = lines(of: "/proc/sys/kernel/osrelease").first ?? ""
    let name = model?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
    let date = Date.now.formatted(.iso8601.year().month().day())
    return
      "\(name), \(ProcessInfo.processInfo.processorCount) processors, \(memory >> 20) GiB, Linux \(kernel), \(date)"
  }

  /// The machine's processor time in clock ticks.
  ///
  /// - `total`: all time;
  /// - `busy`: the time in which the processors were not idle;
  /// - `own`: the time that this process group used.
  struct ProcessorTime {
    var total = 0.0
    var busy = 0.0
    var own = 0.0
  }

  static var processorTime: ProcessorTime {
    var time = ProcessorTime()
    // The fields are: cpu user nice system idle iowait irq softirq steal; see proc_stat(5).
    let ticks = lines(of: "/proc/stat").first?.split(separator: " ").dropFirst().prefix(8).compactMap {
      Double($0)
    }
    for (place, value) in (ticks ?? []).enumerated() {
      time.total += value
      if place != 3, place != 4 { time.busy += value }
    }
    let group = "\(getpgrp())"
    for process in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard Int(process) != nil, let status = lines(of: "/proc/\(process)/stat").first,
        let end = status.lastIndex(of: ")")
      else { continue }
      // The fields are: state ppid pgrp ... utime stime cutime cstime; see proc_pid_stat(5).
      let fields = status[status.index(end, offsetBy: 2)...].split(separator: " ")
      if fields.count > 14, fields[2] == group {
        time.own += fields[11...14].compactMap { Double($0) }.reduce(0, +)
      }
    }
    return time
  }

  /// Returns the processor time of a process in seconds, including all its threads.
  static func processorSeconds(of process: CInt) -> Double {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns the share of the machine's processor time, from 0 to 1, that other processes used.
  static func foreignLoad(since before: ProcessorTime) -> Double {
    let after = processorTime
    let total = after.total - before.total
    guard total > 0 else { return 0 }
    return min(1, max(0, (after.busy - before.busy) - (after.own - before.own)) / total)
  }

  /// Returns the lines of a small file; none if it cannot be read.
  static func lines(of path: String) -> [String] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map { String($0) }
  }

  /// Returns the path of a program in `$PATH`; `nil` if the program is not installed.
  static func program(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Returns a value such as `Rss` from `/proc/PID/FILE`, in kilobytes.
  static func kilobytes(_ name: String, in file: String, of process: CInt) -> Double? {
    lines(of: "/proc/\(process)/\(file)").first { $0.hasPrefix("\(name):") }
      .flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Double($0) }
  }
}
