import Synchronization
import Varlink

final class ReplyBuffer: OpenCall {
  /// The number of waiting replies at which reading from the service pauses.
  ///
  /// With a much smaller limit, the service and the caller would wait for each other at every reply; with a much larger
  /// one, long replies would take too much memory.
  static let limit = 64

  private let queue = Mutex(ReplyQueue())
  private let decode: @Sendable (borrowing Reply) throws(ParameterError) -> any Sendable

  init(decode: @escaping @Sendable (borrowing Reply) throws(ParameterError) -> any Sendable) {
    self.decode = decode
  }

  var isFull: Bool { queue.withLock { $0.count >= Self.limit } }

  /// Returns the next reply; nil after the last one.
  ///
  /// Cancelling the task calls `onCancel` and drops all replies. Runs on the caller's actor, because each change of
  /// thread would cost as much as the reply.
  func next(
    isolation: isolated (any Actor)? = #isolation,
    onCancel: @Sendable () -> Void = {}
  ) async throws(VarlinkClientError) -> (any Sendable)? {
    let outcome = await withTaskCancellationHandler {
      _ = isolation
      return await withCheckedContinuation { continuation in
        let outcome = queue.withLock { $0.next(for: continuation) }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      onCancel()
      let waiters = queue.withLock { $0.abandon(with: .cancelled) }
      Self.resume(waiters, .cancelled)
    }
    return try outcome.get()
  }

  func receive(_ reply: borrowing Reply, message: Span<UInt8>) {
    if let error = reply.error {
      return fail(.errorReply(ErrorMessage(name: error.stringValue ?? "", message: message)))
    }
    do throws(ParameterError) {
      let parameters = try decode(reply)
      queue.withLock { $0.append(parameters) }?.resume(returning: .success(parameters))
      if !reply.continues { end(with: nil) }
    } catch {
      fail(.unreadableReply(error))
    }
  }

  func fail(_ error: VarlinkClientError) {
    end(with: error)
  }

  private func end(with error: VarlinkClientError?) {
    Self.resume(queue.withLock { $0.end(with: error) }, error)
  }

  private static func resume(_ waiters: [ReplyQueue.Waiter], _ error: VarlinkClientError?) {
    for (index, waiter) in waiters.enumerated() {
      if let error, index == 0 {
        waiter.resume(returning: .failure(error))
      } else {
        waiter.resume(returning: .success(nil))
      }
    }
  }
}
