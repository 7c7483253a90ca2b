import Synchronization
import UnixSocket

/// Runs `body`, and cancels `body` after `limit`; nil means no limit.
///
/// If there is a limit and the main thread runs the loop of all connections, ``MainThread/executor`` keeps `body` on
/// the main thread.
///
/// - Returns: The result of `body`.
/// - Throws: The error of `body`, or `noAnswer` if `body` was cancelled because of the limit. If there is a limit, this
///   function also throws `cancelled` if the task is already cancelled at the start of this function, and
///   `connectionFailed` if the timer cannot be started.
package func within<Value: Sendable>(
  _ limit: Duration?,
  _ body: @escaping @Sendable () async throws(VarlinkClientError) -> Value
) async throws(VarlinkClientError) -> Value {
  guard let limit else { return try await body() }
  guard !Task.isCancelled else { throw .cancelled }
  let task = Task.immediate(executorPreference: MainThread.executor) {
    () async -> Result<Value, VarlinkClientError> in
    do throws(VarlinkClientError) {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }
  let deadline: Deadline
  do throws(SocketError) {
    deadline = try Deadline(after: limit) { task.cancel() }
  } catch {
    task.cancel()
    throw .connectionFailed(error)
  }
  let result = await withTaskCancellationHandler {
    await task.value
  } onCancel: {
    task.cancel()
  }
  if deadline.hasPassed(), case .failure(.cancelled) = result { throw .noAnswer(within: limit) }
  return try result.get()
}

/// A timer that runs an action once, when its time has passed.
///
/// The loop of all connections waits for the timer.
private final class Deadline: LoopMember {
  private enum State {
    case isRunning
    case isOver
    case hasPassed
  }

  private let timer: Timer
  private let loop: ReadinessLoop
  private let action: @Sendable () -> Void
  private let state = Mutex(State.isRunning)

  /// Starts the timer.
  ///
  /// When `duration` has passed, a task calls `action`. If ``hasPassed()`` is called before that time, the timer stops,
  /// and `action` is never called.
  init(after duration: Duration, _ action: @escaping @Sendable () -> Void) throws(SocketError) {
    self.action = action
    timer = try Timer(duration)
    loop = try ReadinessLoop.shared.get()
    try loop.wait(
      for: Epoll.Readiness(isReadable: true),
      insteadOf: Epoll.Readiness(),
      of: timer.descriptor.rawValue,
      self
    )
    loop.startThread()
  }

  /// Stops the timer; returns whether the time had already passed.
  func hasPassed() -> Bool { end(as: .isOver) == .hasPassed }

  func becameReady(_ readiness: Epoll.Readiness, using buffer: inout [UInt8]) {
    // The loop's report may be about an older descriptor that had the same number as the timer's descriptor. `takeEnd`
    // returns false if the time has not passed yet.
    guard timer.takeEnd() else { return }
    guard end(as: .hasPassed) == .isRunning else { return }
    // The action gets a new task, which runs after all tasks that were resumed earlier. So if a reply came in time, its
    // caller gets the reply before the action can cancel the call.
    Task(executorPreference: MainThread.executor) { [action] in action() }
  }

  /// Does nothing; the loop calls this method when the loop fails.
  ///
  /// The timer is then not needed, because the failure also closes all connections, and no call waits for a reply.
  func close(_ error: VarlinkClientError) {}

  /// If the timer is running, removes it from the loop and changes the state to `end`; returns the previous state.
  private func end(as end: State) -> State {
    state.withLock { state in
      guard state == .isRunning else { return state }
      try? loop.wait(
        for: Epoll.Readiness(),
        insteadOf: Epoll.Readiness(isReadable: true),
        of: timer.descriptor.rawValue,
        self
      )
      defer { state = end }
      return state
    }
  }
}
