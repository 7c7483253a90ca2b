import CLinux
import Glibc
package import SystemPackage

/// The socket and the connections that it accepts are nonblocking and close-on-exec.
package struct ListeningSocket: ~Copyable, Sendable {
  package let descriptor: OwnedDescriptor
  let file: SocketFile?

  package var path: String? {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout.size(ofValue: address))
    let isKnown = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor.rawValue, $0, &length) == 0
      }
    }
    guard isKnown else { return nil }
    // A path ends at its first NUL or at the end of the address. An abstract name begins with a NUL, so its path is
    // empty.
    let path = unsafe withUnsafeBytes(of: &address.sun_path) { bytes in
      unsafe bytes.prefix(Int(length) - MemoryLayout<sa_family_t>.size).prefix { $0 != 0 }.map { $0 }
    }
    return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
  }

  package static let privateDirectory: FilePermissions = [.ownerReadWriteExecute]

  /// Listens at `path`, in place of a socket file on which no process listens.
  ///
  /// The directory is locked during the call, so that of several processes only one succeeds. The umask applies to the
  /// modes; the socket file has `mode` from the moment it exists, and connecting needs the permission to write. The
  /// kernel lowers a `backlog` above `net.core.somaxconn`.
  ///
  /// A missing directory is made with `directoryMode` unless that is nil; its parent must exist. If another process has
  /// locked it, `waiting` is called once with its path.
  ///
  /// - Throws: `inUse`, `notASocket`, `directoryLocked` after 5 seconds, `addressTooLong`, `addressMalformed` or
  ///   `call`.
  package static func listen(
    at path: String,
    directoryMode: FilePermissions? = nil,
    mode: FilePermissions = [.ownerReadWrite],
    backlog: Int = 4096,
    waiting: (String) -> Void = { _ in }
  ) throws(SocketError) -> ListeningSocket {
    let address = try SocketAddress(path: path)
    let directory = try LockedDirectory(of: path, creatingWith: directoryMode, waiting: waiting)
    try SocketFile.removeIfStale(at: address)
    let descriptor = try makeStreamSocket(nonblocking: true)
    // Set before `bind` makes the file, so that the file never has another mode, and not through the umask, which all
    // threads share.
    try systemCall { fchmod(descriptor.rawValue, mode.rawValue) }.get("fchmod", about: address.subject)
    try systemCall {
      unsafe address.withSystemAddress { unsafe bind(descriptor.rawValue, $0, $1) }
    }.get("bind", about: address.subject)
    let file = try SocketFile(at: address)
    try listen(on: descriptor.rawValue, backlog: backlog, about: address.subject)
    directory.unlock()
    return ListeningSocket(descriptor: descriptor, file: file)
  }

  private static func listen(
    on descriptor: CInt,
    backlog: Int,
    about subject: SocketError.Subject
  ) throws(SocketError) {
    try systemCall { Glibc.listen(descriptor, CInt(clamping: backlog)) }.get("listen", about: subject)
  }

  /// Takes over a listening socket that this process got at its start; an unsuitable descriptor is closed.
  ///
  /// listen(2) is called again, so that who connects from now on sees this process as its peer, not the one that made
  /// the socket. The number of waiting connections is then limited only by `net.core.somaxconn`.
  package static func adopt(_ descriptor: consuming OwnedDescriptor) throws(SocketError) -> ListeningSocket {
    try checkSuitability(of: descriptor.rawValue)
    try systemCall { fcntl(descriptor.rawValue, F_SETFD, FD_CLOEXEC) }
      .get("fcntl", about: .descriptor(descriptor.rawValue))
    try makeNonblocking(descriptor.rawValue)
    refuseDescriptors(on: descriptor.rawValue)
    try listen(on: descriptor.rawValue, backlog: .max, about: .descriptor(descriptor.rawValue))
    return ListeningSocket(descriptor: descriptor, file: nil)
  }

  package enum Acceptance: ~Copyable {
    case connection(StreamSocket)
    case wouldBlock

    /// No descriptor or no memory is left for the next connection, which stays in the queue.
    ///
    /// The socket stays readable, so the caller should pause before the next wait.
    case exhausted(Errno)
  }

  package borrowing func accept() throws(SocketError) -> Acceptance {
    while true {
      let flags = CInt(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      switch systemCall({ accept4(descriptor.rawValue, nil, nil, flags) }) {
      case .success(let connection): return .connection(StreamSocket(OwnedDescriptor(connection)))
      case .failure(.wouldBlock): return .wouldBlock
      case .failure(.connectionAbort): continue
      case .failure(let error):
        let exhaustion: [Errno] = [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory, .noBufferSpace]
        guard exhaustion.contains(error) else {
          throw SocketError(.call("accept4", error), about: .descriptor(descriptor.rawValue))
        }
        return .exhausted(error)
      }
    }
  }

  package borrowing func removeFile() throws(SocketError) {
    try file?.remove()
  }
}
