import DesktopEntries
import Glibc
import SystemPackage

/// A file that can be a desktop entry.
struct EntryFile {
  let id: String
  let path: String
  /// Whether nobody but trusted owners can put files next to it.
  let isInTrustedDirectory: Bool
  /// Whether the directory says that it is a regular file; it need not know.
  let isRegular: Bool
}

/// The files below a directory that can be desktop entries.
struct EntryDirectory {
  /// Sorted by id; of those with the same id the one in fewer subdirectories comes first, as `-` sorts before `/`.
  private(set) var files: [EntryFile] = []
  /// What could not be read, and why.
  private(set) var unreadable: [(path: String, reason: String)] = []
  /// Whether there are more files than were asked for.
  private(set) var isCut = false

  private struct Subdirectory {
    let path: String
    /// What precedes the names of its files in their ids.
    let prefix: String
    let isInTrustedDirectory: Bool
  }

  private struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  private let maximum: Int
  private let owners: FileOwners
  private var remaining: [Subdirectory]
  /// Links can lead back to a directory.
  private var visited: Set<Identity> = []

  /// Looks for files in a directory and those in it, until there are `maximum`; `willRead` gets the path of each first.
  init(_ path: String, atMost maximum: Int, owners: FileOwners, willRead: (String) -> Void = { _ in }) {
    (self.maximum, self.owners) = (maximum, owners)
    remaining = [Subdirectory(path: path, prefix: "", isInTrustedDirectory: true)]
    while let next = remaining.popLast(), !isCut {
      willRead(next.path)
      read(next)
    }
    files.sort { ($0.id, $0.path) < ($1.id, $1.path) }
  }

  private mutating func read(_ directory: Subdirectory) {
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
        files.append(
          EntryFile(id: id, path: path, isInTrustedDirectory: isTrusted, isRegular: type == DT_REG)
        )
      } else if type != DT_REG, name != ".", name != ".." {
        let prefix = "\(directory.prefix)\(name)-"
        remaining.append(Subdirectory(path: path, prefix: prefix, isInTrustedDirectory: isTrusted))
      }
    }
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
    unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
      unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(validatingCString: $0) }
    }
  }
}
