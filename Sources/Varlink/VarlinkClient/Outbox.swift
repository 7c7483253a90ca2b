import UnixSocket
import Varlink

struct Outbox {
  private var bytes: [UInt8] = []
  private var sent = 0

  var isEmpty: Bool { sent == bytes.count }

  mutating func append(_ message: Span<UInt8>) {
    bytes.append(contentsOf: message)
  }

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
