import Foundation
import TestSupport

/// Counts the allocations of one program that is started with its ``environment``, by the library in
/// `Tests/Support/AllocationCount`.
final class AllocationCounter {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try Data(count: MemoryLayout<UInt64>.size).write(to: URL(filePath: file))
  }

  private var file: String { directory.appending("count") }

  /// What the program needs to have in its environment.
  var environment: [String: String] {
    ["LD_PRELOAD": SpawnedProgram.buildDirectory + "/libAllocationCount.so", "ALLOCATION_COUNT": file]
  }

  /// How often the program has allocated so far.
  var count: Int {
    get throws { try Data(contentsOf: URL(filePath: file)).withUnsafeBytes { Int($0.load(as: UInt64.self)) } }
  }

  /// The same once the program, whose process this is, only waits: a reply is sent before all that goes with it is done.
  func countAtRest(of process: CInt) throws -> Int {
    while try Self.isRunning(process) { sched_yield() }
    return try count
  }

  /// Whether any thread has something to do.
  private static func isRunning(_ process: CInt) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").contains { thread in
      // Nothing if the thread has ended meanwhile. The state follows the name in parentheses; see proc_pid_stat(5).
      let status = FileManager.default.contents(atPath: "/proc/\(process)/task/\(thread)/stat") ?? Data()
      let state = String(decoding: status, as: UTF8.self).split(separator: ") ").last?.first
      return state == "R" || state == "D"
    }
  }
}
