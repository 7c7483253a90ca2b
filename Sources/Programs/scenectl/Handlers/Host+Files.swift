import Glibc
import SystemPackage

extension Host {
  /// Returns whether a path is a symbolic link.
  static func isLink(_ path: String) -> Bool {
    (try? Stat(FilePath(path), followTargetSymlink: false))?.type == .symbolicLink
  }

  /// Returns whether a path leads to a regular file.
  static func isRegularFile(_ path: FilePath) -> Bool { (try? Stat(path))?.type == .regular }

  /// Makes a directory and its missing parents, with mode 0700.
  static func makeDirectories(_ path: FilePath) throws(Errno) {
    guard refusal(of: F_OK, path) == ENOENT else { return }
    if path.components.count > 1 { try makeDirectories(path.removingLastComponent()) }
    try unsafe check(path) { unsafe mkdir($0, 0o700) }
  }

  /// Makes a file with mode 0600; mkstemp(3) replaces the Xs at the end of the path.
  static func makeTemporaryFile(_ template: FilePath) throws(Errno) -> (file: FileDescriptor, path: FilePath)
  {
    var path = Array(template.string.utf8CString)
    let descriptor = unsafe mkstemp(&path)
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    return (FileDescriptor(rawValue: descriptor), FilePath(unsafe String(cString: &path)))
  }

  /// Renames a file; a file that has the new name is replaced.
  static func rename(_ path: FilePath, to new: FilePath) throws(Errno) {
    try unsafe check(path) { path in unsafe new.withPlatformString { unsafe Glibc.rename(path, $0) } }
  }

  /// Removes a file; errors are ignored.
  static func remove(_ path: FilePath) { _ = unsafe path.withPlatformString { unsafe unlink($0) } }

  /// Waits until the names in a directory are on the disk.
  static func synchronize(_ directory: FilePath) throws(Errno) {
    try unsafe check(directory) { path in
      let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return -1 }
      defer { close(descriptor) }
      return fsync(descriptor)
    }
  }

  private static func check(_ path: FilePath, _ call: (UnsafePointer<CChar>) -> CInt) throws(Errno) {
    var code: CInt = 0
    unsafe path.withPlatformString { if unsafe call($0) != 0 { code = errno } }
    if code != 0 { throw Errno(rawValue: code) }
  }
}
