import DesktopEntries
import Glibc

/// The names in one directory at which changes matter; a change at any other name is ignored.
package enum WatchedNames: Equatable, Sendable {
  case all
  case some(Set<String>)

  /// Whether a change at `name` counts.
  package func contains(_ name: String) -> Bool {
    switch self {
    case .all: true
    case .some(let names): names.contains(name)
    }
  }

  /// Adds the names of another set.
  package mutating func formUnion(_ other: WatchedNames) {
    if case .some(let names) = self, case .some(let others) = other {
      self = .some(names.union(others))
    } else {
      self = .all
    }
  }
}

extension DesktopPlaces {
  /// The paths of the directories to watch, and the names to watch in each directory.
  ///
  /// A change at one of these names can change the result of ``InstalledApplications``. A directory is included even if
  /// it does not exist. Directories inside a directory of desktop entries are not included.
  ///
  /// All parent directories are included too. In a parent directory, only the name of the next directory on the path is
  /// watched, such as `share` in `/usr`. So it is noticed when a directory appears, disappears or is replaced. What a
  /// symbolic link leads to is not included; see ``watchedPaths`` and ``LinkSteps``.
  package var watchedDirectories: [String: WatchedNames] {
    var directories: [String: WatchedNames] = [:]
    func watch(_ path: String, for names: WatchedNames) { directories[path, default: names].formUnion(names) }

    for path in configuration { watch(path, for: .some(Set(listNames))) }
    if let state { watch(state, for: .some([Self.replacedDefaultsName])) }
    for path in mime { watch(path, for: .some(Set(MIMEDatabase.fileNames))) }
    for path in own + applications { watch(path, for: .all) }
    for path in directories.keys {
      var path = path[...]
      while let slash = path.lastIndex(of: "/") {
        let name = String(path[slash...].dropFirst())
        path = path[..<slash]
        watch(path.isEmpty ? "/" : String(path), for: .some([name]))
      }
    }
    return directories
  }

  /// The paths in ``watchedDirectories`` that are read, and that can be symbolic links; desktop entries are not included.
  package var watchedPaths: [String] {
    let named = watchedDirectories.flatMap { directory, names in
      if case .some(let names) = names { names.map { "\(directory)/\($0)" } } else { [String]() }
    }
    return named + applications.flatMap { directory in listNames.map { "\(directory)/\($0)" } }
      + [senderChoices].compactMap(\.self)
  }

  private var listNames: [String] {
    (["mimeapps.list"] + UriHandler.fileNames).flatMap { names(ofLists: $0) }.map(\.name)
  }
}

/// A name in a directory; a change there changes where a path leads.
package struct LinkStep: Hashable, Sendable {
  /// The path of the directory, without symbolic links.
  package let directory: String
  /// The name.
  package let name: String
}

extension LinkStep {
  /// The most symbolic links that the system follows on one path (path_resolution(7)).
  private static let mostLinks = 40

  /// Returns each step from the root directory to the end of a symbolic link; nothing if the path is no symbolic link.
  ///
  /// A step can be missing, and then only the names of the later ones are known. Waits for the disk.
  package static func steps(ofLink path: String) -> [LinkStep] {
    guard target(of: path) != nil else { return [] }
    var steps: [LinkStep] = []
    var links = 0
    var directory = ""
    var rest = Array(path.split(separator: "/").reversed())
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        directory = String(directory[..<(directory.lastIndex(of: "/") ?? directory.startIndex)])
        continue
      }
      steps.append(LinkStep(directory: directory.isEmpty ? "/" : directory, name: String(name)))
      let next = "\(directory)/\(name)"
      guard let target = target(of: next) else {
        directory = next
        continue
      }
      links += 1
      guard links <= mostLinks else { break }
      if target.hasPrefix("/") { directory = "" }
      rest += target.split(separator: "/").reversed()
    }
    return steps
  }

  private static func target(of path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &bytes, bytes.count)
    return count > 0 ? String(validating: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }
}
