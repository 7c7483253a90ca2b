import Foundation
import TestSupport

/// Counts the allocations of one program that is started with ``environment``.
///
/// The library in `Tests/Support/AllocationCount` does the counting.
final class AllocationCounter {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try Data(count: MemoryLayout<UInt64>.size).write(to: URL(filePath: file))
  }

  private var file: String { directory.appending("count") }

  /// The environment variables with which the counted program has to be started.
  var environment: [String: String] {
    ["LD_PRELOAD": SpawnedProgram.buildDirectory + "/libAllocationCount.so", "ALLOCATION_COUNT": file]
  }

  /// The number of allocations by the program so far.
  var count: Int {
    get throws { try Data(contentsOf: URL(filePath: file)).withUnsafeBytes { Int($0.load(as: UInt64.self)) } }
  }

  /// Waits until no thread of the process is running, and returns the count.
  ///
  /// The process may still work on a call after it has sent the reply. Counting at once would miss this work.
  func countAtRest(of process: CInt) throws -> Int {
    while try Self.isRunning(process) { sched_yield() }
    return try count
  }

  /// Returns whether any thread is running or in uninterruptible sleep.
  private static func isRunning(_ process: CInt) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").contains { thread in
      // `status` is empty if the thread has ended meanwhile. The state follows the name in parentheses; see
      // proc_pid_stat(5).
      let status = FileManager.default.contents(atPath: "/proc/\(process)/task/\(thread)/stat") ?? Data()
      let state = String(decoding: status, as: UTF8.self).split(separator: ") ").last?.first
      return state == "R" || state == "D"
    }
  }
}
