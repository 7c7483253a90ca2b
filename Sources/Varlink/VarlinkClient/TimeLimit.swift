import Synchronization
import UnixSocket

/// Runs `body`, and cancels it after `limit`; nil means no limit.
///
/// With a limit, `body` stays on the main thread if that runs the loop of all connections.
///
/// - Throws: The error of `body`; `noAnswer` after the limit. With a limit, also `cancelled` if the task is cancelled
///   at the start, and `connectionFailed` if the timer cannot be started.
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

  /// Stops the timer.
  func hasPassed() -> Bool { end(as: .isOver) == .hasPassed }

  func becameReady(_ readiness: Epoll.Readiness, using buffer: inout [UInt8]) {
    // The report may be about an older descriptor that had the same number.
    guard timer.takeEnd() else { return }
    guard end(as: .hasPassed) == .isRunning else { return }
    // The new task runs after all tasks resumed earlier, so a reply that came in time reaches its caller before the
    // action can cancel the call.
    Task(executorPreference: MainThread.executor) { [action] in action() }
  }

  /// Not needed, because the failure also closes all connections, and no call waits for a reply.
  func close(_ error: VarlinkClientError) {}

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
