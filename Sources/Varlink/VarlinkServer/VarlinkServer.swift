import Dispatch
package import QueueExecution
package import UnixSocket

/// Serves a ``VarlinkService`` on a listening socket.
///
/// One serial dispatch queue owns all state, the service's included; the compiler checks it. A timer and a dispatch
/// source on the loop's epoll set run the ``ServerLoop``.
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
  /// `ended` is called once: after ``stop()``, which may have come before, or with the error that ended the server.
  package func start(ended: @escaping @Sendable ((any Error)?) -> Void) throws(SocketError) {
    self.ended = ended
    // When a timer is set first, Dispatch opens its descriptor; later, clients may have taken them all.
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

  /// Shuts down: no new connections, a last reply to every open call, and a second for clients to read it.
  package func stop() {
    do throws(SocketError) { try loop.stop() } catch { return end(error) }
    endOrScheduleTimer()
  }

  /// Has the service do something that no connection asks for; what it replies is written at once.
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
    guard let deadline = loop.nextDeadline else { return }
    // A timer that is set to an earlier time stays: to fire in vain is rarer than deadlines that are met in time.
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
