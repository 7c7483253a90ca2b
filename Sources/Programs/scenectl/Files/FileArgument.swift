import ArgumentParser
import DesktopEntries
import Glibc
import SceneClient
import SystemPackage

/// An argument that names something to open: a URL, or the path of a file.
struct FileArgument: ExpressibleByArgument, Equatable {
  /// The bytes that the system passed, which need not be UTF-8.
  private var bytes: [UInt8]
  /// The position from the preceding argument, such as `+10`; nil without such an argument.
  private var positionBefore: FilePosition?

  init(argument: String) { bytes = CommandArguments.bytes(of: argument) }

  /// The argument as a text for messages; bytes that are not UTF-8 are replaced.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  func error(_ sentence: String) -> FileArgumentError {
    FileArgumentError(argument: text, sentence: sentence)
  }

  /// The argument as a URL, repaired; bytes that are not UTF-8 are percent-encoded.
  private var link: String {
    if let text = String(validating: bytes, as: UTF8.self) { return Event.repaired(text) }
    let encoded = bytes.reduce(into: "") { link, byte in
      link += byte < 0x80 ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
    }
    return Event.repaired(encoded)
  }

  /// Whether the argument begins with a scheme and a colon.
  var isURL: Bool { link.urlScheme != nil }

  /// The file that ``target(mayBeNew:)`` looks for before it takes an argument such as `notes:today.txt` as a URL.
  ///
  /// It is nil for an argument that does not look like the name of a file.
  var absentFile: String? {
    let link = link
    guard link.urlScheme != nil, !link.hasAuthority, link.utf8.contains(where: { "/.".utf8.contains($0) })
    else { return nil }
    return (try? absolute(Self.path(bytes[...])))?.string
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
    /// The MIME type of the file; nil if it is not known, or if the URL names no file of this machine.
    var type: String?
    /// The position that the user wants to see in the file.
    var position: FilePosition?
  }

  /// Returns the URL and the position for a router on this machine.
  ///
  /// An argument with a scheme, a colon and `//` is a URL. Any other argument is the name of a file if there is such a
  /// file. If there is a file `NAME`, the arguments `NAME:LINE` and `NAME:LINE:COLUMN` are positions in this file. Any
  /// other argument that begins with a scheme and a colon is a URL.
  ///
  /// - Parameter mayBeNew: Whether a path may also lead to a file that is not there yet, in an existing directory.
  /// - Returns: The URL, and the type and position of a file.
  /// - Throws: an error for a missing or unreachable file, for a web link without a host, and for a position such as
  ///   `+10` before a URL that does not begin with `file:`.
  func target(mayBeNew: Bool = false) throws(FileArgumentError) -> Target {
    if !link.hasAuthority, let target = try existingFile() { return try positioned(target) }
    return try positioned(
      isURL ? url(onMachine: Host.machineName, mayBeNew: mayBeNew) : missingFile(mayBeNew: mayBeNew)
    )
  }

  /// Returns the URL to route on another machine, which has other files.
  ///
  /// - Throws: the errors of ``target()``, and an error for a path.
  func targetOnAnotherMachine() throws(FileArgumentError) -> Target {
    guard isURL else { throw error("This file is on this machine; --host works only with URLs.") }
    return try positioned(url(onMachine: nil, mayBeNew: false))
  }

  private func positioned(_ target: Target) throws(FileArgumentError) -> Target {
    guard let positionBefore else { return target }
    guard Self.isOfFile(target.url) else { throw error("Only a file can have a line number before it.") }
    return Target(url: target.url, type: target.type, position: positionBefore)
  }

  /// Returns the existing file of an argument such as `NAME` or `NAME:10`; nil if there is no such file.
  private func existingFile() throws(FileArgumentError) -> Target? {
    let path = Self.path(bytes[...])
    // A relative path is in the working directory, which answers. Most such arguments are URLs, for which a child would
    // take too long.
    if path.isAbsolute || Host.refusal(of: F_OK, path) == nil {
      let look = FileLook(at: path)
      if look.code == 0 || look.code == ETIMEDOUT { return Target(try absolute(path), look.type) }
    }
    // `music:1` is line 1 of the file `music`. If `music` is a directory, `music:1` is a URL.
    let divisions = FilePosition.divisions(of: bytes)
    guard let found = divisions.first(where: { Host.isRegularFile(Self.path($0.name)) }) else {
      guard let withoutSpaceAround else { return nil }
      return try withoutSpaceAround.existingFile()
    }
    let file = Self.path(found.name)
    return Target(try absolute(file), FileLook(at: file).type, found.position)
  }

  /// The argument without white space at its ends, as a person may have copied it; nil if there is none.
  private var withoutSpaceAround: FileArgument? {
    let start = bytes.drop { $0 <= 0x20 }
    guard let last = start.lastIndex(where: { $0 > 0x20 }), last - start.startIndex + 1 < bytes.count else {
      return nil
    }
    var argument = self
    argument.bytes = Array(start[...last])
    return argument
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

  /// Returns a file that is not there yet, if it may be new; otherwise throws the reason why there is no file.
  private func missingFile(mayBeNew: Bool) throws(FileArgumentError) -> Target {
    let path = Self.path(bytes[...])
    switch Host.refusal(of: F_OK, path) {
    case ENOENT?, nil:
      if mayBeNew, bytes.last != UInt8(ascii: "/"), Host.isDirectory(path.removingLastComponent()) {
        return Target(try absolute(path), FileLook(at: path, mayBeNew: true).type)
      }
      let whole = try absolute(path)
      let lookedFor = path.isAbsolute || bytes.isEmpty ? "" : " There is no '\(whole.string)'."
      let advice = webPage.map { " The URL of a web page would be '\($0)'." } ?? ""
      throw error("This is neither a URL nor the path of an existing file.\(lookedFor)\(advice)")
    case let code?: throw error("The file cannot be reached: \(Host.text(ofError: code)).")
    }
  }

  /// Returns the URL and, for a file, the position in the file.
  ///
  /// A fragment such as `#L10` is removed from a `file:` URL and becomes the position. If
  /// ``FileURL/path(of:onMachine:)`` finds a path in the URL, `.` and `..` are removed from this path. Then
  /// ``FileURL/url(ofPath:)`` writes the path anew.
  ///
  /// The name of an existing file is not repaired.
  private func url(onMachine machine: String?, mayBeNew: Bool) throws(FileArgumentError) -> Target {
    var url = link
    guard Self.isOfFile(url) else {
      if url.lacksHost { throw error("This URL names no host.") }
      return Target(url: url)
    }
    if url != text, let path = FileURL.path(of: text, onMachine: machine),
      FileLook(at: Self.path(path[...])).code == 0
    {
      url = text
    }
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
    let file = Self.path(path[...]).lexicallyNormalized()
    var target = Target(file, machine == nil ? nil : FileLook(at: file, mayBeNew: mayBeNew).type, position)
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
  fileprivate init(_ path: FilePath, _ type: String?, _ position: FilePosition? = nil) {
    self.init(url: FileURL.url(ofPath: path.bytes), type: type, position: position)
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
