import DesktopEntries
import SceneClient
import Subprocess

/// Asks the desktop for the MIME types of files, which it finds by their contents.
enum ContentType {
  /// The longest wait for the desktop's answer; without one the router goes by the name of the file.
  private static let timeout = Duration.seconds(10)
  /// The longest type in bytes: 127 on each side of the slash (RFC 6838 4.2).
  private static let longest = 255
  /// The types of unrecognized and empty contents: the name of the file says more than these.
  private static let empty = ["application/octet-stream", "application/x-zerosize", "inode/x-empty"]

  /// Returns the type of the file that a `file:` URL names, without parameters.
  ///
  /// Returns nil for another URL, for a missing file, for unrecognized or empty contents, and if `xdg-mime` does not
  /// answer.
  static func ofFile(at url: String) async -> String? {
    guard let path = FileURL.path(of: url) else { return nil }
    return await withTaskGroup(of: String?.self) { answers in
      answers.addTask { await query(path) }
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
    // `xdg-mime` is a script. The whole group is ended, because the programs that it started would go on otherwise.
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

  /// Returns the type in an answer; nil for an invalid type and for the types in ``empty``.
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
  /// - Throws: for an argument that is neither a URL nor a file, and for a file if the router is on another machine.
  func event(of file: FileArgument) async throws(FileArgumentError) -> Event {
    let url = try file.url()
    if host == nil { return await .ofFile(at: url) }
    guard file.isURL else { throw file.error("This file is on this machine; --host works only with URLs.") }
    return Event(url: url)
  }

  /// Returns an environment variable; nil with `--host`, because the router is in another session then.
  func variable(_ name: String) -> String? { host == nil ? Host.variable(name) : nil }
}

extension Event {
  /// Returns the event of a URL, with the content type of the file that the URL names.
  static func ofFile(at url: String) async -> Event {
    Event(url: url, contentType: await ContentType.ofFile(at: url))
  }
}
