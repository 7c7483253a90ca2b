import DesktopEntries
import Glibc

/// Where a change in one directory matters.
package enum WatchedNames: Equatable, Sendable {
  case all
  case some(Set<String>)

  package func contains(_ name: String) -> Bool {
    switch self {
    case .all: true
    case .some(let names): names.contains(name)
    }
  }

  package mutating func formUnion(_ other: WatchedNames) {
    if case .some(let names) = self, case .some(let others) = other {
      self = .some(names.union(others))
    } else {
      self = .all
    }
  }
}

extension DesktopPlaces {
  /// Where a change can change the result of ``InstalledApplications``, in directories that need not exist.
  ///
  /// A parent directory is watched for the next name on the path alone, such as `share` in `/usr`, so that it is
  /// noticed when a directory appears, disappears or is replaced. Directories inside one of desktop entries are left
  /// out, and so is what a symbolic link leads to; see ``watchedPaths`` and ``LinkStep``.
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

  /// Paths that are read and can be symbolic links, without desktop entries.
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

/// A change at `name` changes where a path leads.
package struct LinkStep: Hashable, Sendable {
  /// Without symbolic links.
  package let directory: String
  package let name: String
}

extension LinkStep {
  /// The most that the system follows on one path (path_resolution(7)).
  private static let mostLinks = 40

  /// Waits for the disk; of the steps after a missing one, only the names are known.
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
