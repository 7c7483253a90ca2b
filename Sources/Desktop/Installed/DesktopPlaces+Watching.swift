import DesktopEntries

/// The names in a directory that matter for reading; a change at any other name changes no result.
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
  /// The paths of directories whose changes can change the result of ``InstalledApplications``, and the names to
  /// watch.
  ///
  /// Subdirectories of directories of entries are not included. Missing directories are included. Each directory
  /// above an included directory is included too. In such a directory, only the name of the next directory on the
  /// path counts. So a directory that appears, disappears or is replaced is noticed. If a directory is a link, only
  /// changes in the target directory are noticed, not changes above the target.
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
