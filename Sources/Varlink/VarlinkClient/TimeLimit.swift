import Dispatch
import Synchronization

/// Runs `body`, and cancels it after `limit`; nil means no limit.
///
/// With a limit, `body` stays on the main queue if replies are read there.
///
/// - Throws: The error of `body`; `noAnswer` after the limit. With a limit, also `cancelled` if the task is cancelled
///   at the start.
package func within<Value: Sendable>(
  _ limit: Duration?,
  _ body: @escaping @Sendable () async throws(VarlinkClientError) -> Value
) async throws(VarlinkClientError) -> Value {
  guard let limit else { return try await body() }
  guard !Task.isCancelled else { throw .cancelled }
  let task = Task.immediate(executorPreference: MainQueue.executor) {
    () async -> Result<Value, VarlinkClientError> in
    do throws(VarlinkClientError) {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }
  let hasPassed = Atomic(false)
  let timer = DispatchSource.makeTimerSource(queue: Channel.queue)
  timer.setEventHandler {
    hasPassed.store(true, ordering: .relaxed)
    // The new task runs after all tasks resumed earlier, so a reply that came in time reaches its caller before the
    // call is cancelled.
    Task(executorPreference: MainQueue.executor) { task.cancel() }
  }
  timer.schedule(deadline: .now() + limit / .seconds(1))
  timer.activate()
  let result = await withTaskCancellationHandler {
    await task.value
  } onCancel: {
    task.cancel()
  }
  timer.cancel()
  if hasPassed.load(ordering: .relaxed), case .failure(.cancelled) = result { throw .noAnswer(within: limit) }
  return try result.get()
}
