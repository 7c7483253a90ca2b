package import DesktopEntries
import SceneRouting

extension MIMEDatabase: FileTypeDatabase {
  /// Returns all names of a type, then all names of each of its supertypes, nearer supertypes first.
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

  /// Reads only the files that give the types of file names.
  ///
  /// The file of supertypes is not read. This saves time in a program that asks for the types of only a few names. An
  /// unreadable file counts as missing.
  package init(ofNamesIn places: DesktopPlaces) {
    self.init(places.mime) { path in
      if !path.hasSuffix("/subclasses"), case .file(let bytes, _) = FileContents.read(path) {
        bytes
      } else {
        nil
      }
    }
  }
}
