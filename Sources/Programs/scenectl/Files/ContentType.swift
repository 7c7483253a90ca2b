import DesktopEntries
import Installed
import SceneClient
import Subprocess
import SystemPackage

/// Finds the MIME types of files: by their names, else by their contents.
enum ContentType {
  /// The longest wait for the answer of `xdg-mime`; without an answer the router uses the name of the file.
  private static let timeout = Duration.seconds(10)
  /// The longest type in bytes: 127 on each side of the slash (RFC 6838 4.2).
  private static let longest = 255
  /// The types that `xdg-mime` reports for unrecognized or empty contents.
  ///
  /// Such an answer is ignored, because it says less than the name of the file.
  private static let empty = ["application/octet-stream", "application/x-zerosize", "inode/x-empty"]
  /// The type of directories (Shared MIME-info Database 0.21, 2.11).
  private static let directory = "inode/directory"

  /// Returns the type of a file, without parameters.
  ///
  /// The name of a regular file is looked up in the shared MIME database. If the database has no type or several types
  /// for the name, `xdg-mime` is asked about the contents. `xdg-mime` is asked last, because it takes longer than the
  /// rest of opening a file.
  ///
  /// The result is nil for a missing file, for unrecognized or empty contents, and without an answer of `xdg-mime`.
  static func ofFile(at path: FilePath) async -> String? {
    guard let status = try? Stat(path) else { return nil }
    if status.type == .directory { return directory }
    if status.type == .regular, let name = path.bytes.split(separator: UInt8(ascii: "/")).last {
      let places = DesktopPlaces(environment: DesktopPlaces.processEnvironment)
      let types = MIMEDatabase(ofNamesIn: places).types(ofFileNamed: Array(name))
      if types.count == 1 { return types[0] }
    }
    return await ofContents(at: path)
  }

  /// Returns the type that `xdg-mime` reports.
  private static func ofContents(at path: FilePath) async -> String? {
    await withTaskGroup(of: String?.self) { answers in
      answers.addTask { await query(path.bytes) }
      answers.addTask {
        try? await Task.sleep(for: timeout)
        return nil
      }
      defer { answers.cancelAll() }
      return await answers.next() ?? nil
    }
  }

  private static func query(_ path: [UInt8]) async -> String? {
    var options = PlatformOptions()
    // `xdg-mime` is a script. The whole process group is ended, because the script's programs would go on otherwise.
    options.processGroupID = 0
    options.teardownSequence = [
      .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)
    ]
    // Subprocess reads these arrays as C strings and adds no NUL itself.
    let words = [Array("query".utf8), Array("filetype".utf8), path].map { $0 + [0] }
    let result = try? await Subprocess.run(
      .name("xdg-mime"),
      arguments: Arguments(words),
      platformOptions: options,
      input: .none,
      output: .string(limit: 4096),
      error: .discarded
    )
    guard let result, case .exited(0) = result.terminationStatus else { return nil }
    return type(in: result.standardOutput)
  }

  /// Returns the type in an answer of `xdg-mime`; nil for an invalid type and for the types in ``empty``.
  private static func type(in answer: String) -> String? {
    let type = answer.prefix { !$0.isNewline && $0 != ";" }.lowercased()
    let parts = type.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), type.utf8.count <= longest,
      type.utf8.allSatisfy({ 0x21...0x7E ~= $0 }), !empty.contains(type)
    else { return nil }
    return type
  }
}

extension RouterOptions {
  /// Returns the event to send for an argument.
  ///
  /// - Throws: an error if the argument is neither a URL nor a file, or if it is a file and the router is on another
  ///   machine.
  func event(of file: FileArgument) async throws(FileArgumentError) -> Event {
    let target = try host == nil ? file.target() : file.targetOnAnotherMachine()
    var type: String?
    if host == nil, let path = target.path { type = await ContentType.ofFile(at: path) }
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
