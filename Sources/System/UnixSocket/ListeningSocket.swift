import CLinux
import Glibc
package import SystemPackage

/// A listening socket, to which other processes connect.
///
/// The socket and the connections that it accepts are nonblocking and close-on-exec.
package struct ListeningSocket: ~Copyable, Sendable {
  /// The descriptor of the socket, readable while a connection can be accepted.
  package let descriptor: OwnedDescriptor

  /// The file of the socket; nil if the socket was inherited.
  let file: SocketFile?

  /// The path that the socket is bound to; nil if the socket has no file.
  package var path: String? {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout.size(ofValue: address))
    let isKnown = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor.rawValue, $0, &length) == 0
      }
    }
    guard isKnown else { return nil }
    // A path ends at its first NUL or, if it has no NUL, at the end of the address. An abstract name begins with a NUL,
    // so its path is empty.
    let path = unsafe withUnsafeBytes(of: &address.sun_path) { bytes in
      unsafe bytes.prefix(Int(length) - MemoryLayout<sa_family_t>.size).prefix { $0 != 0 }.map { $0 }
    }
    return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
  }

  /// The mode of a directory whose content only the owner can list and use.
  package static let privateDirectory: FilePermissions = [.ownerReadWriteExecute]

  /// Listens at `path`.
  ///
  /// A socket file that is already at `path` is replaced if no process listens on it.
  ///
  /// The directory is locked during the call. If several processes call this function at the same time, one process
  /// succeeds, and every other process gets an error.
  ///
  /// - Parameters:
  ///   - path: The path of the new file, at most `SocketAddress.maximumLength` bytes.
  ///   - directoryMode: The mode with which a missing directory is made; nil makes no directory. The directory's parent
  ///     must exist. The process's umask applies.
  ///   - mode: The mode of the socket file, from the moment the file exists. The umask applies. Connecting needs the
  ///     permission to write.
  ///   - backlog: The most connections that can wait to be accepted. The kernel lowers a greater number to
  ///     `net.core.somaxconn`.
  ///   - waiting: Called once with the path of the directory, if another process has locked the directory.
  /// - Returns: The socket. It accepts connections from now on.
  /// - Throws: `SocketError` with one of these reasons:
  ///   - `inUse`: a process listens at `path`.
  ///   - `notASocket`: the file at `path` is not a socket.
  ///   - `directoryLocked`: the lock was not free within 5 seconds.
  ///   - `addressTooLong`, `addressMalformed`: `path` is not the path of a socket.
  ///   - `call`: a system call failed.
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
    // The mode is set before `bind` makes the file, so the file never has another mode. The mode is not set through
    // the umask, because all threads share the umask.
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

  /// Takes over a listening socket that this process got at its start.
  ///
  /// The function calls listen(2) again. A process that connects from now on therefore sees this process as its peer,
  /// instead of the process that made the socket. The kernel's `net.core.somaxconn` is now the only limit on the number
  /// of connections that wait to be accepted.
  ///
  /// - Parameter descriptor: The socket. An unsuitable descriptor is closed.
  /// - Returns: The socket, now nonblocking and close-on-exec.
  /// - Throws: `SocketError` with the reason `unsuitable` if `descriptor` is not a listening Unix stream socket.
  package static func adopt(_ descriptor: consuming OwnedDescriptor) throws(SocketError) -> ListeningSocket {
    try checkSuitability(of: descriptor.rawValue)
    try systemCall { fcntl(descriptor.rawValue, F_SETFD, FD_CLOEXEC) }
      .get("fcntl", about: .descriptor(descriptor.rawValue))
    try makeNonblocking(descriptor.rawValue)
    refuseDescriptors(on: descriptor.rawValue)
    try listen(on: descriptor.rawValue, backlog: .max, about: .descriptor(descriptor.rawValue))
    return ListeningSocket(descriptor: descriptor, file: nil)
  }

  /// The outcome of `accept`.
  package enum Acceptance: ~Copyable {
    /// A process has connected.
    case connection(StreamSocket)

    /// No connection waits to be accepted.
    case wouldBlock

    /// No descriptor or no memory is left for the next connection, which stays in the queue.
    ///
    /// The socket stays readable, so a wait for the socket ends at once. The caller should pause before the next wait.
    case exhausted(Errno)
  }

  /// Accepts the connection that has waited longest.
  ///
  /// - Returns: The connection, or the reason why there is none.
  /// - Throws: `SocketError` if this socket can no longer be used.
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

  /// Removes the file of this socket, so that no process can connect any more.
  ///
  /// Only the file that `listen` made is removed. Another file at the path stays. The file of an inherited socket stays
  /// too. Connected and waiting clients are not affected.
  package borrowing func removeFile() throws(SocketError) {
    try file?.remove()
  }
}
