/// The replies to one call that wait to be taken, or the callers that wait for a reply.
///
/// This type is not generic, because generic code would look up type information at every reply.
struct ReplyQueue: Sendable {
  /// What a caller gets: a reply, nil after the last reply, or an error.
  typealias Outcome = Result<(any Sendable)?, VarlinkClientError>
  typealias Waiter = CheckedContinuation<Outcome, Never>

  private enum Ending {
    case failure(VarlinkClientError)
    case lastReply
  }

  /// The replies that came after those in ``outgoing``, oldest first.
  private var incoming: [any Sendable] = []
  /// The oldest replies, in reverse order, because taking the last element of an array is fast.
  private var outgoing: [any Sendable] = []
  /// The callers that wait for a reply; empty if there is a reply.
  private var waiters: [Waiter] = []
  private var ending: Ending?

  /// The number of replies that wait to be taken.
  var count: Int { incoming.count + outgoing.count }

  /// Adds a reply to the queue, or returns the caller that already waits for the reply.
  ///
  /// The returned caller must get the reply. After the end of the queue, the reply is dropped.
  mutating func append(_ parameters: any Sendable) -> Waiter? {
    guard ending == nil else { return nil }
    guard waiters.isEmpty else { return waiters.removeFirst() }
    incoming.append(parameters)
    return nil
  }

  /// Notes that no more replies will come, and returns all waiting callers.
  ///
  /// `error` is nil if the last reply has come. Otherwise the first returned caller must get `error`. All other
  /// returned callers must get nil.
  mutating func end(with error: VarlinkClientError?) -> [Waiter] {
    guard ending == nil else { return [] }
    defer { waiters = [] }
    ending = error != nil && waiters.isEmpty ? error.map { .failure($0) } : .lastReply
    return waiters
  }

  /// Drops all replies that have not been taken, and ends the queue.
  mutating func abandon(with error: VarlinkClientError) -> [Waiter] {
    incoming = []
    outgoing = []
    return end(with: error)
  }

  /// Takes the next reply.
  ///
  /// If no reply has come, adds `waiter` to the waiting callers, and returns nil.
  mutating func next(for waiter: Waiter) -> Outcome? {
    if outgoing.isEmpty {
      outgoing = incoming.reversed()
      incoming = []
    }
    if let parameters = outgoing.popLast() { return .success(parameters) }
    switch ending {
    case .failure(let error)?:
      ending = .lastReply
      return .failure(error)
    case .lastReply?:
      return .success(nil)
    case nil:
      waiters.append(waiter)
      return nil
    }
  }
}
