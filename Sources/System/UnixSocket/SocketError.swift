package import SystemPackage

/// The failure of an operation on a socket.
///
/// What is ordinary for a server is a result of a method instead: nothing to read, a peer that has left, no free
/// descriptor.
public struct SocketError: Error, Equatable {
  package enum Reason: Equatable, Sendable {
    case call(String, Errno)
    case addressTooLong(limit: Int)
    case addressMalformed

    /// `owner` is the process id, if the kernel names the process.
    case inUse(owner: CInt?)
    case notASocket
    case directoryLocked
    case unsuitable(UnsuitableDescriptor)
  }

  package enum UnsuitableDescriptor: String, Equatable, Sendable {
    case notOpen = "is not open"
    case notASocket = "is not a socket"
    case notUnixDomain = "is not a Unix socket"
    case notAStream = "is not a stream socket"
    case notListening = "is not listening"
  }

  package enum Subject: Equatable, Sendable {
    case name(String)
    case descriptor(CInt)
  }

  package let reason: Reason
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
  package var description: String {
    switch self {
    case .name(let name): "'\(name)'"
    case .descriptor(let number): "descriptor \(number)"
    }
  }
}
