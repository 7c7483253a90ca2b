import ArgumentParser
import DesktopEntries
import Glibc
import SystemPackage

/// An argument that names something to open: a URL, or the path of a file.
struct FileArgument: ExpressibleByArgument, Equatable {
  /// The bytes that the system passed, which need not be UTF-8.
  private let bytes: [UInt8]
  /// The position from the preceding argument, such as `+10`; nil without such an argument.
  private var positionBefore: FilePosition?

  init(argument: String) { bytes = CommandArguments.bytes(of: argument) }

  /// The argument as a text for messages; bytes that are not UTF-8 are replaced.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  func error(_ sentence: String) -> FileArgumentError {
    FileArgumentError(argument: text, sentence: sentence)
  }

  /// Whether the argument begins with a scheme and a colon.
  var isURL: Bool {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = bytes[..<colon].map { Character(UnicodeScalar($0)) }
    guard let first = scheme.first, first.isASCII, first.isLetter else { return false }
    return scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
  }

  /// Joins each position, such as `+10`, to the file or URL after it, and returns the files and URLs.
  ///
  /// - Throws: a validation error if nothing follows a position.
  static func joined(_ arguments: [FileArgument]) throws -> [FileArgument] {
    var files: [FileArgument] = []
    var before: (argument: FileArgument, position: FilePosition)?
    for var argument in arguments {
      if let position = FilePosition(argument: argument.bytes) {
        before = (argument, position)
      } else {
        argument.positionBefore = before.take()?.position
        files.append(argument)
      }
    }
    if let before { throw ValidationError("A file has to follow '\(before.argument.text)'.") }
    return files
  }
}

// MARK: - Targets

extension FileArgument {
  /// The URL that an argument stands for.
  struct Target: Equatable {
    var url: String
    /// The path of the file, if the URL names a file of this machine.
    var path: FilePath?
    /// The position that the user wants to see in the file.
    var position: FilePosition?
  }

  /// Returns the URL and the position for a router on this machine.
  ///
  /// If there is a file `NAME`, the arguments `NAME:LINE` and `NAME:LINE:COLUMN` are positions in this file. But if the
  /// whole argument is the name of a file, that file is meant. Any other argument that begins with a scheme and a colon
  /// is a URL. If the name of a file looks like a URL, the user writes `./` before the name.
  ///
  /// - Throws: an error for a URL that is not UTF-8, for a missing or unreachable file, and for a position such as
  ///   `+10` before a URL that does not begin with `file:`.
  func target() throws(FileArgumentError) -> Target {
    if let target = try positionedFile() { return try positioned(target) }
    return try positioned(isURL ? url(onMachine: Host.machineName) : file())
  }

  /// Returns the URL to route on another machine, which has other files.
  ///
  /// - Throws: the errors of ``target()``, and an error for a path.
  func targetOnAnotherMachine() throws(FileArgumentError) -> Target {
    guard isURL else { throw error("This file is on this machine; --host works only with URLs.") }
    return try positioned(url(onMachine: nil))
  }

  private func positioned(_ target: Target) throws(FileArgumentError) -> Target {
    guard let positionBefore else { return target }
    guard Self.isOfFile(target.url) else { throw error("Only a file can have a line number before it.") }
    return Target(url: target.url, path: target.path, position: positionBefore)
  }

  /// Returns the existing file of an argument such as `NAME:10`, with the position; nil if there is no such file.
  private func positionedFile() throws(FileArgumentError) -> Target? {
    let divisions = FilePosition.divisions(of: bytes)
    if divisions.isEmpty { return nil }
    if Host.refusal(of: F_OK, Self.path(bytes[...])) == nil { return try file() }
    // `music:1` is line 1 of the file `music`. If `music` is a directory, `music:1` is a URL.
    guard let found = divisions.first(where: { Host.isRegularFile(Self.path($0.name)) }) else { return nil }
    return Target(try absolute(Self.path(found.name)), found.position)
  }

  /// The URL that a person may mean by `example.org/page`; nil if the argument does not begin with a host.
  private var webPage: String? {
    let labels = text.prefix { $0 != "/" }.split(separator: ".", omittingEmptySubsequences: false)
    let isHost = labels.allSatisfy { label in
      !label.isEmpty && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }
    guard labels.count > 1, isHost, labels.last?.allSatisfy(\.isLetter) == true else { return nil }
    return "https://" + text
  }

  private func file() throws(FileArgumentError) -> Target {
    let path = Self.path(bytes[...])
    switch Host.refusal(of: F_OK, path) {
    case nil: return Target(try absolute(path))
    case ENOENT:
      let advice = webPage.map { " The URL of a web page would be '\($0)'." } ?? ""
      throw error("This is neither a URL nor the path of an existing file.\(advice)")
    case let code?: throw error("The file cannot be reached: \(Host.text(ofError: code)).")
    }
  }

  /// Returns the URL and, for a file, the position in the file.
  ///
  /// A fragment such as `#L10` is removed from a `file:` URL and becomes the position. If
  /// ``FileURL/path(of:onMachine:)`` finds a path in the URL, `.` and `..` are removed from this path. Then
  /// ``FileURL/url(ofPath:)`` writes the path anew.
  private func url(onMachine machine: String?) throws(FileArgumentError) -> Target {
    guard let url = String(validating: bytes, as: UTF8.self) else { throw error("A URL has to be UTF-8.") }
    guard Self.isOfFile(url) else { return Target(url: url) }
    var rest = url.utf8[...]
    var position: FilePosition?
    if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
      position = FilePosition(fragment: rest[hash...].dropFirst())
      if position != nil { rest = rest[..<hash] }
    }
    guard let path = FileURL.path(of: url, onMachine: machine) else {
      return Target(url: String(decoding: rest, as: UTF8.self), position: position)
    }
    // The first `?` or `#` in `rest` ends the path, because a URL escapes both characters inside its path.
    let end = rest.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? rest.endIndex
    var target = Target(Self.path(path[...]).lexicallyNormalized(), position)
    target.url += String(decoding: rest[end...], as: UTF8.self)
    return target
  }

  private static func isOfFile(_ url: String) -> Bool { url.prefix(5).lowercased() == "file:" }

  static func path(_ bytes: ArraySlice<UInt8>) -> FilePath {
    unsafe FilePath(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
  }

  /// Returns the absolute path without `.`, `..` and doubled slashes.
  ///
  /// Symbolic links stay in the path, because a window knows a document under the name that the user opened. Where the
  /// path has a `..`, the part before the `..` is resolved. If this part is a link, `..` is the parent directory of the
  /// link's target.
  private func absolute(_ path: FilePath) throws(FileArgumentError) -> FilePath {
    var whole = path
    if !path.isAbsolute {
      guard let directory = Host.canonicalPath(".") else { throw error("The working directory was removed.") }
      whole = directory.pushing(path)
    }
    var result = FilePath("/")
    for component in whole.components {
      switch component.kind {
      case .currentDirectory: break
      case .parentDirectory:
        result = Host.canonicalPath(result) ?? result
        result.removeLastComponent()
      case .regular: result.append(component)
      }
    }
    return result
  }
}

extension FileArgument.Target {
  /// Makes the target of an absolute path.
  fileprivate init(_ path: FilePath, _ position: FilePosition? = nil) {
    self.init(url: FileURL.url(ofPath: path.bytes), path: path, position: position)
  }
}

extension FilePath {
  /// The bytes of the path, which need not be UTF-8.
  var bytes: [UInt8] {
    unsafe withPlatformString { path in
      unsafe UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) }
    }
  }
}

/// Why an argument cannot be used, as a sentence.
struct FileArgumentError: Error, CustomStringConvertible {
  let argument: String
  let sentence: String

  var description: String { "\(argument): \(sentence)".printable }
}
