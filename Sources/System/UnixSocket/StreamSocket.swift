import CLinux
import Glibc
import SystemPackage

package struct StreamSocket: ~Copyable, Sendable {
  package let descriptor: OwnedDescriptor

  init(_ descriptor: consuming OwnedDescriptor) {
    self.descriptor = descriptor
  }

  /// Waits while the process's queue of connections to accept is full.
  package static func connect(
    to address: SocketAddress,
    nonblocking: Bool
  ) throws(SocketError) -> StreamSocket {
    let socket = StreamSocket(try makeStreamSocket(nonblocking: false))
    try socket.connect(to: address)
    if nonblocking { try makeNonblocking(socket.descriptor.rawValue) }
    return socket
  }

  /// Does not wait: nil if the process's queue of connections to accept is full.
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

  /// In blocking mode, which programs expect of a standard stream.
  package consuming func releaseWaiting() throws(SocketError) -> OwnedDescriptor {
    try makeNonblocking(descriptor.rawValue, false)
    return descriptor
  }

  private borrowing func connect(to address: SocketAddress) throws(SocketError) {
    try systemCall {
      unsafe address.withSystemAddress { unsafe Glibc.connect(descriptor.rawValue, $0, $1) }
    }.get("connect", about: address.subject)
  }

  package enum ReadResult: Equatable, Sendable {
    case bytes(Int)
    case wouldBlock

    /// The peer may still be reading.
    case end

    /// The peer has closed the connection without reading all bytes that this process sent.
    case reset
  }

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

  package enum WriteResult: Equatable, Sendable {
    case bytes(Int)
    case wouldBlock
    case closed
  }

  /// Never raises `SIGPIPE`; throws only for a failure that no peer causes.
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

  package enum Direction: Sendable {
    case reading, writing, both
  }

  /// After `writing`, the peer sees the end of the stream; after `reading`, it can no longer write.
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

/// Frozen, because only then can code in another module move one socket out of the pair.
@frozen package struct StreamSocketPair: ~Copyable, Sendable {
  package var first: StreamSocket
  package var second: StreamSocket

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
