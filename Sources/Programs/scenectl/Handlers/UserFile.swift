import DesktopEntries
import Glibc
import Installed
import SystemPackage

/// A file of the user's that is replaced as a whole, so that who reads it finds all of the old or all of the new one.
struct UserFile {
  let path: String
  /// What is to be in it.
  var bytes: [UInt8]
  /// What is in it.
  private var saved: [UInt8]
  /// Where the file is that a link at ``path`` leads to.
  private let target: FilePath
  /// 0600 for one that is not there yet, as mkstemp(3) makes it.
  private let permissions: FilePermissions?

  /// Reads the file; one that is not there is empty.
  init(_ path: String) throws(UserFileError) {
    self.path = path
    switch FileContents.read(path) {
    case .file(let bytes, let status): (saved, permissions) = (bytes, status.permissions)
    case .missing: (saved, permissions) = ([], nil)
    case .nullDevice: throw UserFileError(path, line: 1, "It is the null device; remove it first.")
    case .unreadable(let reason): throw UserFileError(path, line: 1, "It is not read: \(reason).")
    }
    bytes = saved
    if let target = Host.canonicalPath(FilePath(path)) {
      self.target = target
    } else if Host.isLink(path) {
      throw UserFileError(path, line: 1, "It is a link to nothing; remove it first.")
    } else {
      target = FilePath(path)
    }
  }

  /// Replaces the file if it is to be another one; its mode stays.
  mutating func save() throws(UserFileError) {
    guard bytes != saved else { return }
    do {
      try replace()
    } catch {
      throw UserFileError(path, line: nil, "It cannot be written: \(error).")
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
    // Until the directory is on the disk, the name may still be that of the old file after a crash.
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

/// Why a file of the user's cannot be changed, as a sentence with its place.
struct UserFileError: Error, CustomStringConvertible {
  let description: String

  init(_ path: String, line: Int?, _ sentence: String) {
    description = "\(path)\(line.map { ":\($0)" } ?? ""): \(sentence)"
  }
}
