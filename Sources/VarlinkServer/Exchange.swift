import UnixSocket
import Varlink

/// The calls of one client and what is queued for it, each in its order.
struct Exchange {
  /// What became of an attempt to write the queue.
  enum Outcome {
    /// All has been written.
    case written
    /// The client has to read before more can be written.
    case blocked
    /// The client is gone.
    case closed
  }

  var calls = CallSequence()
  private var output: [UInt8] = []
  /// How much of ``output`` has been written.
  private var written = 0

  /// Whether something is queued.
  var hasOutput: Bool { written < output.count }

  /// Bytes kept for the client until it reads them.
  var queuedBytes: Int { output.count - written + calls.heldReplyBytes }
}

extension Exchange {
  /// Queues a reply when it is its turn.
  mutating func reply(
    to ticket: CallTicket,
    _ reply: Span<UInt8>,
    continues: Bool,
    _ spare: inout SpareBuffers
  ) {
    switch calls.reply(to: ticket, reply, continues: continues) {
    case .dropped, .held: break
    case .send: append(reply, &spare)
    case .sendFollowed(by: let later):
      append(reply, &spare)
      output += later
    }
  }

  private mutating func append(_ reply: Span<UInt8>, _ spare: inout SpareBuffers) {
    if output.capacity == 0 { output = spare.take() }
    output.append(contentsOf: reply)
  }

  /// Writes as much as there is room for; an empty queue takes no memory.
  mutating func write(to socket: borrowing StreamSocket, _ spare: inout SpareBuffers) throws(SocketError)
    -> Outcome
  {
    while written < output.count {
      switch try socket.write(output.span.extracting(written...)) {
      case .bytes(let count): written += count
      case .wouldBlock: return .blocked
      case .closed: return .closed
      }
    }
    clear(&spare)
    return .written
  }

  /// Forgets what has not been written.
  mutating func clear(_ spare: inout SpareBuffers) {
    written = 0
    spare.put(&output)
  }
}

/// Memory of queues that are empty, for the next that is not.
struct SpareBuffers {
  /// Enough for all that are written to at once, and little to keep.
  private static var maximumCount: Int { 64 }
  private static var maximumCapacity: Int { 1 << 16 }

  private var buffers: [[UInt8]] = []

  mutating func take() -> [UInt8] { buffers.popLast() ?? [] }

  /// Takes the memory of a buffer that is used up, if it is worth keeping.
  mutating func put(_ buffer: inout [UInt8]) {
    if buffer.capacity <= Self.maximumCapacity, buffer.capacity > 0, buffers.count < Self.maximumCount {
      buffer.removeAll(keepingCapacity: true)
      buffers.append(buffer)
    }
    buffer = []
  }
}
