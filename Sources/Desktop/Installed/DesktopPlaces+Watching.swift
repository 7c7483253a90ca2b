import DesktopEntries

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
  /// watched, such as `share` in `/usr`. So it is noticed when a directory appears, disappears or is replaced. If a
  /// directory is a symbolic link, changes above the target of the link are not noticed.
  package var watchedDirectories: [String: WatchedNames] {
    var directories: [String: WatchedNames] = [:]
    func watch(_ path: String, for names: WatchedNames) { directories[path, default: names].formUnion(names) }

    let lists = (["mimeapps.list"] + UriHandler.fileNames).flatMap { names(ofLists: $0) }.map(\.name)
    for path in configuration { watch(path, for: .some(Set(lists))) }
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
}
