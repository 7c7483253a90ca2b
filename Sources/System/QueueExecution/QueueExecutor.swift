package import Dispatch

/// Runs an actor on a serial dispatch queue, so that handlers of dispatch sources on that queue run inside the actor.
///
/// On Apple's systems, a `DispatchSerialQueue` is itself an executor; Linux lacks this type.
package final class QueueExecutor: SerialExecutor {
  package let queue: DispatchQueue

  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
