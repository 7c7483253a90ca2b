import RouterInterface
import Varlink
import VarlinkClient

/// The messages of the router over time, in order.
///
///     for try await delivery in scene.deliveries { … }
///
/// Each element goes to only one iterator. Elements that are not taken wait in the router, and not in this
/// process. The stream ends with its last message, or throws if the connection is lost and is not made again.
/// If the task that iterates is cancelled, the connection behind the stream is closed. The scene, the
/// declaration or the monitor of the stream then ends too.
public struct RouterStream<Element: Sendable>: AsyncSequence, Sendable {
  private let nextElement: @Sendable (isolated (any Actor)?) async throws(RouterError) -> Element?

  init(next: @escaping @Sendable (isolated (any Actor)?) async throws(RouterError) -> Element?) {
    nextElement = next
  }

  /// Makes a stream from `replies`.
  ///
  /// `element` makes an element from a reply and the number of its connection.
  ///
  /// The stream leaves out a reply for which `element` returns nil.
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
  /// Returns the next reply; `nil` after the last reply, and when this side has closed the connection.
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
