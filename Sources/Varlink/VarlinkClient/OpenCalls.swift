import Varlink

/// A call that has not got its last reply.
protocol OpenCall: AnyObject, Sendable {
  /// Takes a reply, whose text is `message`.
  func receive(_ reply: borrowing Reply, message: Span<UInt8>)

  /// Notes that no further reply will come.
  func fail(_ error: VarlinkClientError)

  /// Whether so many replies wait for the caller that the service should wait as well.
  var isFull: Bool { get }
}

/// The calls of one connection that have not got their last reply, oldest first.
struct OpenCalls {
  private var sequence = ReplySequence()
  private var calls: [any OpenCall] = []

  /// Whether replies should be left unread: the call they belong to has too many already.
  var isFull: Bool { calls.first?.isFull ?? false }

  /// Notes that a call is sent; one that is `oneway` has nobody to receive a reply.
  mutating func append(_ call: (any OpenCall)?, mode: CallMode) {
    _ = sequence.send(mode)
    if let call { calls.append(call) }
  }

  /// The call that a reply belongs to.
  mutating func call(continues: Bool) throws(ProtocolViolation) -> any OpenCall {
    _ = try sequence.receive(continues: continues)
    return continues ? calls[0] : calls.removeFirst()
  }

  /// Takes all calls out: none of them will get a reply, and none that still comes belongs to a call.
  mutating func removeAll() -> [any OpenCall] {
    defer { self = OpenCalls() }
    return calls
  }
}
