import Dispatch
package import QueueExecution
package import UnixSocket

/// Serves a ``VarlinkService`` on a listening socket.
///
/// One serial dispatch queue owns all state, including the service's state. The compiler checks that no other queue
/// uses the state. Two dispatch sources run the ``ServerLoop``: a timer, and a source that watches the loop's epoll
/// set.
package actor VarlinkServer {
  /// The queue on which the server and its service run.
  package nonisolated let executor = QueueExecutor(label: "scened.server")
  private let loop: ServerLoop
  private var source: (any DispatchSourceRead)?
  private var isSuspended = false
  private let timer: any DispatchSourceTimer
  /// The time at which the timer fires next.
  private var timerDeadline: UInt64?
  private var ended: (@Sendable ((any Error)?) -> Void)?

  /// Makes the actor run on ``executor``.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// Makes a server.
  ///
  /// The server accepts no connection before ``start(ended:)``.
  ///
  /// - Parameters:
  ///   - listener: The socket that clients connect to.
  ///   - limits: The limits for peers.
  ///   - makeService: Makes the service, which sends its replies through the given port.
  /// - Throws: `SocketError` if the system cannot make an epoll set.
  package init(
    listener: consuming ListeningSocket,
    limits: ServerLimits,
    makeService: sending (ReplyPort) -> any VarlinkService
  ) throws(SocketError) {
    loop = try ServerLoop(listener: listener, limits: limits, makeService: makeService)
    timer = DispatchSource.makeTimerSource(queue: executor.queue)
  }

  /// Starts accepting connections.
  ///
  /// The server calls `ended` once, after its end: with `nil` after ``stop()``, or with the error that ended the
  /// server.
  ///
  /// ``stop()`` may be called even before this function.
  package func start(ended: @escaping @Sendable ((any Error)?) -> Void) throws(SocketError) {
    self.ended = ended
    // Dispatch opens a descriptor when a timer is set for the first time. The timer is therefore set now, before
    // clients can connect and use up all descriptors.
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
  /// The server accepts no more connections. When the service is ready to stop, every open call gets its last reply.
  /// Clients have up to a second to read these replies.
  package func stop() {
    do throws(SocketError) { try loop.stop() } catch { return end(error) }
    endOrScheduleTimer()
  }

  /// Lets the service act on its own, without a call from a client.
  ///
  /// The replies that the action makes are written before this function returns.
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
    // A timer that already fires before `deadline` is left as it is. It may then fire too early, and the loop finds
    // nothing to do. That costs less than setting the timer again each time a deadline is removed.
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
