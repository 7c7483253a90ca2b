import CLinux
import Glibc
import SystemPackage

/// The process at the other end, as the kernel recorded it when the connection was made.
///
/// A connecting process cannot forge it, but may have passed the descriptor to another process since.
package struct PeerCredentials: Hashable, Sendable {
  /// The process that connected or listened; nil if it is outside this PID namespace.
  package let processID: CInt?

  /// The effective user of the process.
  package let userID: UInt32

  /// The effective group of the process.
  package let groupID: UInt32
}

extension StreamSocket {
  /// Returns the credentials of the peer (`SO_PEERCRED`).
  package borrowing func peerCredentials() throws(SocketError) -> PeerCredentials {
    var credentials = ucred()
    var length = socklen_t(MemoryLayout<ucred>.size)
    try systemCall {
      unsafe getsockopt(descriptor.rawValue, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
    }.get("getsockopt", about: .descriptor(descriptor.rawValue))
    return PeerCredentials(
      processID: credentials.pid > 0 ? credentials.pid : nil,
      userID: credentials.uid,
      groupID: credentials.gid
    )
  }
}
