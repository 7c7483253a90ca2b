import DesktopEntries
import Glibc
import SystemPackage

/// A file that can be a desktop entry.
struct EntryFile {
  let id: String
  let path: String
  /// Whether only trusted owners can put files into the file's directory.
  let isInTrustedDirectory: Bool
  /// Whether the directory listing reports a regular file; also false if the file system reports no types.
  let isRegular: Bool
}

/// The possible desktop entries in a directory and its subdirectories.
struct EntryDirectory {
  /// The files, sorted by id.
  ///
  /// Files with the same id, such as `kde-mail.desktop` and `kde/mail.desktop`, are sorted by path. The file in fewer
  /// subdirectories comes first, because `-` sorts before `/`.
  private(set) var files: [EntryFile] = []
  /// The files and directories that could not be read, and why.
  private(set) var unreadable: [(path: String, reason: String)] = []
  /// The number of directories that were read.
  private(set) var directoryCount = 0
  /// Whether files were left out because there are more files or directories than the maximum.
  private(set) var isCut = false

  private struct Subdirectory {
    let path: String
    /// The beginning of the id of each file in the subdirectory, such as `kde-` in the subdirectory `kde`.
    let prefix: String
    let isInTrustedDirectory: Bool
    /// Whether a link leads to the directory or to a directory above it.
    let isLinked: Bool
  }

  private struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  private let maximum: Int
  private let maximumDirectories: Int
  private let owners: FileOwners
  private var remaining: [Subdirectory]
  /// The directories that were read, so that none is read twice if a link leads back to it.
  private var visited: Set<Identity> = []

  /// Finds up to `maximum` files in a directory and its subdirectories.
  ///
  /// `willRead` gets the path of each directory, and of each entry that may be a link, before either is read. A link to
  /// a directory is followed.
  /// Links below such a link are not followed, because a link to `/` would lead to all directories of the machine.
  init(
    _ path: String,
    atMost maximum: Int,
    inDirectories maximumDirectories: Int,
    owners: FileOwners,
    willRead: (String) -> Void = { _ in }
  ) {
    (self.maximum, self.maximumDirectories, self.owners) = (maximum, maximumDirectories, owners)
    remaining = [Subdirectory(path: path, prefix: "", isInTrustedDirectory: true, isLinked: false)]
    while let next = remaining.popLast(), !isCut {
      isCut = directoryCount == maximumDirectories
      guard !isCut else { break }
      willRead(next.path)
      read(next, willRead)
    }
    files.sort { ($0.id, $0.path) < ($1.id, $1.path) }
  }

  private mutating func read(_ directory: Subdirectory, _ willRead: (String) -> Void) {
    guard let stream = unsafe opendir(directory.path) else {
      let error = Errno(rawValue: errno)
      if error != .noSuchFileOrDirectory, error != .notDirectory {
        unreadable.append((directory.path, "\(error)"))
      }
      return
    }
    defer { unsafe closedir(stream) }
    guard let status = try? FileDescriptor(rawValue: unsafe dirfd(stream)).stat(),
      visited.insert(Identity(device: UInt64(status.rawValue.st_dev), inode: UInt64(status.rawValue.st_ino)))
        .inserted
    else { return }
    directoryCount += 1
    let isTrusted = directory.isInTrustedDirectory && owners.own(status)
    while let entry = unsafe readdir(stream) {
      let type = unsafe entry.pointee.d_type
      guard let name = unsafe Self.name(of: entry) else {
        unreadable.append((directory.path, "the name of a file in it is not UTF-8"))
        continue
      }
      let path = "\(directory.path)/\(name)"
      if type != DT_DIR, name.hasSuffix(".desktop") {
        guard let id = DesktopEntry.id(ofPath: directory.prefix + name) else { continue }
        guard files.count < maximum else { return isCut = true }
        if type != DT_REG { willRead(path) }
        files.append(
          EntryFile(id: id, path: path, isInTrustedDirectory: isTrusted, isRegular: type == DT_REG)
        )
      } else if type != DT_REG, name != ".", name != "..", type != DT_LNK || !directory.isLinked {
        remaining.append(
          Subdirectory(
            path: path,
            prefix: "\(directory.prefix)\(name)-",
            isInTrustedDirectory: isTrusted,
            isLinked: directory.isLinked || type == DT_LNK
          )
        )
      }
    }
  }

  /// Returns the name of an entry of a directory; nil if the name is not UTF-8.
  static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
    unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
      unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(validatingCString: $0) }
    }
  }
}
