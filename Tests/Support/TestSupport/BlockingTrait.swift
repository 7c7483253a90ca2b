import Foundation
package import Testing

/// Runs tests away from the threads of tasks, of which there is one for each processor.
///
/// A test that waits for other programs keeps its thread meanwhile. If it had one of those, all tests that are `async`
/// would stand still with it, and what has a time limit in them would miss it.
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
  /// The test, or each test of the suite, waits without giving its thread to others.
  package static var blocking: Self { Self() }
}

/// Two threads for each processor, as a test waits about as long as it works; not more, so that they do not starve each
/// other either.
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
