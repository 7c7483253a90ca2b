import Dispatch
import SystemPackage
import UnixSocket

/// Copies standard input to the router, and the router's bytes to standard output.
final class Bridge: Sendable {
  private let router: StreamSocket

  /// The socket is blocking and connected.
  init(_ router: consuming StreamSocket) { self.router = router }

  /// Ends when the router ends the connection.
  ///
  /// - Throws: `Errno.brokenPipe` if nobody reads standard output any more.
  func run() throws {
    // May still wait for standard input when `run` returns; the process then ends.
    DispatchQueue(label: "io.scened.bridge").async { [self] in
      var buffer = StandardStreams.buffer
      while let count = try? StandardStreams.read(into: &buffer), count > 0 {
        guard (try? router.writeAll(buffer.span.extracting(..<count))) != nil else { return }
      }
      router.shutdown(.writing)
    }
    var buffer = StandardStreams.buffer
    while let count = try router.readSome(into: &buffer) {
      try StandardStreams.writeAll(buffer.span.extracting(..<count))
    }
  }
}

extension StreamSocket {
  /// - Throws: `SocketError`, or `Errno.brokenPipe` if the peer has closed the connection.
  borrowing func writeAll(_ bytes: Span<UInt8>) throws {
    var sent = 0
    while sent < bytes.count {
      guard case .bytes(let count) = try write(bytes.extracting(sent...)) else { throw Errno.brokenPipe }
      sent += count
    }
  }

  /// Returns the number of bytes; nil at the end of the stream.
  borrowing func readSome(into buffer: inout [UInt8]) throws -> Int? {
    var span = buffer.mutableSpan
    guard case .bytes(let count) = try read(into: &span) else { return nil }
    return count
  }
}
