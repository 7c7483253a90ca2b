import CLinux
import Glibc

/// Creates a stream socket that no child process inherits.
func makeStreamSocket(nonblocking: Bool) throws(SocketError) -> OwnedDescriptor {
  let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (nonblocking ? SOCK_NONBLOCK.rawValue : 0)
  let descriptor = OwnedDescriptor(try systemCall { socket(AF_UNIX, CInt(type), 0) }.get("socket"))
  refuseDescriptors(on: descriptor.rawValue)
  return descriptor
}

/// Keeps peers from sending descriptors, on `socket` and on the connections it accepts.
///
/// Without it (before Linux 6.16) the kernel keeps them until the bytes that they came with are read, and closes them
/// then, as nobody asks for them.
func refuseDescriptors(on socket: CInt) {
  var pass: CInt = 0
  _ = unsafe setsockopt(socket, SOL_SOCKET, SO_PASSRIGHTS, &pass, socklen_t(MemoryLayout<CInt>.size))
}

/// The number that the socket option `option` has on `socket`.
func socketOption(_ option: CInt, of socket: CInt) throws(SocketError) -> CInt {
  var value: CInt = 0
  var length = socklen_t(MemoryLayout<CInt>.size)
  try systemCall { unsafe getsockopt(socket, SOL_SOCKET, option, &value, &length) }
    .get("getsockopt", about: .descriptor(socket))
  return value
}

/// Makes calls on `descriptor` answer `wouldBlock` instead of waiting, or wait again.
func makeNonblocking(_ descriptor: CInt, _ isNonblocking: Bool = true) throws(SocketError) {
  let flags = try systemCall { fcntl(descriptor, F_GETFL) }.get("fcntl", about: .descriptor(descriptor))
  try systemCall { fcntl(descriptor, F_SETFL, isNonblocking ? flags | O_NONBLOCK : flags & ~O_NONBLOCK) }
    .get("fcntl", about: .descriptor(descriptor))
}
