import Synchronization
import UnixSocket

/// Runs `body`, and cancels `body` after `limit`; nil means no limit.
///
/// If the main thread runs the loop, `body` stays on the main thread, because `body` prefers ``MainThread/executor``.
///
/// - Returns: The result of `body`.
/// - Throws: The error of `body`, or `noAnswer` after the limit.
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

/// A time limit that the loop waits for.
///
/// At the end of the time, an action runs once.
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

  /// Starts the time.
  ///
  /// When `duration` has passed, a task calls `action`. If ``hasPassed()`` is called before, it stops the timer, and
  /// `action` is not called.
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
    // The event may have been for an earlier descriptor with the same number.
    guard timer.takeEnd() else { return }
    guard end(as: .hasPassed) == .isRunning else { return }
    // The new task runs after all tasks that were resumed before it. So a caller gets a reply that has come in time,
    // even if the task of the caller runs late.
    Task(executorPreference: MainThread.executor) { [action] in action() }
  }

  /// Does nothing.
  ///
  /// After a failure of the loop, the time never passes. Nothing waits for the time any more, because the failure has
  /// closed all connections.
  func close(_ error: VarlinkClientError) {}

  /// Removes a running timer from the loop; returns the previous state.
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
