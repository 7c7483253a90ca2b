import Glibc
package import UnixSocket

extension StreamSocket {
  /// Closes the connection now.
  package consuming func close() {}

  /// Reads the text that has arrived, at most `limit` bytes; returns nil if `read` returns no bytes.
  package borrowing func text(limit: Int = 4096) throws -> String? {
    var bytes = [UInt8](repeating: 0, count: limit)
    var buffer = bytes.mutableSpan
    guard case .bytes(let count) = try read(into: &buffer) else { return nil }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// Reads once, and returns the result without the bytes.
  package borrowing func readResult() throws -> ReadResult {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var buffer = bytes.mutableSpan
    return try read(into: &buffer)
  }

  /// Waits until there are bytes or the connection ends, and returns the result of `read`.
  ///
  /// The end may come late, because a child process that another test is just starting may hold the connection open for
  /// a moment.
  package borrowing func nextReadResult() throws -> ReadResult {
    var ready = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, CInt(Deadline().millisecondsLeft)) == 1 else {
      throw Overdue("There is nothing to read.")
    }
    return try readResult()
  }

  /// Writes `text`, for which there must be room.
  @discardableResult
  package borrowing func write(_ text: String) throws -> WriteResult {
    try write(Array(text.utf8).span)
  }
}

extension ListeningSocket.Acceptance {
  /// Returns the accepted connection; throws if there is none.
  package consuming func connection() throws -> StreamSocket {
    switch consume self {
    case .connection(let connection): return connection
    case .wouldBlock: throw Overdue("Nobody has connected.")
    case .exhausted(let error): throw Overdue("No connection can be accepted: \(error).")
    }
  }
}
