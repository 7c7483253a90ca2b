import Dispatch

/// Runs `script`, which may block, on a thread of its own.
package func onThread<Value: Sendable>(
  _ script: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "script").async { continuation.resume(with: Result { try script() }) }
  }
}

/// Something that happens once, and that a task waits for.
package struct Signal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  /// Something that has not happened.
  package init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  /// Notes that it happened.
  package func fire() {
    continuation.finish()
  }

  /// Waits until it happened, or the task is cancelled.
  package func wait() async {
    for await _ in stream {}
  }
}
