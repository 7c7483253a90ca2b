import CLinux
import Glibc
import SystemPackage

package struct PeerCredentials: Hashable, Sendable {
  /// Nil if the process is outside this PID namespace.
  package let processID: CInt?
  package let userID: UInt32
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
  /// The credentials that the kernel recorded at the start of the connection (`SO_PEERCRED`).
  ///
  /// They cannot be forged, but another process can have the other end by now: systemd, for example, makes listening
  /// sockets and passes them to services.
  package borrowing func peerCredentials() throws(SocketError) -> PeerCredentials {
    var credentials = ucred()
    var length = socklen_t(MemoryLayout<ucred>.size)
    try systemCall {
      unsafe getsockopt(descriptor.rawValue, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
    }.get("getsockopt", about: .descriptor(descriptor.rawValue))
    return PeerCredentials(credentials)
  }

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

  /// The process that sent the next bytes, which stay unread.
  ///
  /// Nil if no bytes have arrived, the connection has ended, or the kernel has not noted it; see ``noteSenders()``.
  /// Descriptors are not received, because the buffer has room only for the credentials.
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
    guard count > 0 else { return nil }
    return unsafe control.withUnsafeBytes { control in
      let header = unsafe control.loadUnaligned(as: cmsghdr.self)
      guard header.cmsg_level == SOL_SOCKET, header.cmsg_type == SCM_CREDENTIALS else { return nil }
      return unsafe PeerCredentials(control.loadUnaligned(fromByteOffset: headerSize, as: ucred.self))
    }
  }
}
