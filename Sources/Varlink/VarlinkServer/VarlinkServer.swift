import Dispatch
package import QueueExecution
package import UnixSocket

/// Serves a ``VarlinkService`` on a listening socket.
///
/// One serial dispatch queue owns all state, including the service's. A timer and a source that watches the epoll set
/// run the ``ServerLoop``.
package actor VarlinkServer {
  package nonisolated let executor = QueueExecutor(label: "scened.server")
  private let loop: ServerLoop
  private var source: (any DispatchSourceRead)?
  private var isSuspended = false
  private let timer: any DispatchSourceTimer
  private var timerDeadline: UInt64?
  private var ended: (@Sendable ((any Error)?) -> Void)?

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  package init(
    listener: consuming ListeningSocket,
    limits: ServerLimits,
    makeService: sending (ReplyPort) -> any VarlinkService
  ) throws(SocketError) {
    loop = try ServerLoop(listener: listener, limits: limits, makeService: makeService)
    timer = DispatchSource.makeTimerSource(queue: executor.queue)
  }

  /// Starts accepting connections; ``stop()`` may be called even before.
  ///
  /// `ended` is called once, after the end: with nil after ``stop()``, or with the error that ended the server.
  package func start(ended: @escaping @Sendable ((any Error)?) -> Void) throws(SocketError) {
    self.ended = ended
    // Dispatch opens a descriptor when a timer is first set. So that happens now, before clients can use up all
    // descriptors.
    timer.setEventHandler {
      self.assumeIsolated {
        $0.timerDeadline = nil
        $0.run()
      }
    }
    timer.schedule(deadline: .now())
    timer.activate()
    if loop.hasStopped { return end(nil) }
    try loop.start()
    let source = DispatchSource.makeReadSource(
      fileDescriptor: loop.epoll.descriptor.rawValue,
      queue: executor.queue
    )
    source.setEventHandler { self.assumeIsolated { $0.run() } }
    source.activate()
    self.source = source
  }

  /// Begins to shut down, and returns without waiting for the end.
  ///
  /// When the service is ready to stop, every open call gets its last reply, and clients have up to a second to read
  /// it.
  package func stop() {
    do throws(SocketError) { try loop.stop() } catch { return end(error) }
    endOrScheduleTimer()
  }

  /// Lets the service act without a call; the replies are written before this returns.
  package func perform(_ action: (any VarlinkService) -> Void) {
    action(loop.service)
    if ended != nil { run() }
  }

  private func run() {
    do throws(SocketError) { try loop.run() } catch { return end(error) }
    endOrScheduleTimer()
  }

  private func endOrScheduleTimer() {
    if loop.hasStopped { return end(nil) }
    suspendSource(loop.holdsCalls)
    guard let deadline = loop.nextDeadline else { return }
    // A timer that fires earlier is left as it is: the loop then finds nothing to do, which costs less than setting the
    // timer again each time a deadline is removed.
    if let timerDeadline, timerDeadline <= deadline { return }
    timerDeadline = deadline
    let now = MonotonicClock.now
    timer.schedule(deadline: .now() + .microseconds(Int(deadline > now ? deadline - now : 0)))
  }

  /// Suspends or resumes the source; unread input would fire it again and again while the service holds calls.
  private func suspendSource(_ suspends: Bool) {
    guard let source, suspends != isSuspended else { return }
    isSuspended = suspends
    if suspends { source.suspend() } else { source.resume() }
  }

  private func end(_ error: SocketError?) {
    guard let ended else { return }
    self.ended = nil
    suspendSource(false)
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
