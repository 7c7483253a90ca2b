public import Varlink

/// The replies to a call that may have many replies, in order.
///
/// Each reply goes to only one caller of ``next()``. If too many replies wait for a caller, no more replies are read,
/// and the service has to wait.
///
/// If a task is cancelled while it waits for the next reply, the whole connection is closed, which tells the service
/// that the client wants no more replies.
public final class VarlinkReplies<Reply: ObjectDecodable & Sendable>: Sendable {
  /// The connection over which the replies come.
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

  /// Closes the connection, which tells the service that nobody waits for more replies.
  public func close() {
    connection.close()
  }
}

extension VarlinkReplies: AsyncSequence {
  /// An iterator that takes replies from the sequence.
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
