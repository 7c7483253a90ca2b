import CLinux
import Glibc
package import SystemPackage

/// A socket on which processes connect.
///
/// Nonblocking and close-on-exec; so are the connections it accepts.
package struct ListeningSocket: ~Copyable, Sendable {
  /// The descriptor, to wait until somebody connects.
  package let descriptor: OwnedDescriptor

  /// The file that was made for this socket; nil if it was inherited.
  let file: SocketFile?

  /// Where processes connect, as the socket was bound; nil for one without a file.
  package var path: String? {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout.size(ofValue: address))
    let isKnown = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor.rawValue, $0, &length) == 0
      }
    }
    guard isKnown else { return nil }
    // A path of the greatest length has no NUL; an abstract name begins with one.
    let path = unsafe withUnsafeBytes(of: &address.sun_path) { bytes in
      unsafe bytes.prefix(Int(length) - MemoryLayout<sa_family_t>.size).prefix { $0 != 0 }.map { $0 }
    }
    return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
  }

  /// The mode of a directory of which nobody else may even see what is in it.
  package static let privateDirectory: FilePermissions = [.ownerReadWriteExecute]

  /// Listens at `path`.
  ///
  /// The file has its mode before anybody can connect. A socket file on which nobody listens any more is replaced. Of
  /// several processes that do this at once one succeeds and the others get an error: each holds a lock on the directory
  /// meanwhile.
  ///
  /// - Parameters:
  ///   - path: the file to make, at most `SocketAddress.maximumLength` bytes.
  ///   - directoryMode: the mode with which the directory is made if it is missing; nil not to make it. Its parent must
  ///     exist. As with any new file, the process's umask applies.
  ///   - mode: the mode of the socket file, to which the umask applies too. Connecting takes the permission to write.
  ///   - backlog: how many connections may wait to be accepted; the kernel's `net.core.somaxconn` applies.
  ///   - waiting: called with the directory if another process has locked it, before it is waited for.
  /// - Returns: the socket, which accepts from now on.
  /// - Throws: `SocketError` with the reason `inUse` if somebody listens there, `notASocket` if another file is there,
  ///   `directoryLocked` if the lock is not free within 5 seconds, `addressTooLong`, or the system call that failed.
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
    // The file gets the mode that the socket has when it is bound. Setting it before leaves no moment in which the
    // file is there with another one, and touches no umask, which belongs to all threads.
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

  /// Takes over a listening socket that this process was started with.
  ///
  /// Who connects from now on sees this process as its peer, not the one that made the socket. As many may wait to be
  /// accepted as the system allows (`net.core.somaxconn`).
  ///
  /// - Parameter descriptor: the socket; closed if it is unsuitable.
  /// - Returns: the socket, nonblocking and close-on-exec whatever it was before.
  /// - Throws: `SocketError` with the reason `unsuitable` unless it is a Unix stream socket that listens.
  package static func adopt(_ descriptor: consuming OwnedDescriptor) throws(SocketError) -> ListeningSocket {
    try checkSuitability(of: descriptor.rawValue)
    try systemCall { fcntl(descriptor.rawValue, F_SETFD, FD_CLOEXEC) }
      .get("fcntl", about: .descriptor(descriptor.rawValue))
    try makeNonblocking(descriptor.rawValue)
    refuseDescriptors(on: descriptor.rawValue)
    try listen(on: descriptor.rawValue, backlog: .max, about: .descriptor(descriptor.rawValue))
    return ListeningSocket(descriptor: descriptor, file: nil)
  }

  /// What `accept` found.
  package enum Acceptance: ~Copyable {
    /// Somebody has connected.
    case connection(StreamSocket)

    /// Nobody waits to be accepted.
    case wouldBlock

    /// There is no descriptor or memory for another connection, which stays in the queue.
    ///
    /// The socket stays ready: the caller has to stop waiting for it until something has been closed.
    case exhausted(Errno)
  }

  /// Accepts the connection that has waited longest.
  ///
  /// - Returns: the connection, or why there is none.
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

  /// Removes the file of this socket, so that nobody can connect any more.
  ///
  /// Only the file that `listen` made: not one that took its place, and none of an inherited socket. Clients that are
  /// connected, or wait to be accepted, are not affected.
  package borrowing func removeFile() throws(SocketError) {
    try file?.remove()
  }
}
