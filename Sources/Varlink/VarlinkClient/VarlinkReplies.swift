public import Varlink

/// The replies to a call with many, in order.
///
/// Each reply goes to one caller of ``next()`` only. Replies that nobody takes hold the service up after a while, not
/// this process. If a task that waits for the next reply is cancelled, the whole connection is closed, which is how a
/// client lets a service know that it wants no more.
public final class VarlinkReplies<Reply: ObjectDecodable & Sendable>: Sendable {
  /// The connection over which they come.
  public let connection: VarlinkConnection
  private let buffer: ReplyBuffer

  init(_ buffer: ReplyBuffer, of connection: VarlinkConnection) {
    self.buffer = buffer
    self.connection = connection
  }

  /// The next reply; nil after the last one, and after an error.
  public func next(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(VarlinkClientError) -> Reply? {
    let connection = connection
    let reply = try await buffer.next(onCancel: { connection.cancel() })
    connection.resumeReading()
    return reply as? Reply
  }

  /// Closes the connection: the service knows that nobody waits for further replies.
  public func close() {
    connection.close()
  }
}

extension VarlinkReplies: AsyncSequence {
  /// Takes replies out of the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let replies: VarlinkReplies

    /// The next reply; see ``VarlinkReplies/next()``.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(VarlinkClientError) -> Reply? {
      try await replies.next(isolation: actor)
    }
  }

  /// Makes an iterator that takes replies out of this sequence.
  public func makeAsyncIterator() -> Iterator {
    Iterator(replies: self)
  }
}
