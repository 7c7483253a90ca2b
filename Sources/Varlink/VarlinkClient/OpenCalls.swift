import Varlink

/// A call that has not had its last reply.
protocol OpenCall: AnyObject, Sendable {
  /// Takes a reply; `message` is the text of the reply.
  func receive(_ reply: borrowing Reply, message: Span<UInt8>)

  /// Notes that no more replies will come.
  func fail(_ error: VarlinkClientError)

  /// Whether too many received replies wait for the caller, so that reading from the service should pause.
  var isFull: Bool { get }
}

/// The calls of one connection that have not had their last reply, oldest first.
struct OpenCalls {
  private var sequence = ReplySequence()
  private var calls: [any OpenCall] = []

  /// Whether replies should stay unread, because too many replies wait for the caller of the oldest call.
  var isFull: Bool { calls.first?.isFull ?? false }

  /// Notes that a call is sent; `call` is nil for a `oneway` call, which gets no reply.
  mutating func append(_ call: (any OpenCall)?, mode: CallMode) {
    _ = sequence.send(mode)
    if let call { calls.append(call) }
  }

  /// Returns the call that a reply belongs to.
  mutating func call(continues: Bool) throws(ProtocolViolation) -> any OpenCall {
    _ = try sequence.receive(continues: continues)
    return continues ? calls[0] : calls.removeFirst()
  }

  /// Removes and returns all calls.
  ///
  /// The removed calls get no more replies. A later reply belongs to no call.
  mutating func removeAll() -> [any OpenCall] {
    defer { self = OpenCalls() }
    return calls
  }
}
