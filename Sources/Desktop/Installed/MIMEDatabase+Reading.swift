package import DesktopEntries
import SceneRouting

extension MIMEDatabase: FileTypeDatabase {
  /// Each element has the name and all aliases of one type; closer supertypes come first.
  package func kinds(of type: String) -> [[String]] { lineage(of: type).map { names(of: $0) } }
}

extension MIMEDatabase {
  static let fileNames = ["globs2", "aliases", "subclasses"]

  /// Reads what `update-mime-database` wrote, the most important directory first.
  init(_ directories: [String], reading read: (_ path: String) -> [UInt8]?) {
    self.init(
      directories.map { path in
        let files = Self.fileNames.map { read("\(path)/\($0)") ?? [] }
        return Directory(globs2: files[0], aliases: files[1], subclasses: files[2])
      }
    )
  }
}
