package import SystemPackage

/// The failure of an operation on a socket.
///
/// Some outcomes are ordinary for a server: nothing to read, a peer that has left, no free descriptor. For these
/// outcomes, methods return a result instead of throwing this error.
public struct SocketError: Error, Equatable {
  /// The kinds of failures.
  package enum Reason: Equatable, Sendable {
    /// The system call with this name failed.
    case call(String, Errno)

    /// The address is longer than `limit`, the number of bytes that the kernel has room for.
    case addressTooLong(limit: Int)

    /// The address is empty, or has a NUL byte in it.
    case addressMalformed

    /// A process listens at the address; `owner` is its process id, or nil if the kernel names no process.
    case inUse(owner: CInt?)

    /// The file at the address is not a socket; the file was not changed.
    case notASocket

    /// Another process has locked the directory of the socket for too long.
    case directoryLocked

    /// A descriptor that was passed to this process cannot be used as a listening socket; the value says why.
    case unsuitable(UnsuitableDescriptor)
  }

  /// The reason why this process cannot listen on a passed descriptor.
  package enum UnsuitableDescriptor: String, Equatable, Sendable {
    case notOpen = "is not open"
    case notASocket = "is not a socket"
    case notUnixDomain = "is not a Unix socket"
    case notAStream = "is not a stream socket"
    case notListening = "is not listening"
  }

  /// The object that the error is about.
  package enum Subject: Equatable, Sendable {
    /// A path or an abstract name, in the caller's spelling.
    case name(String)

    /// The number of a descriptor.
    case descriptor(CInt)
  }

  /// The kind of the failure.
  package let reason: Reason

  /// The file, name or descriptor that the error is about; nil if there is none.
  package let subject: Subject?

  init(_ reason: Reason, about subject: Subject? = nil) {
    self.reason = reason
    self.subject = subject
  }
}

extension SocketError: CustomStringConvertible {
  /// A sentence for people, with the file, name or descriptor concerned.
  public var description: String {
    let name = subject?.description ?? "a socket"
    return switch reason {
    case .call(let call, let error): "The call \(call) failed for \(name): \(error)."
    case .addressTooLong(let limit): "The socket address \(name) has more than \(limit) bytes."
    case .addressMalformed: "\(name) is not a socket address: it is empty or contains a NUL byte."
    case .inUse(let owner?): "The socket \(name) is in use by process \(owner)."
    case .inUse(nil): "The socket \(name) is in use by another process."
    case .notASocket: "The file \(name) is in the way and is not a socket."
    case .directoryLocked: "Another process has locked the directory \(name)."
    case .unsuitable(let cause): "Nobody can connect to \(name): it \(cause.rawValue)."
    }
  }
}

extension SocketError.Subject: CustomStringConvertible {
  /// The subject as the error's text names it: a path or name in quotation marks, or `descriptor` with its number.
  package var description: String {
    switch self {
    case .name(let name): "'\(name)'"
    case .descriptor(let number): "descriptor \(number)"
    }
  }
}
