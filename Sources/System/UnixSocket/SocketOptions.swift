import CLinux
import Glibc

func makeStreamSocket(nonblocking: Bool) throws(SocketError) -> OwnedDescriptor {
  let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (nonblocking ? SOCK_NONBLOCK.rawValue : 0)
  let descriptor = OwnedDescriptor(try systemCall { socket(AF_UNIX, CInt(type), 0) }.get("socket"))
  refuseDescriptors(on: descriptor.rawValue)
  return descriptor
}

/// Stops peers from sending descriptors over `socket` and the connections that it accepts.
///
/// Linux before 6.16 lacks `SO_PASSRIGHTS`; it closes the descriptors when the bytes that came with them are read,
/// because this process never asks for descriptors.
func refuseDescriptors(on socket: CInt) {
  var pass: CInt = 0
  _ = unsafe setsockopt(socket, SOL_SOCKET, SO_PASSRIGHTS, &pass, socklen_t(MemoryLayout<CInt>.size))
}

func socketOption(_ option: CInt, of socket: CInt) throws(SocketError) -> CInt {
  var value: CInt = 0
  var length = socklen_t(MemoryLayout<CInt>.size)
  try systemCall { unsafe getsockopt(socket, SOL_SOCKET, option, &value, &length) }
    .get("getsockopt", about: .descriptor(socket))
  return value
}

func makeNonblocking(_ descriptor: CInt, _ isNonblocking: Bool = true) throws(SocketError) {
  let flags = try systemCall { fcntl(descriptor, F_GETFL) }.get("fcntl", about: .descriptor(descriptor))
  try systemCall { fcntl(descriptor, F_SETFL, isNonblocking ? flags | O_NONBLOCK : flags & ~O_NONBLOCK) }
    .get("fcntl", about: .descriptor(descriptor))
}
