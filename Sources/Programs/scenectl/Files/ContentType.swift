import DesktopEntries
import Installed
import SceneClient
import SystemPackage

/// Finds the MIME types of files: by their names, else by their contents.
enum ContentType {
  /// The longest type in bytes: 127 on each side of the slash (RFC 6838 4.2).
  private static let longest = 255
  /// The type of directories (Shared MIME-info Database 0.21, 2.11).
  private static let directory = "inode/directory"
  /// The type of new files whose names tell no type.
  private static let text = "text/plain"

  /// Returns the type of a file, without parameters.
  ///
  /// The name of a regular file is looked up in the shared MIME database. If the database has no type or several types
  /// for the name, ``GIO`` decides, which also looks at the contents. Without GIO, the first type of the name counts.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - mayBeNew: Whether a missing file is a new file. Otherwise a missing file has no type.
  /// - Returns: The type; nil if there is none.
  static func ofFile(at path: FilePath, mayBeNew: Bool) -> String? {
    guard let status = try? Stat(path) else { return mayBeNew ? typesOfName(path).first ?? text : nil }
    if status.type == .directory { return directory }
    let types = status.type == .regular ? typesOfName(path) : []
    if types.count == 1 { return types[0] }
    return GIO.contentType(ofFileAt: path).flatMap(checked) ?? types.first
  }

  private static func typesOfName(_ path: FilePath) -> [String] {
    let name = path.bytes.split(separator: UInt8(ascii: "/")).last ?? []
    return MIMEDatabase(ofNamesIn: DesktopPlaces(environment: DesktopPlaces.processEnvironment))
      .types(ofFileNamed: Array(name))
  }

  /// Returns a type in lower case; nil for a type that the router would refuse, from a broken database.
  private static func checked(_ type: String) -> String? {
    let parts = type.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), type.utf8.count <= longest,
      type.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
    else { return nil }
    return type.lowercased()
  }
}

extension RouterOptions {
  /// Returns the event to send for an argument.
  ///
  /// - Parameters:
  ///   - file: The argument.
  ///   - mayBeNew: Whether the argument may also be a file that is not there yet.
  /// - Throws: an error if the argument is neither a URL nor a file, or if it is a file and the router is on another
  ///   machine.
  func event(of file: FileArgument, mayBeNew: Bool = false) throws(FileArgumentError) -> Event {
    let target = try host == nil ? file.target(mayBeNew: mayBeNew) : file.targetOnAnotherMachine()
    var type: String?
    if host == nil, let path = target.path, !target.isLost {
      type = ContentType.ofFile(at: path, mayBeNew: mayBeNew)
    }
    return Event(
      url: target.url,
      contentType: type,
      line: target.position?.line,
      column: target.position?.column
    )
  }

  /// Returns the URL of a file or page that a scene shows; a line and a column in the argument are left out.
  ///
  /// - Throws: an error if the argument is neither a URL nor a file, or if it is a file and the router is on another
  ///   machine.
  func shownURL(_ file: FileArgument) throws(FileArgumentError) -> String {
    try (host == nil ? file.target() : file.targetOnAnotherMachine()).url
  }

  /// Returns an environment variable; nil with `--host`, because the router is then on another machine.
  func variable(_ name: String) -> String? { host == nil ? Host.variable(name) : nil }
}
