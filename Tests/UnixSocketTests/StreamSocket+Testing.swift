import TestSupport
import UnixSocket

extension StreamSocket {
  /// The text that has arrived, at most `limit` bytes of it; nil if `read` has no bytes for us.
  borrowing func text(limit: Int = 4096) throws -> String? {
    var bytes = [UInt8](repeating: 0, count: limit)
    var buffer = bytes.mutableSpan
    guard case .bytes(let count) = try read(into: &buffer) else { return nil }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// What one `read` answers, whatever the bytes.
  borrowing func readResult() throws -> ReadResult {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var buffer = bytes.mutableSpan
    return try read(into: &buffer)
  }

  /// Writes `text`, which must fit.
  @discardableResult
  borrowing func write(_ text: String) throws -> WriteResult {
    try write(Array(text.utf8).span)
  }
}

extension ListeningSocket.Acceptance {
  /// The connection, which must be there.
  consuming func connection() throws -> StreamSocket {
    switch consume self {
    case .connection(let connection): return connection
    case .wouldBlock: throw Overdue("Nobody has connected.")
    case .exhausted(let error): throw Overdue("No connection can be accepted: \(error).")
    }
  }
}
