public import Varlink

/// The replies to a call that may have many, in order.
///
/// Each reply goes to only one caller of ``next()``. If nobody takes the replies, no more are read after a while, and
/// the service has to wait. If a task that waits for the next reply is cancelled, the whole connection is closed,
/// because this is how a client tells a service that it wants no more replies.
public final class VarlinkReplies<Reply: ObjectDecodable & Sendable>: Sendable {
  /// The connection that the replies come over.
  public let connection: VarlinkConnection
  private let buffer: ReplyBuffer

  init(_ buffer: ReplyBuffer, of connection: VarlinkConnection) {
    self.buffer = buffer
    self.connection = connection
  }

  /// Returns the next reply; nil after the last reply, and after an error.
  public func next(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(VarlinkClientError) -> Reply? {
    let connection = connection
    let reply = try await buffer.next(onCancel: { connection.cancel() })
    connection.resumeReading()
    return reply as? Reply
  }

  /// Closes the connection, so that the service learns that nobody waits for more replies.
  public func close() {
    connection.close()
  }
}

extension VarlinkReplies: AsyncSequence {
  /// Takes replies from the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let replies: VarlinkReplies

    /// Returns the next reply; see ``VarlinkReplies/next()``.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(VarlinkClientError) -> Reply? {
      try await replies.next(isolation: actor)
    }
  }

  /// Makes an iterator that takes replies from this sequence.
  public func makeAsyncIterator() -> Iterator {
    Iterator(replies: self)
  }
}
