package import Dispatch

/// Runs an actor on a serial dispatch queue, so that handlers of dispatch sources on that queue run inside the actor.
///
/// On Apple's systems, a `DispatchSerialQueue` is itself an executor. Linux does not have this type.
package final class QueueExecutor: SerialExecutor {
  /// The queue that owns the actor's state.
  package let queue: DispatchQueue

  /// Makes an executor with its own queue.
  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  /// Runs a job of the actor on the queue.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Traps unless the caller runs on the queue.
  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
