import DesktopEntries
import SceneClient
import Subprocess

/// Asks the desktop for the MIME types of files, by what is in them.
enum ContentType {
  /// How long is waited for the desktop's answer, without which the router goes by the name of the file.
  private static let timeout = Duration.seconds(10)
  /// RFC 6838 4.2: 127 characters on each side of the slash; more is no type.
  private static let longest = 255
  /// What is said of contents that tell nothing: then the name of the file knows more.
  private static let empty = ["application/octet-stream", "application/x-zerosize", "inode/x-empty"]

  /// The type of the file that a `file:` URL names, without parameters.
  ///
  /// `nil` for another URL, a file that is not there or tells nothing, and where `xdg-mime` does not answer.
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
    // It is a script, and the programs that it has started would go on.
    options.processGroupID = 0
    options.teardownSequence = [
      .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)
    ]
    // Each is read as a C string, whose end is not added.
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

  /// The type in an answer, if it is one that tells something.
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
  /// What to send for an argument to the router, which knows nothing of files if it is on another machine.
  func event(of file: FileArgument) async throws(FileArgumentError) -> Event {
    let url = try file.url()
    if host == nil { return await .ofFile(at: url) }
    guard file.isURL else { throw file.error("This is a file of this machine; --host is for URLs.") }
    return Event(url: url)
  }

  /// A variable of the session here; nil if the router is in another.
  func variable(_ name: String) -> String? { host == nil ? Host.variable(name) : nil }
}

extension Event {
  /// The event of a URL, with the type of the file that it names.
  static func ofFile(at url: String) async -> Event {
    Event(url: url, contentType: await ContentType.ofFile(at: url))
  }
}
