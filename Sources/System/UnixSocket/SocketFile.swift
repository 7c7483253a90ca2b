import Glibc
import SystemPackage

/// The file of a listening socket, by device and inode, because another file may get the same path later.
///
/// The kernel gives the inode to no other file while the socket is open.
struct SocketFile: Sendable {
  private let address: SocketAddress
  private let device: dev_t
  private let inode: ino_t

  init(at address: SocketAddress) throws(SocketError) {
    let status = try Self.status(of: address).get("lstat", about: address.subject)
    self.address = address
    self.device = status.st_dev
    self.inode = status.st_ino
  }

  func remove() throws(SocketError) {
    let directory = try LockedDirectory(of: address.description)
    switch Self.status(of: address) {
    case .success(let status) where status.st_dev == device && status.st_ino == inode:
      try Self.unlink(address)
    case .success, .failure(.noSuchFileOrDirectory):
      break
    case .failure(let error):
      throw SocketError(.call("lstat", error), about: address.subject)
    }
    directory.unlock()
  }

  /// Removes the file if no process listens; the caller must have locked the directory.
  ///
  /// - Throws: `inUse`, `notASocket` or `call`.
  static func removeIfStale(at address: SocketAddress) throws(SocketError) {
    switch status(of: address) {
    case .success(let status) where status.st_mode & S_IFMT == S_IFSOCK: break
    case .success: throw SocketError(.notASocket, about: address.subject)
    case .failure(.noSuchFileOrDirectory): return
    case .failure(let error): throw SocketError(.call("lstat", error), about: address.subject)
    }

    // A process that accepts slowly must not delay this function.
    let probe = StreamSocket(try makeStreamSocket(nonblocking: true))
    let outcome = systemCall {
      unsafe address.withSystemAddress { unsafe connect(probe.descriptor.rawValue, $0, $1) }
    }
    switch outcome {
    case .success:
      throw SocketError(.inUse(owner: try probe.peerCredentials().processID), about: address.subject)
    case .failure(.connectionRefused): try unlink(address)
    case .failure(.wouldBlock): throw SocketError(.inUse(owner: nil), about: address.subject)
    case .failure(let error): throw SocketError(.call("connect", error), about: address.subject)
    }
  }

  private static func status(of address: SocketAddress) -> Result<stat, Errno> {
    var status = stat()
    return systemCall { unsafe lstat(address.description, &status) }.map { _ in status }
  }

  private static func unlink(_ address: SocketAddress) throws(SocketError) {
    try systemCall { unsafe Glibc.unlink(address.description) }.get("unlink", about: address.subject)
  }
}

/// The lock of a directory; while this value lives, no other process can lock it.
///
/// The lock (flock(2)) is on the directory itself, so that no lock file has to be removed, and ends with the process.
/// Who can open the directory can lock it, so it should be private to the user.
struct LockedDirectory: ~Copyable {
  /// With the pauses 5 seconds; another server needs the lock only for milliseconds.
  private static let attempts = 250
  private static let attemptIntervalUSec: UInt32 = 20_000

  private let descriptor: OwnedDescriptor

  init(
    of path: String,
    creatingWith mode: FilePermissions? = nil,
    waiting: (String) -> Void = { _ in }
  ) throws(SocketError) {
    let parent = FilePath(path).removingLastComponent()
    let directory = parent.isEmpty ? "." : parent.string
    if let mode, case .failure(let error) = systemCall({ unsafe mkdir(directory, mode.rawValue) }) {
      guard error == .fileExists else { throw SocketError(.call("mkdir", error), about: .name(directory)) }
    }
    let descriptor = OwnedDescriptor(
      try systemCall { unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        .get("open", about: .name(directory))
    )
    for attempt in 0..<Self.attempts {
      switch systemCall({ flock(descriptor.rawValue, LOCK_EX | LOCK_NB) }) {
      case .success:
        self.descriptor = descriptor
        return
      case .failure(.wouldBlock):
        if attempt == 0 { waiting(directory) }
        usleep(Self.attemptIntervalUSec)
      case .failure(let error): throw SocketError(.call("flock", error), about: .name(directory))
      }
    }
    throw SocketError(.directoryLocked, about: .name(directory))
  }

  /// Consumes this value, so that the descriptor is closed.
  consuming func unlock() {}
}
