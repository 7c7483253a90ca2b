package import Dispatch
package import UnixSocket

/// Serves a ``VarlinkService`` on a listening socket.
///
/// One serial dispatch queue owns all state, the service's included; the compiler checks it. A dispatch source on
/// the epoll set and a timer wake it up.
package actor VarlinkServer {
  /// The queue that owns the server and its service.
  package nonisolated let executor = QueueExecutor(label: "scened.server")
  private let loop: ServerLoop
  private var source: (any DispatchSourceRead)?
  private let timer: any DispatchSourceTimer
  /// When the timer fires next.
  private var timerDeadline: UInt64?
  private var ended: (@Sendable ((any Error)?) -> Void)?

  /// Runs on ``executor``.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Makes a server; nothing is accepted before ``start(ended:)``.
  ///
  /// - Parameters:
  ///   - listener: where clients connect.
  ///   - limits: what one peer may cost.
  ///   - makeService: makes the service for the port through which it replies.
  /// - Throws: `SocketError` if the system has no room for the server.
  package init(
    listener: consuming ListeningSocket,
    limits: ServerLimits,
    makeService: sending (ReplyPort) -> any VarlinkService
  ) throws(SocketError) {
    loop = try ServerLoop(listener: listener, limits: limits, makeService: makeService)
    timer = DispatchSource.makeTimerSource(queue: executor.queue)
  }

  /// Accepts from now on.
  ///
  /// `ended` is called once: after ``stop()``, or with the error that left the server of no more use.
  package func start(ended: @escaping @Sendable ((any Error)?) -> Void) throws(SocketError) {
    self.ended = ended
    try loop.start()
    let source = DispatchSource.makeReadSource(
      fileDescriptor: loop.epoll.descriptor.rawValue,
      queue: executor.queue
    )
    source.setEventHandler { self.assumeIsolated { $0.run() } }
    timer.setEventHandler { self.assumeIsolated { $0.timePassed() } }
    // What the timer needs of the system is opened when it is first set, before clients may use up all that there is.
    timer.schedule(deadline: .now())
    timer.activate()
    source.activate()
    self.source = source
  }

  /// Ends in order: no new connections, a last reply to every open call, a second for clients to read it.
  package func stop() {
    do throws(SocketError) { try loop.stop() } catch { return end(error) }
    endOrScheduleTimer()
  }

  private func run() {
    do throws(SocketError) { try loop.run() } catch { return end(error) }
    endOrScheduleTimer()
  }

  private func timePassed() {
    timerDeadline = nil
    run()
  }

  private func endOrScheduleTimer() {
    if loop.hasStopped { return end(nil) }
    guard let deadline = loop.nextDeadline else { return }
    // A timer that fires too early finds nothing to do and is set anew, which is rarer than deadlines that come and
    // are met.
    if let timerDeadline, timerDeadline <= deadline { return }
    timerDeadline = deadline
    let now = MonotonicClock.now
    timer.schedule(deadline: .now() + .microseconds(Int(deadline > now ? deadline - now : 0)))
  }

  private func end(_ error: SocketError?) {
    guard let ended else { return }
    self.ended = nil
    source?.cancel()
    timer.cancel()
    do throws(SocketError) {
      try loop.removeFile()
      ended(error)
    } catch let failure {
      ended(error ?? failure)
    }
  }
}

/// Runs an actor on a serial dispatch queue, so that handlers of dispatch sources on that queue are already
/// inside the actor and enter it without waiting.
///
/// `DispatchSerialQueue`, which could be an executor itself, does not exist on Linux.
package final class QueueExecutor: SerialExecutor {
  /// The queue that owns the actor's state.
  package let queue: DispatchQueue

  /// Makes an executor with a queue of its own.
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
