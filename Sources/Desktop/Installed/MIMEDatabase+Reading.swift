package import DesktopEntries
import SceneRouting

extension MIMEDatabase: FileTypeDatabase {
  /// Returns the names of a type, and then the names of each of its supertypes.
  ///
  /// Each element has the name of one type and all aliases of this type. Closer supertypes come first.
  package func kinds(of type: String) -> [[String]] { lineage(of: type).map { names(of: $0) } }
}

extension MIMEDatabase {
  /// The names of the database's files.
  static let fileNames = ["globs2", "aliases", "subclasses"]

  /// Reads the files that `update-mime-database` wrote to some directories.
  ///
  /// - Parameters:
  ///   - directories: The directories of the files, the most important directory first.
  ///   - read: Returns the contents of the file at a path, or nil for a missing file.
  init(_ directories: [String], reading read: (_ path: String) -> [UInt8]?) {
    self.init(
      directories.map { path in
        let files = Self.fileNames.map { read("\(path)/\($0)") ?? [] }
        return Directory(globs2: files[0], aliases: files[1], subclasses: files[2])
      }
    )
  }
}
