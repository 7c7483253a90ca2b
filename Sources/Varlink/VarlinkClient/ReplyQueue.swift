/// The replies to one call that wait to be taken, or the callers that wait for one.
///
/// Not generic, because generic code would look up type information at every reply.
struct ReplyQueue: Sendable {
  typealias Outcome = Result<(any Sendable)?, VarlinkClientError>
  typealias Waiter = CheckedContinuation<Outcome, Never>

  private enum Ending {
    case failure(VarlinkClientError)
    case lastReply
  }

  private var incoming: [any Sendable] = []
  /// The oldest replies, in reverse order, because taking the last element of an array is fast.
  private var outgoing: [any Sendable] = []
  private var waiters: [Waiter] = []
  private var ending: Ending?

  var count: Int { incoming.count + outgoing.count }

  /// Returns the caller that already waits and must get the reply; drops the reply after the end of the queue.
  mutating func append(_ parameters: any Sendable) -> Waiter? {
    guard ending == nil else { return nil }
    guard waiters.isEmpty else { return waiters.removeFirst() }
    incoming.append(parameters)
    return nil
  }

  /// Returns the waiting callers: the first must get `error` unless that is nil, all others nil.
  mutating func end(with error: VarlinkClientError?) -> [Waiter] {
    guard ending == nil else { return [] }
    defer { waiters = [] }
    ending = error != nil && waiters.isEmpty ? error.map { .failure($0) } : .lastReply
    return waiters
  }

  mutating func abandon(with error: VarlinkClientError) -> [Waiter] {
    incoming = []
    outgoing = []
    return end(with: error)
  }

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
