import DesktopEntries
import Glibc
import Installed
import SystemPackage

/// A user's file that is replaced as a whole: a reader finds either the old or the new contents.
///
/// A symbolic link stays, and the file at its end is replaced. Owner, group and mode stay.
struct UserFile {
  let path: String
  var contents: AssociationFile
  private let saved: AssociationFile
  /// At the end of the symbolic links at ``path``.
  private let target: FilePath
  private let status: Stat?

  /// A missing file has no contents.
  ///
  /// - Throws: an error if the file is unreadable, not text, too large, or the null device, or if `path` is a link to a
  ///   missing file.
  init(_ path: String) throws(UserFileError) {
    self.path = path
    switch FileContents.read(path) {
    case .file(let bytes, let status): (saved, self.status) = (AssociationFile(bytes), status)
    case .missing: (saved, status) = (AssociationFile(nil), nil)
    case .nullDevice: throw UserFileError(path, line: 1, "The file is the null device; remove it first.")
    case .unreadable(let reason): throw UserFileError(path, line: 1, "The file cannot be read: \(reason).")
    }
    contents = saved
    if let error = saved.error { throw UserFileError(path, line: error.line, error.text) }
    if let target = Host.canonicalPath(FilePath(path)) {
      self.target = target
    } else if Host.isLink(path) {
      throw UserFileError(path, line: 1, "The file is a link to a missing file; remove it first.")
    } else {
      target = FilePath(path)
    }
  }

  /// All contents are first written to temporary files, so no file changes if one cannot be written.
  static func save(_ files: [UserFile]) throws(UserFileError) {
    var prepared: [(file: UserFile, temporary: FilePath?)] = []
    do throws(UserFileError) {
      for file in files where file.contents != file.saved { prepared.append((file, try file.prepare())) }
    } catch {
      for (_, temporary) in prepared { temporary.map(Host.remove) }
      throw error
    }
    for (index, (file, temporary)) in prepared.enumerated() {
      do throws(Errno) {
        try file.put(temporary)
      } catch {
        for (_, temporary) in prepared[index...] { temporary.map(Host.remove) }
        throw file.error(error)
      }
    }
  }

  private func error(_ error: Errno) -> UserFileError {
    UserFileError(path, line: nil, "The file cannot be written: \(error).")
  }

  /// Returns the temporary file beside the user's; nil if the user's file is to be removed.
  private func prepare() throws(UserFileError) -> FilePath? {
    if let status, !status.permissions.contains(.ownerWrite) {
      throw UserFileError(path, line: nil, "The file is read-only; make it writable first.")
    }
    if let status, status.userID.rawValue != geteuid(), geteuid() != 0 {
      throw UserFileError(path, line: nil, "The file belongs to another user, whose it would not stay.")
    }
    do throws(Errno) {
      let directory = target.removingLastComponent()
      try Host.makeDirectories(directory)
      guard let bytes = contents.bytes else {
        if let refusal = Host.refusal(of: W_OK, directory) { throw Errno(rawValue: refusal) }
        return nil
      }
      let (file, temporary) = try Host.makeTemporaryFile(
        directory.appending(".\(target.lastComponent?.string ?? "").XXXXXX")
      )
      do {
        try write(bytes, to: file, in: directory)
      } catch {
        Host.remove(temporary)
        throw error
      }
      return temporary
    } catch {
      throw self.error(error)
    }
  }

  private func write(_ bytes: [UInt8], to file: FileDescriptor, in directory: FilePath) throws(Errno) {
    do {
      try file.closeAfter {
        try file.writeAll(bytes)
        if let status {
          try Host.give(file, to: status)
          guard fchmod(file.rawValue, status.permissions.rawValue) == 0 else { throw Errno(rawValue: errno) }
        } else if geteuid() == 0 {
          // Root must not leave files in a user's home that the user cannot change.
          try Host.give(file, to: Stat(directory))
        }
        if fsync(file.rawValue) != 0 { throw Errno(rawValue: errno) }
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  private func put(_ temporary: FilePath?) throws(Errno) {
    if let temporary { try Host.rename(temporary, to: target) } else { Host.remove(target) }
    // Until the directory's new contents are on the disk, a crash of the system could bring back the old file.
    try Host.synchronize(target.removingLastComponent())
  }
}

/// Keeps other processes of this tool from changing the user's files between reading and writing.
///
/// The lock's own file exists only while a process has the lock. Other programs do not know the lock, so their changes
/// meanwhile may be lost.
struct UserFileLock: ~Copyable {
  private let file: FileDescriptor
  private let path: FilePath

  init(_ path: String) throws(UserFileError) {
    self.path = FilePath(path)
    do {
      file = try Self.locked(self.path)
    } catch {
      throw UserFileError(path, line: nil, "The file cannot be locked: \(error).")
    }
  }

  private static func locked(_ path: FilePath) throws(Errno) -> FileDescriptor {
    while true {
      let file: FileDescriptor
      do {
        try Host.makeDirectories(path.removingLastComponent())
        let options: FileDescriptor.OpenOptions = [.create, .closeOnExec, .noFollow]
        file = try FileDescriptor.open(path, .readWrite, options: options, permissions: [.ownerReadWrite])
      } catch Errno.noSuchFileOrDirectory {
        // The process that had the lock has removed the directory in the meantime.
        continue
      } catch {
        throw error as? Errno ?? .ioError
      }
      while flock(file.rawValue, LOCK_EX) != 0 {
        guard errno == EINTR else { throw Errno(rawValue: errno) }
      }
      // The process that had the lock may have removed the file, and a third one made a new file; then this lock
      // protects nothing.
      if let held = try? file.stat(), let now = try? Stat(path, followTargetSymlink: false),
        held.inode == now.inode,
        held.deviceID == now.deviceID
      {
        return file
      }
      try? file.close()
    }
  }

  deinit {
    Host.remove(path)
    // Only an empty directory is removed.
    Host.removeDirectory(path.removingLastComponent().string)
    try? file.close()
  }
}

struct UserFileError: Error, CustomStringConvertible {
  let description: String

  init(_ path: String, line: Int?, _ sentence: String) {
    description = "\(path)\(line.map { ":\($0)" } ?? ""): \(sentence)"
  }
}

extension Host {
  static func isLink(_ path: String) -> Bool {
    (try? Stat(FilePath(path), followTargetSymlink: false))?.type == .symbolicLink
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
