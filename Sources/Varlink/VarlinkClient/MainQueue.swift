import Dispatch
import Synchronization

/// An executor that runs tasks on the main queue, where the replies of all connections are read then, too.
///
/// Normally, a main-actor task that gets a reply continues first on a thread of the global executor, and then on the
/// main queue. A task that prefers this executor needs no other thread to wake.
package final class MainQueue: TaskExecutor {
  /// Nil if replies are not read on the main queue.
  package static var executor: MainQueue? { shared.isRunning.load(ordering: .relaxed) ? shared : nil }
  private static let shared = MainQueue()

  private let isRunning = Atomic(false)

  /// Call it on the main thread, not from the main queue, before a connection is made.
  package static func run() -> Never {
    shared.isRunning.store(true, ordering: .relaxed)
    dispatchMain()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.main.async {
      unsafe job.runSynchronously(
        isolatedTo: MainActor.sharedUnownedExecutor,
        taskExecutor: self.asUnownedTaskExecutor()
      )
    }
  }
}
