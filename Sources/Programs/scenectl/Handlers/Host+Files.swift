import Glibc
import SystemPackage

extension Host {
  static func isLink(_ path: String) -> Bool {
    (try? Stat(FilePath(path), followTargetSymlink: false))?.type == .symbolicLink
  }

  static func isRegularFile(_ path: FilePath) -> Bool { (try? Stat(path))?.type == .regular }

  /// The empty path stands for the working directory.
  static func isDirectory(_ path: FilePath) -> Bool {
    (try? Stat(path.isEmpty ? "." : path))?.type == .directory
  }

  /// Empty for an unreadable directory.
  static func names(in directory: FilePath) -> [String] {
    guard let stream = unsafe directory.withPlatformString({ unsafe opendir($0) }) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(validatingCString: $0) }
      }
      name.map { names.append($0) }
    }
    return names
  }

  /// With mode 0700, and the missing parents; what root makes gets the owner of its parent.
  static func makeDirectories(_ path: FilePath) throws(Errno) {
    guard refusal(of: F_OK, path) == ENOENT else { return }
    let parent = path.removingLastComponent()
    if path.components.count > 1 { try makeDirectories(parent) }
    try unsafe check(path) { path in
      // Another process may have made the directory in the meantime.
      unsafe mkdir(path, 0o700) == 0 || errno == EEXIST ? 0 : -1
    }
    guard geteuid() == 0 else { return }
    let owner = try Stat(parent)
    try unsafe check(path) { unsafe chown($0, owner.userID.rawValue, owner.groupID.rawValue) }
  }

  static func give(_ file: FileDescriptor, to owner: Stat) throws(Errno) {
    guard fchown(file.rawValue, owner.userID.rawValue, owner.groupID.rawValue) == 0 else {
      throw Errno(rawValue: errno)
    }
  }

  /// With mode 0600; mkstemp(3) replaces the Xs at the end of the path.
  static func makeTemporaryFile(_ template: FilePath) throws(Errno) -> (file: FileDescriptor, path: FilePath)
  {
    var path = Array(template.string.utf8CString)
    let descriptor = unsafe mkstemp(&path)
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    return (FileDescriptor(rawValue: descriptor), FilePath(unsafe String(cString: &path)))
  }

  static func rename(_ path: FilePath, to new: FilePath) throws(Errno) {
    try unsafe check(path) { path in unsafe new.withPlatformString { unsafe Glibc.rename(path, $0) } }
  }

  static func remove(_ path: FilePath) { _ = unsafe path.withPlatformString { unsafe unlink($0) } }

  /// Waits until the names in the directory are on the disk.
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
