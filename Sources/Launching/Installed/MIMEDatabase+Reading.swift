package import DesktopEntries
import SceneRouting

extension MIMEDatabase: FileTypeDatabase {
  /// All names of a type, then all names of each type that it is a subclass of, nearer ones first.
  package func kinds(of type: String) -> [[String]] { lineage(of: type).map { names(of: $0) } }
}

extension MIMEDatabase {
  /// Reads what `update-mime-database` has left in some directories, the most important one first.
  ///
  /// A file that cannot be read counts as empty, and is complained about unless it is only missing.
  init(reading directories: [String], _ complaints: inout [FileComplaint]) {
    func read(_ path: String) -> [UInt8] {
      switch FileContents.read(path) {
      case .missing, .nullDevice: return []
      case .file(let bytes, _) where bytes.count <= DesktopEntryFile.maximumSize: return bytes
      case .file: complaints.append(.unreadable(path, "it is larger than a megabyte"))
      case .unreadable(let reason): complaints.append(.unreadable(path, reason))
      }
      return []
    }
    self.init(
      directories.map { path in
        Directory(
          globs2: read(path + "/globs2"),
          aliases: read(path + "/aliases"),
          subclasses: read(path + "/subclasses")
        )
      }
    )
  }
}
