import Foundation
import Synchronization
package import Testing

/// Runs tests on threads of their own instead of the threads of Swift's tasks.
///
/// A test that waits for other programs blocks its thread. Swift has only one thread for tasks per processor. If tests
/// blocked all of these threads, no `async` test could run, and its time limit would pass.
package struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
  /// Applies to all tests of a suite.
  package let isRecursive = true

  /// Runs one case of a test on the threads for blocking tests, when one of these threads is free.
  package func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    await BlockingExecutor.shared.begin()
    defer { BlockingExecutor.shared.end() }
    try await withTaskExecutorPreference(BlockingExecutor.shared) { try await function() }
  }
}

extension Trait where Self == BlockingTrait {
  /// Marks tests that block their threads while they wait.
  package static var blocking: Self { Self() }
}

/// The threads that run blocking tests.
///
/// There are twice as many threads as processors, because a test spends about half of its time waiting. More threads
/// would slow each other down. No more tests run than there are threads, so a test that has begun never waits for the
/// end of another test.
private final class BlockingExecutor: TaskExecutor {
  static let shared = BlockingExecutor()

  private struct Tests {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let threads = OperationQueue()
  private let tests: Mutex<Tests>

  init() {
    let count = 2 * ProcessInfo.processInfo.activeProcessorCount
    threads.maxConcurrentOperationCount = count
    tests = Mutex(Tests(free: count))
  }

  /// Returns when a test may begin.
  func begin() async {
    await withCheckedContinuation { continuation in
      let mayBegin = tests.withLock { tests in
        if tests.free == 0 {
          tests.waiting.append(continuation)
          return false
        }
        tests.free -= 1
        return true
      }
      if mayBegin { continuation.resume() }
    }
  }

  /// Lets the next test begin.
  func end() {
    let next = tests.withLock { tests -> CheckedContinuation<Void, Never>? in
      if tests.waiting.isEmpty {
        tests.free += 1
        return nil
      }
      return tests.waiting.removeFirst()
    }
    next?.resume()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    threads.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
