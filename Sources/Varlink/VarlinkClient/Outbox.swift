import UnixSocket
import Varlink

/// The bytes that wait to be sent.
///
/// The bytes wait while the socket has no room. The socket gets room when the service reads.
struct Outbox {
  private var bytes: [UInt8] = []
  private var sent = 0

  var isEmpty: Bool { sent == bytes.count }

  /// Appends a message.
  mutating func append(_ message: Span<UInt8>) {
    bytes.append(contentsOf: message)
  }

  /// Sends as many bytes as the socket has room for.
  ///
  /// If the service has closed the connection, drops all bytes that have not been sent.
  mutating func flush(to socket: borrowing StreamSocket) throws(SocketError) {
    while !isEmpty {
      switch try socket.write(bytes.span.extracting(sent...)) {
      case .bytes(let count): sent += count
      case .wouldBlock: return
      case .closed: sent = bytes.count
      }
    }
    bytes.removeAll(keepingCapacity: bytes.capacity <= 64 << 10)
    sent = 0
  }
}
