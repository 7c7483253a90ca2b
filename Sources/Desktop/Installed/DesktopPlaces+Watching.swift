import DesktopEntries

/// The names in a directory whose change can change what is read.
package enum WatchedNames: Equatable, Sendable {
  case all
  case some(Set<String>)

  /// Whether a name is one of them.
  package func contains(_ name: String) -> Bool {
    switch self {
    case .all: true
    case .some(let names): names.contains(name)
    }
  }

  /// Adds others.
  package mutating func formUnion(_ other: WatchedNames) {
    if case .some(let names) = self, case .some(let others) = other {
      self = .some(names.union(others))
    } else {
      self = .all
    }
  }
}

extension DesktopPlaces {
  /// The directories in which a change can change what ``InstalledApplications`` reads, by path, but for those in
  /// directories of entries.
  ///
  /// Those that are not there count too, and each directory above one of them: there only the name counts by which it
  /// leads to one, so that one that appears, disappears or is replaced is noticed. Of the target of a link nothing is
  /// known but what is in it.
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
