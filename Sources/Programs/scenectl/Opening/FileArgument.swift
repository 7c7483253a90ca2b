import ArgumentParser
import DesktopEntries
import Glibc
import SceneClient
import SystemPackage

/// An argument that names something to open: a URL, or the path of a file.
struct FileArgument: ExpressibleByArgument, Equatable {
  /// As the system passed them; they need not be UTF-8.
  private var bytes: [UInt8]
  /// From the preceding argument, such as `+10`.
  private var positionBefore: FilePosition?

  init(argument: String) { bytes = CommandArguments.bytes(of: argument) }

  /// For messages; bytes that are not UTF-8 are replaced.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  func error(_ sentence: String) -> FileArgumentError {
    FileArgumentError(argument: text, sentence: sentence)
  }

  /// Repaired; bytes that are not UTF-8 are percent-encoded.
  private var link: String {
    if let text = String(validating: bytes, as: UTF8.self) { return Event.repaired(text) }
    let encoded = bytes.reduce(into: "") { link, byte in
      link += byte < 0x80 ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
    }
    return Event.repaired(encoded)
  }

  var isURL: Bool { link.urlScheme != nil }

  /// The file that ``target(mayBeNew:)`` looks for before it takes an argument such as `notes:today.txt` as a URL.
  var absentFile: String? {
    let link = link
    guard link.urlScheme != nil, !link.hasAuthority, link.utf8.contains(where: { "/.".utf8.contains($0) })
    else { return nil }
    return (try? absolute(Self.path(bytes[...])))?.string
  }

  /// Joins each position, such as `+10`, to the file or URL after it.
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

extension FileArgument {
  struct Target: Equatable {
    var url: String
    /// Nil if it is not known, or if the URL names no file of this machine.
    var type: String?
    var position: FilePosition?
  }

  /// The target for a router on this machine.
  ///
  /// An argument with a scheme, a colon and `//` is a URL. Otherwise files come first: with a file `NAME`, also
  /// `NAME:LINE` and `NAME:LINE:COLUMN` name it. What else begins with a scheme and a colon is a URL. If it `mayBeNew`,
  /// a path may lead to a missing file in an existing directory.
  ///
  /// - Throws: for a missing or unreachable file, a web link without a host, and a position such as `+10` before
  ///   another URL than `file:`.
  func target(mayBeNew: Bool = false) throws(FileArgumentError) -> Target {
    if !link.hasAuthority, let target = try existingFile() { return try positioned(target) }
    return try positioned(
      isURL ? url(onMachine: Host.machineName, mayBeNew: mayBeNew) : missingFile(mayBeNew: mayBeNew)
    )
  }

  /// The target for another machine, which has other files.
  ///
  /// - Throws: the errors of ``target()``, and an error for a path.
  func targetOnAnotherMachine() throws(FileArgumentError) -> Target {
    guard isURL else { throw error("This file is on this machine; --host works only with URLs.") }
    return try positioned(url(onMachine: nil, mayBeNew: false))
  }

  private func positioned(_ target: Target) throws(FileArgumentError) -> Target {
    guard let positionBefore else { return target }
    guard target.url.urlScheme == "file" else { throw error("Only a file can have a line number before it.") }
    return Target(url: target.url, type: target.type, position: positionBefore)
  }

  /// The file of an argument such as `NAME` or `NAME:10`; nil if there is no such file.
  private func existingFile() throws(FileArgumentError) -> Target? {
    let path = Self.path(bytes[...])
    // A relative path is in the working directory, which answers; a look by a child would take too long for URLs, which
    // most such arguments are.
    if path.isAbsolute || Host.refusal(of: F_OK, path) == nil {
      let look = FileLook(at: path)
      if look.code == 0 || look.code == ETIMEDOUT { return Target(try absolute(path), look.type) }
    }
    // `music:1` is line 1 of the file `music`, but a URL if `music` is a directory.
    let divisions = FilePosition.divisions(of: bytes)
    guard let found = divisions.first(where: { Host.isRegularFile(Self.path($0.name)) }) else {
      guard let withoutSpaceAround else { return nil }
      return try withoutSpaceAround.existingFile()
    }
    let file = Self.path(found.name)
    return Target(try absolute(file), FileLook(at: file).type, found.position)
  }

  /// White space may come from copying; nil if there is none.
  private var withoutSpaceAround: FileArgument? {
    let start = bytes.drop { $0 <= 0x20 }
    guard let last = start.lastIndex(where: { $0 > 0x20 }), last - start.startIndex + 1 < bytes.count else {
      return nil
    }
    var argument = self
    argument.bytes = Array(start[...last])
    return argument
  }

  /// What a person may mean by `example.org/page`.
  private var webPage: String? {
    let labels = text.prefix { $0 != "/" }.split(separator: ".", omittingEmptySubsequences: false)
    let isHost = labels.allSatisfy { label in
      !label.isEmpty && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }
    guard labels.count > 1, isHost, labels.last?.allSatisfy(\.isLetter) == true else { return nil }
    return "https://" + text
  }

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

  /// The position of a `file:` URL comes from its fragment, such as `#L10`.
  ///
  /// Its path, where ``FileURL/path(of:onMachine:)`` finds one, is written anew without `.` and `..`. The name of an
  /// existing file is not repaired.
  private func url(onMachine machine: String?, mayBeNew: Bool) throws(FileArgumentError) -> Target {
    var url = link
    guard url.urlScheme == "file" else {
      if url.lacksHost { throw error("This URL names no host.") }
      return Target(url: url)
    }
    if url != text, let path = FileURL.path(of: text, onMachine: machine),
      FileLook(at: Self.path(path[...])).code == 0
    {
      url = text
    }
    let parts = URLParts(url.utf8.span)
    let position = FilePosition(fragmentOf: url)
    let end = position == nil ? url.utf8.count : parts.fragment.lowerBound
    guard let path = FileURL.path(of: url, onMachine: machine) else {
      return Target(url: String(decoding: url.utf8[0..<end], as: UTF8.self), position: position)
    }
    let file = Self.path(path[...]).lexicallyNormalized()
    var target = Target(file, machine == nil ? nil : FileLook(at: file, mayBeNew: mayBeNew).type, position)
    target.url += String(decoding: url.utf8[parts.path.upperBound..<end], as: UTF8.self)
    return target
  }

  static func path(_ bytes: ArraySlice<UInt8>) -> FilePath {
    unsafe FilePath(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
  }

  /// Absolute, without `.`, `..` and doubled slashes.
  ///
  /// Symbolic links stay, because a window knows a document under the name that the user opened. Only the part before a
  /// `..` is resolved, as `..` is the parent of a link's target.
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
  fileprivate init(_ path: FilePath, _ type: String?, _ position: FilePosition? = nil) {
    self.init(url: FileURL.url(ofPath: path.bytes), type: type, position: position)
  }
}

extension FilePath {
  var bytes: [UInt8] {
    unsafe withPlatformString { path in
      unsafe UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) }
    }
  }
}

struct FileArgumentError: Error, CustomStringConvertible {
  let argument: String
  let sentence: String

  var description: String { "\(argument): \(sentence)".printable }
}

extension RouterOptions {
  /// - Throws: an error if the argument is neither a URL nor a file, or if it is a file and the router is on another
  ///   machine.
  func event(of file: FileArgument, mayBeNew: Bool = false) throws(FileArgumentError) -> Event {
    let target = try host == nil ? file.target(mayBeNew: mayBeNew) : file.targetOnAnotherMachine()
    return Event(
      url: target.url,
      contentType: target.type,
      line: target.position?.line,
      column: target.position?.column
    )
  }

  /// A file gets the type that it has now.
  func event(ofLink url: String) -> Event {
    guard url.urlScheme == "file", let event = try? event(of: FileArgument(argument: url)) else {
      return Event(url: url)
    }
    return event
  }

  /// A line and a column in the argument are left out.
  ///
  /// - Throws: the errors of ``event(of:mayBeNew:)``.
  func shownURL(_ file: FileArgument) throws(FileArgumentError) -> String {
    try (host == nil ? file.target() : file.targetOnAnotherMachine()).url
  }
}

extension String {
  fileprivate var hasAuthority: Bool { urlScheme != nil && URLParts(utf8.span).host != nil }

  /// A web link that names no host, so that a browser would show nothing.
  fileprivate var lacksHost: Bool {
    guard let scheme = urlScheme, scheme == "http" || scheme == "https", urlHost == nil else { return false }
    return hasAuthority || utf8.dropFirst(scheme.utf8.count + 1).allSatisfy { "/\\".utf8.contains($0) }
  }
}
