import DesktopEntries
import Glibc
import SystemPackage

struct EntryFile {
  let id: String
  let path: String
  /// Whether only trusted owners can put files into the directory.
  let isInTrustedDirectory: Bool
  /// False also if the file system reports no types.
  let isRegular: Bool
}

struct EntryDirectory {
  /// Sorted by id, then by path, so that `kde-mail.desktop` comes before `kde/mail.desktop`.
  private(set) var files: [EntryFile] = []
  private(set) var unreadable: [(path: String, reason: String)] = []
  private(set) var directoryCount = 0
  private(set) var isCut = false

  private struct Subdirectory {
    let path: String
    /// The beginning of each id, such as `kde-` in the subdirectory `kde`.
    let prefix: String
    let isInTrustedDirectory: Bool
    /// Whether a link leads to the directory or to one above it.
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
  /// Keeps a directory from being read twice if a link leads back to it.
  private var visited: Set<Identity> = []

  /// `willRead` gets each directory, and each entry that may be a link, before either is read.
  ///
  /// A link to a directory is followed, but none below it, because a link to `/` would lead to all directories.
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

  /// Nil if the name is not UTF-8.
  static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
    unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
      unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(validatingCString: $0) }
    }
  }
}
