import Dispatch

/// Runs `script`, which may block, on its own thread.
package func onThread<Value: Sendable>(
  _ script: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "script").async { continuation.resume(with: Result { try script() }) }
  }
}

/// A single occurrence that a task can wait for.
package struct Signal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  /// Makes a signal that has not happened.
  package init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  /// Notes that the signal has happened.
  package func fire() {
    continuation.finish()
  }

  /// Waits until the signal has happened, or the task is cancelled.
  package func wait() async {
    for await _ in stream {}
  }
}
