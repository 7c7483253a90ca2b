import Varlink

protocol OpenCall: AnyObject, Sendable {
  func receive(_ reply: borrowing Reply, message: Span<UInt8>)

  func fail(_ error: VarlinkClientError)

  /// Whether reading from the service should pause, because too many replies wait for the caller.
  var isFull: Bool { get }
}

struct OpenCalls {
  private var sequence = ReplySequence()
  private var calls: [any OpenCall] = []

  var isFull: Bool { calls.first?.isFull ?? false }

  mutating func append(_ call: (any OpenCall)?, mode: CallMode) {
    _ = sequence.send(mode)
    if let call { calls.append(call) }
  }

  mutating func call(continues: Bool) throws(ProtocolViolation) -> any OpenCall {
    _ = try sequence.receive(continues: continues)
    return continues ? calls[0] : calls.removeFirst()
  }

  mutating func removeAll() -> [any OpenCall] {
    defer { self = OpenCalls() }
    return calls
  }
}
