import Glibc
import SystemPackage
import UnixSocket

/// Why the service does not use one of its files.
struct StateFileError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  init(_ call: String, _ path: String, _ error: Errno) {
    description = "The call \(call) failed for '\(path)': \(error)."
  }
}

/// For files that the service leaves for its next start.
enum StateFile {
  /// Never blocks, even if the path leads to a pipe, and takes away the permissions of other users.
  static func open(_ path: String, _ flags: CInt) throws(StateFileError) -> OwnedDescriptor {
    let descriptor = unsafe Glibc.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == ELOOP { throw StateFileError("'\(path)' is a symbolic link, and is not used.") }
      throw StateFileError("open", path, Errno(rawValue: errno))
    }
    let file = OwnedDescriptor(descriptor)
    var status = stat()
    guard unsafe fstat(file.rawValue, &status) == 0 else {
      throw StateFileError("fstat", path, Errno(rawValue: errno))
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StateFileError("'\(path)' is not a regular file, and is not used.")
    }
    guard status.st_uid == geteuid() else {
      throw StateFileError("'\(path)' belongs to user \(status.st_uid), and is not used.")
    }
    guard status.st_mode & 0o077 == 0 || fchmod(file.rawValue, 0o600) == 0 else {
      throw StateFileError("fchmod", path, Errno(rawValue: errno))
    }
    return file
  }
}
