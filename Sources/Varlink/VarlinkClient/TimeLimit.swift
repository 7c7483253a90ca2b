import Synchronization
import UnixSocket

/// Runs `body`, and cancels it when it has taken as long as `limit`; nil is no limit.
///
/// Where the main thread runs the loop, `body` stays on it, as ``MainThread/executor`` is its preference.
///
/// - Returns: what `body` returns.
/// - Throws: what `body` throws; `noAnswer` after the limit.
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

/// A time on the loop, after which something is done once.
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

  /// Has a task call `action` when `duration` is over, unless ``hasPassed()`` was called before.
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

  /// Ends it; returns whether its time has passed.
  func hasPassed() -> Bool { end(as: .isOver) == .hasPassed }

  func becameReady(_ readiness: Epoll.Readiness, using buffer: inout [UInt8]) {
    // What was ready may have been another descriptor of the same number.
    guard timer.takeEnd() else { return }
    guard end(as: .hasPassed) == .isRunning else { return }
    // Behind the tasks that were resumed before: a reply that has come counts, however late its task gets to it.
    Task(executorPreference: MainThread.executor) { [action] in action() }
  }

  /// The limit is kept no more: all connections have ended, too.
  func close(_ error: VarlinkClientError) {}

  /// Takes it off the loop if it is running; returns what it was before.
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
