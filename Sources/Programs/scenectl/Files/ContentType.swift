import SceneClient
import SystemPackage

/// Finds the MIME types of files.
enum ContentType {
  /// The longest type in bytes: 127 on each side of the slash (RFC 6838 4.2).
  private static let longest = 255
  /// The type of directories (Shared MIME-info Database 0.21, 2.11).
  private static let directory = "inode/directory"

  /// Returns the type of a file, without parameters, as ``GIO`` tells it.
  ///
  /// Without GIO, only directories have a type, and the router finds the types of other files by their names.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - mayBeNew: Whether a missing file is a new file. Otherwise a missing file has no type.
  /// - Returns: The type; nil if there is none.
  static func ofFile(at path: FilePath, mayBeNew: Bool) -> String? {
    guard let status = try? Stat(path) else {
      return mayBeNew ? GIO.contentType(ofNewFileAt: path).flatMap(checked) : nil
    }
    return status.type == .directory ? directory : GIO.contentType(ofFileAt: path).flatMap(checked)
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
  /// - Returns: The event, with the type of the file.
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
