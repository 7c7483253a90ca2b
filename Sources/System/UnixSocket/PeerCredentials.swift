import CLinux
import Glibc
import SystemPackage

/// The process at the other end of a connection, according to the kernel.
package struct PeerCredentials: Hashable, Sendable {
  /// The id of the process; nil if the process is outside this PID namespace.
  package let processID: CInt?

  /// The effective user of the process.
  package let userID: UInt32

  /// The effective group of the process.
  package let groupID: UInt32
}

extension PeerCredentials {
  fileprivate init(_ credentials: ucred) {
    self.init(
      processID: credentials.pid > 0 ? credentials.pid : nil,
      userID: credentials.uid,
      groupID: credentials.gid
    )
  }
}

extension StreamSocket {
  /// Returns the peer's credentials, which the kernel recorded at the start of the connection (`SO_PEERCRED`).
  ///
  /// A process cannot forge its credentials. But a different process can be at the other end by now, because the
  /// recorded process can pass its sockets to other processes. systemd, for example, makes listening sockets and passes
  /// them to services.
  package borrowing func peerCredentials() throws(SocketError) -> PeerCredentials {
    var credentials = ucred()
    var length = socklen_t(MemoryLayout<ucred>.size)
    try systemCall {
      unsafe getsockopt(descriptor.rawValue, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
    }.get("getsockopt", about: .descriptor(descriptor.rawValue))
    return PeerCredentials(credentials)
  }

  /// Makes the kernel note, for all bytes sent to this socket from now on, which process sent them (`SO_PASSCRED`).
  package borrowing func noteSenders() throws(SocketError) {
    var pass: CInt = 1
    try systemCall {
      unsafe setsockopt(
        descriptor.rawValue,
        SOL_SOCKET,
        SO_PASSCRED,
        &pass,
        socklen_t(MemoryLayout<CInt>.size)
      )
    }.get("setsockopt", about: .descriptor(descriptor.rawValue))
  }

  /// Returns the process that sent the next bytes; the bytes stay unread.
  ///
  /// Returns nil in these cases:
  /// - No bytes have arrived.
  /// - The connection has ended.
  /// - The kernel has not noted the sender; see ``noteSenders()``.
  ///
  /// The call receives no descriptors, because its buffer has room only for the credentials.
  package borrowing func senderOfNextBytes() throws(SocketError) -> PeerCredentials? {
    // A control message is a header and the credentials (unix(7)); CLinux.c checks the size of the header.
    let headerSize = MemoryLayout<cmsghdr>.size
    var control = [UInt](repeating: 0, count: (headerSize + MemoryLayout<ucred>.size + 7) / 8)
    var byte: UInt8 = 0
    let outcome: Result<Int, Errno> = unsafe control.withUnsafeMutableBytes { control in
      unsafe withUnsafeMutablePointer(to: &byte) { byte in
        var part = unsafe iovec(iov_base: byte, iov_len: 1)
        return unsafe withUnsafeMutablePointer(to: &part) { part in
          var message = unsafe msghdr()
          unsafe (message.msg_iov, message.msg_iovlen) = (part, 1)
          unsafe (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
          return systemCall { unsafe recvmsg(descriptor.rawValue, &message, CInt(MSG_PEEK)) }
        }
      }
    }
    if case .failure(.wouldBlock) = outcome { return nil }
    let count = try outcome.get("recvmsg", about: .descriptor(descriptor.rawValue))
    // If no byte was read, the connection has ended, and there is no sender.
    guard count > 0 else { return nil }
    return unsafe control.withUnsafeBytes { control in
      let header = unsafe control.loadUnaligned(as: cmsghdr.self)
      guard header.cmsg_level == SOL_SOCKET, header.cmsg_type == SCM_CREDENTIALS else { return nil }
      return unsafe PeerCredentials(control.loadUnaligned(fromByteOffset: headerSize, as: ucred.self))
    }
  }
}
