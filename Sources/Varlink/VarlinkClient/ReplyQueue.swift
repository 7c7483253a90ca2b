/// The replies to one call that were received and not yet taken, or those who wait for them.
///
/// Of one type for all calls: code for any type would look up what it needs of each type at every reply.
struct ReplyQueue: Sendable {
  /// A reply; nil when all have been taken.
  typealias Outcome = Result<(any Sendable)?, VarlinkClientError>
  typealias Waiter = CheckedContinuation<Outcome, Never>

  private enum Ending {
    case failure(VarlinkClientError)
    case lastReply
  }

  /// New replies, oldest first.
  private var incoming: [any Sendable] = []
  /// Older replies than those, oldest last.
  private var outgoing: [any Sendable] = []
  /// Empty unless there is no reply.
  private var waiters: [Waiter] = []
  private var ending: Ending?

  /// How many replies wait to be taken.
  var count: Int { incoming.count + outgoing.count }

  /// Adds a reply, or returns who waits for it; after the end it is dropped.
  mutating func append(_ parameters: any Sendable) -> Waiter? {
    guard ending == nil else { return nil }
    guard waiters.isEmpty else { return waiters.removeFirst() }
    incoming.append(parameters)
    return nil
  }

  /// Notes that no reply will follow, and why if there should be one, and returns all who wait.
  ///
  /// The first of them is to get the error.
  mutating func end(with error: VarlinkClientError?) -> [Waiter] {
    guard ending == nil else { return [] }
    defer { waiters = [] }
    ending = error != nil && waiters.isEmpty ? error.map { .failure($0) } : .lastReply
    return waiters
  }

  /// Drops what was not taken, and ends.
  mutating func abandon(with error: VarlinkClientError) -> [Waiter] {
    incoming = []
    outgoing = []
    return end(with: error)
  }

  /// Takes the next reply, or puts `waiter` into the line if there is none.
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
