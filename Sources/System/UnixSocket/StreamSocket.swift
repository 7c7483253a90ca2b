import CLinux
import Glibc
import SystemPackage

/// One end of a connection.
///
/// The socket never receives descriptors. The kernel refuses or drops the descriptors that a peer sends with its bytes.
package struct StreamSocket: ~Copyable, Sendable {
  /// The descriptor of the socket.
  package let descriptor: OwnedDescriptor

  init(_ descriptor: consuming OwnedDescriptor) {
    self.descriptor = descriptor
  }

  /// Connects to the process that listens at `address`.
  ///
  /// Waits while the process's queue of connections to accept is full.
  ///
  /// - Parameters:
  ///   - address: The address at which the process listens.
  ///   - nonblocking: Whether `read` and `write` return `wouldBlock` instead of waiting.
  /// - Returns: The connection.
  /// - Throws: `SocketError` with the reason of connect(2), such as `noSuchFileOrDirectory`, `connectionRefused` (no
  ///   process listens any more) or `permissionDenied`.
  package static func connect(
    to address: SocketAddress,
    nonblocking: Bool
  ) throws(SocketError) -> StreamSocket {
    let socket = StreamSocket(try makeStreamSocket(nonblocking: false))
    try socket.connect(to: address)
    if nonblocking { try makeNonblocking(socket.descriptor.rawValue) }
    return socket
  }

  /// Connects to the process that listens at `address`, without waiting for the process.
  ///
  /// - Returns: The nonblocking connection; nil if the process's queue of connections to accept is full.
  /// - Throws: The errors of ``connect(to:nonblocking:)``.
  package static func connectAtOnce(to address: SocketAddress) throws(SocketError) -> StreamSocket? {
    let socket = StreamSocket(try makeStreamSocket(nonblocking: true))
    do throws(SocketError) {
      try socket.connect(to: address)
    } catch {
      guard error.reason == .call("connect", .wouldBlock) else { throw error }
      return nil
    }
    return socket
  }

  /// Sets the descriptor to blocking mode, and hands it to the caller.
  ///
  /// The caller can make the descriptor a standard stream of a program. Programs expect such streams to be in blocking
  /// mode.
  package consuming func releaseWaiting() throws(SocketError) -> OwnedDescriptor {
    try makeNonblocking(descriptor.rawValue, false)
    return descriptor
  }

  private borrowing func connect(to address: SocketAddress) throws(SocketError) {
    try systemCall {
      unsafe address.withSystemAddress { unsafe Glibc.connect(descriptor.rawValue, $0, $1) }
    }.get("connect", about: address.subject)
  }

  /// The outcome of `read`.
  package enum ReadResult: Equatable, Sendable {
    /// The number of bytes read, at least one.
    case bytes(Int)

    /// No bytes have arrived yet.
    case wouldBlock

    /// The peer has finished writing, and all its bytes have been read. The peer may still be reading.
    case end

    /// The peer has closed the connection without reading all bytes that this process sent.
    case reset
  }

  /// Reads bytes that have arrived, and puts them at the beginning of `buffer`.
  ///
  /// `buffer` must have room for at least one byte.
  ///
  /// - Throws: `SocketError` for a failure that no peer causes, such as a lack of memory.
  package borrowing func read(into buffer: inout MutableSpan<UInt8>) throws(SocketError) -> ReadResult {
    precondition(!buffer.isEmpty, "Reading into no space would look like the end of the stream.")
    let outcome = systemCall {
      unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor.rawValue, $0.baseAddress, $0.count, 0) }
    }
    return switch outcome {
    case .success(0): .end
    case .success(let count): .bytes(count)
    case .failure(.wouldBlock): .wouldBlock
    case .failure(.connectionReset): .reset
    case .failure(let error): throw SocketError(.call("recv", error), about: .descriptor(descriptor.rawValue))
    }
  }

  /// The outcome of `write`.
  package enum WriteResult: Equatable, Sendable {
    /// This many of the given bytes were written, beginning with the first.
    case bytes(Int)

    /// The peer has to read before more bytes can be written.
    case wouldBlock

    /// The peer has closed the connection, or does not read any more.
    case closed
  }

  /// Writes as many of `bytes` as there is room for.
  ///
  /// Never raises `SIGPIPE`.
  ///
  /// - Throws: `SocketError` for a failure that no peer causes, such as a lack of memory.
  package borrowing func write(_ bytes: Span<UInt8>) throws(SocketError) -> WriteResult {
    let outcome = systemCall {
      unsafe bytes.withUnsafeBytes {
        unsafe send(descriptor.rawValue, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
    }
    return switch outcome {
    case .success(let count): .bytes(count)
    case .failure(.wouldBlock): .wouldBlock
    case .failure(.brokenPipe), .failure(.connectionReset): .closed
    case .failure(let error): throw SocketError(.call("send", error), about: .descriptor(descriptor.rawValue))
    }
  }

  /// A direction of a connection.
  package enum Direction: Sendable {
    case reading, writing, both
  }

  /// Ends the connection in `direction`.
  ///
  /// After `writing`, the peer sees the end of the stream. After `reading`, the peer can no longer write.
  ///
  /// Does nothing if the peer has already ended the connection.
  package borrowing func shutdown(_ direction: Direction) {
    let how =
      switch direction {
      case .reading: SHUT_RD
      case .writing: SHUT_WR
      case .both: SHUT_RDWR
      }
    _ = Glibc.shutdown(descriptor.rawValue, CInt(how))
  }
}

/// A pair of sockets that are connected only to each other.
///
/// The type is frozen, because only then can code in another module move one socket out of the pair.
@frozen package struct StreamSocketPair: ~Copyable, Sendable {
  /// The socket at one end of the connection.
  package var first: StreamSocket

  /// The socket at the other end of the connection.
  package var second: StreamSocket

  /// Connects two nonblocking sockets of this process.
  package init() throws(SocketError) {
    var pair: (CInt, CInt) = (0, 0)
    let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    try systemCall {
      unsafe withUnsafeMutableBytes(of: &pair) { pair in
        unsafe socketpair(AF_UNIX, type, 0, pair.assumingMemoryBound(to: CInt.self).baseAddress)
      }
    }.get("socketpair")
    first = StreamSocket(OwnedDescriptor(pair.0))
    second = StreamSocket(OwnedDescriptor(pair.1))
  }
}
