import Foundation
package import Testing

/// Runs tests away from the threads of tasks, of which there is one for each processor.
///
/// A test that waits for other programs blocks its thread meanwhile. On a thread of tasks, it would stop all `async`
/// tests, and their time limits would pass.
package struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
  /// Applies to all tests of a suite.
  package let isRecursive = true

  /// Runs one case of a test on the threads for blocking tests.
  package func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(BlockingExecutor.shared) { try await function() }
  }
}

extension Trait where Self == BlockingTrait {
  /// Marks a test, or each test of a suite, that blocks its thread while it waits.
  package static var blocking: Self { Self() }
}

/// Two threads for each processor, because a test waits about as long as it works.
///
/// More threads would starve each other.
private final class BlockingExecutor: TaskExecutor {
  static let shared = BlockingExecutor()

  private let threads = OperationQueue()

  init() {
    threads.maxConcurrentOperationCount = 2 * ProcessInfo.processInfo.activeProcessorCount
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    threads.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
