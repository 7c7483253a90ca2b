import RouterInterface
import Varlink
import VarlinkClient

/// A stream of messages from the router, such as the deliveries to a scene.
///
///     for try await delivery in scene.deliveries { … }
///
/// Each message goes to only one iterator. Until an iterator takes a message, the message waits in the router, not
/// in this process. The stream ends after its last message. It throws an error if the connection is lost and the
/// library does not reconnect.
///
/// If the task that iterates is cancelled, the library closes the connection behind the stream. This also ends
/// the scene, the declaration or the monitor to which the stream belongs.
public struct RouterStream<Element: Sendable>: AsyncSequence, Sendable {
  private let nextElement: @Sendable (isolated (any Actor)?) async throws(RouterError) -> Element?

  init(next: @escaping @Sendable (isolated (any Actor)?) async throws(RouterError) -> Element?) {
    nextElement = next
  }

  /// `element` gets a reply and the number of its connection; if it returns nil, the stream skips the reply.
  init<Lasting: LastingCall>(
    _ replies: LastingReplies<Lasting>,
    _ element: @escaping @Sendable (Lasting.Call.Reply, Int) -> Element?
  ) {
    self.init { (isolation: isolated (any Actor)?) async throws(RouterError) in
      while let (reply, number) = try await replies.next(isolation: isolation) {
        if let element = element(reply, number) { return element }
      }
      return nil
    }
  }

  /// Takes elements out of a stream.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let stream: RouterStream

    /// Returns the next element, or nil at the end of the stream.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(RouterError) -> Element? {
      try await stream.nextElement(actor)
    }
  }

  /// Makes an iterator that takes elements out of this stream.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(stream: self)
  }
}

extension VarlinkReplies {
  /// `nil` if there are no more replies, or if this process has closed the connection.
  func nextReply(
    within limit: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(RouterError) -> Reply? {
    do throws(VarlinkClientError) {
      guard let limit else { return try await next(isolation: isolation) }
      return try await VarlinkClient.within(limit) { () async throws(VarlinkClientError) in
        try await self.next()
      }
    } catch .closed {
      return nil
    } catch {
      throw RouterError(error, from: connection.peer)
    }
  }
}
