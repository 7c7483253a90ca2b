import UnixSocket
import Varlink

/// What is to be written to one client.
struct OutputQueue {
  /// What became of an attempt to write it all.
  enum Outcome {
    case empty
    /// The client has to read before more can be written.
    case blocked
    /// The client is gone.
    case closed
  }

  private var bytes: [UInt8] = []
  /// How many of the bytes have been written.
  private var written = 0

  var isEmpty: Bool { written == bytes.count }
  /// How many bytes have not been written.
  var count: Int { bytes.count - written }

  mutating func append(_ more: Span<UInt8>, _ spare: inout SpareBuffers) {
    if bytes.capacity == 0 { bytes = spare.take() }
    bytes.append(contentsOf: more)
  }

  mutating func append(_ more: [UInt8]) { bytes += more }

  /// Writes as much as there is room for; an empty queue takes no memory.
  mutating func write(to socket: borrowing StreamSocket, _ spare: inout SpareBuffers) throws(SocketError)
    -> Outcome
  {
    while written < bytes.count {
      switch try socket.write(bytes.span.extracting(written...)) {
      case .bytes(let count): written += count
      case .wouldBlock: return .blocked
      case .closed: return .closed
      }
    }
    clear(&spare)
    return .empty
  }

  /// Forgets what has not been written.
  mutating func clear(_ spare: inout SpareBuffers) {
    written = 0
    spare.put(&bytes)
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
