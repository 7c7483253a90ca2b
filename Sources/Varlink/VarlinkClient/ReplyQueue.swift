/// A queue of replies to one call that wait for a caller, or of callers that wait for a reply.
///
/// The type is the same for all calls, because generic code would look up type information at every reply.
struct ReplyQueue: Sendable {
  /// A reply; nil after the last reply.
  typealias Outcome = Result<(any Sendable)?, VarlinkClientError>
  typealias Waiter = CheckedContinuation<Outcome, Never>

  private enum Ending {
    case failure(VarlinkClientError)
    case lastReply
  }

  /// The newer replies, oldest first.
  private var incoming: [any Sendable] = []
  /// The older replies, oldest last, so that the oldest is taken from the end.
  private var outgoing: [any Sendable] = []
  /// The callers that wait for a reply; empty if there is a reply.
  private var waiters: [Waiter] = []
  private var ending: Ending?

  /// The number of replies that wait to be taken.
  var count: Int { incoming.count + outgoing.count }

  /// Adds a reply; if a caller waits, returns this caller and adds nothing.
  ///
  /// A reply after the end is dropped.
  mutating func append(_ parameters: any Sendable) -> Waiter? {
    guard ending == nil else { return nil }
    guard waiters.isEmpty else { return waiters.removeFirst() }
    incoming.append(parameters)
    return nil
  }

  /// Notes that no more replies will come, and returns all waiting callers.
  ///
  /// `error` is the reason why replies are missing; nil if no reply is missing. If `error` is not nil, the first
  /// waiting caller must get the error. All other waiting callers must get nil.
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
