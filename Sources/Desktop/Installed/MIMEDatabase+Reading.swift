package import DesktopEntries
import SceneRouting

extension MIMEDatabase: FileTypeDatabase {
  /// All names of a type, then all names of each type that it is a subclass of, nearer ones first.
  package func kinds(of type: String) -> [[String]] { lineage(of: type).map { names(of: $0) } }
}

extension MIMEDatabase {
  /// The names of the files that are read of it.
  static let fileNames = ["globs2", "aliases", "subclasses"]

  /// Reads what `update-mime-database` has left in some directories, the most important one first.
  ///
  /// - Parameters:
  ///   - directories: Where its files are.
  ///   - read: What is in a file; nil for none.
  init(_ directories: [String], reading read: (_ path: String) -> [UInt8]?) {
    self.init(
      directories.map { path in
        let files = Self.fileNames.map { read("\(path)/\($0)") ?? [] }
        return Directory(globs2: files[0], aliases: files[1], subclasses: files[2])
      }
    )
  }
}
