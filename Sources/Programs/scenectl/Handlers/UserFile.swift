import DesktopEntries
import Glibc
import Installed
import SystemPackage

/// A file of the user's that is replaced as a whole, so that a reader finds either the old or the new contents.
struct UserFile {
  let path: String
  /// The contents that ``save()`` writes.
  var bytes: [UInt8]
  /// The contents on the disk.
  private var saved: [UInt8]
  /// The file at the end of the symbolic links at ``path``.
  private let target: FilePath
  /// The mode of the file; nil for a missing file, which gets mode 0600 from mkstemp(3).
  private let permissions: FilePermissions?

  /// Reads the file; a missing file is empty.
  ///
  /// - Throws: if the file cannot be read, is the null device, or is a link to a missing file.
  init(_ path: String) throws(UserFileError) {
    self.path = path
    switch FileContents.read(path) {
    case .file(let bytes, let status): (saved, permissions) = (bytes, status.permissions)
    case .missing: (saved, permissions) = ([], nil)
    case .nullDevice: throw UserFileError(path, line: 1, "The file is the null device; remove it first.")
    case .unreadable(let reason): throw UserFileError(path, line: 1, "The file cannot be read: \(reason).")
    }
    bytes = saved
    if let target = Host.canonicalPath(FilePath(path)) {
      self.target = target
    } else if Host.isLink(path) {
      throw UserFileError(path, line: 1, "The file is a link to a missing file; remove it first.")
    } else {
      target = FilePath(path)
    }
  }

  /// Replaces the file if ``bytes`` differ from its contents; its mode stays.
  mutating func save() throws(UserFileError) {
    guard bytes != saved else { return }
    do {
      try replace()
    } catch {
      throw UserFileError(path, line: nil, "The file cannot be written: \(error).")
    }
    saved = bytes
  }

  private func replace() throws(Errno) {
    let directory = target.removingLastComponent()
    try Host.makeDirectories(directory)
    let name = ".\(target.lastComponent?.string ?? "").XXXXXX"
    let (file, temporary) = try Host.makeTemporaryFile(directory.appending(name))
    do {
      try write(to: file)
      try Host.rename(temporary, to: target)
    } catch {
      Host.remove(temporary)
      throw error
    }
    // Before the directory is on the disk, a crash may bring back the old file.
    try Host.synchronize(directory)
  }

  private func write(to file: FileDescriptor) throws(Errno) {
    do {
      try file.closeAfter {
        try file.writeAll(bytes)
        if let permissions, fchmod(file.rawValue, permissions.rawValue) != 0 {
          throw Errno(rawValue: errno)
        }
        if fsync(file.rawValue) != 0 { throw Errno(rawValue: errno) }
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}

/// The reason why a file of the user's cannot be changed: its path, a line, and a sentence.
struct UserFileError: Error, CustomStringConvertible {
  let description: String

  init(_ path: String, line: Int?, _ sentence: String) {
    description = "\(path)\(line.map { ":\($0)" } ?? ""): \(sentence)"
  }
}
