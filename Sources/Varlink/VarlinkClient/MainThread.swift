import CLinux
import Dispatch
import Glibc
import Synchronization
package import UnixSocket

/// An executor that runs tasks on the main thread, while it also runs the loop of all connections.
///
/// Normally, a main-actor task that gets a reply continues first on a thread of the global executor, and then on the
/// main thread. A task that prefers this executor needs no other thread to wake.
package final class MainThread: TaskExecutor {
  /// Nil if the main thread does not run the loop.
  package static var executor: MainThread? { shared.state.withLock(\.isRunning) ? shared : nil }
  private static let shared = MainThread()

  private struct State {
    var isRunning = false
    var isAwake = true
    var jobs: [UnownedJob] = []
  }

  private let state = Mutex(State())

  /// Runs the main queue, and also the loop of all connections if no thread runs it yet.
  ///
  /// Call it on the main thread, not from the main queue, before a connection is made.
  package static func run() throws(SocketError) -> Never {
    let loop = try ReadinessLoop.shared.get()
    guard loop.takesThread() else { dispatchMain() }
    shared.state.withLock { $0.isRunning = true }
    let queue = MainQueue()
    try loop.wait(
      for: Epoll.Readiness(isReadable: true),
      insteadOf: Epoll.Readiness(),
      of: queue.handle,
      queue
    )
    loop.run(whenAwake: { shared.state.withLock { $0.isAwake = true } }, afterTurn: shared.runJobs)
    dispatchMain()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isAwake = state.withLock { state in
      state.jobs.append(job)
      return state.isAwake
    }
    if !isAwake { DispatchQueue.main.async {} }
  }

  private func runJobs() {
    while true {
      let jobs = state.withLock { state in
        defer { state.jobs = [] }
        state.isAwake = !state.jobs.isEmpty
        return state.jobs
      }
      if jobs.isEmpty { return }
      for job in jobs {
        unsafe job.runSynchronously(
          isolatedTo: MainActor.sharedUnownedExecutor,
          taskExecutor: asUnownedTaskExecutor()
        )
      }
    }
  }
}

private final class MainQueue: LoopMember {
  let handle = _dispatch_get_main_queue_handle_4CF()

  func becameReady(_ readiness: Epoll.Readiness, using buffer: inout [UInt8]) {
    var count: UInt64 = 0
    _ = unsafe read(handle, &count, MemoryLayout.size(ofValue: count))
    _dispatch_main_queue_callback_4CF(nil)
  }

  func close(_ error: VarlinkClientError) {}
}
