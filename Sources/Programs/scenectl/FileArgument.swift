import ArgumentParser
import Glibc
import SystemPackage

/// An argument that names something to open: a URL, or the path of a file.
struct FileArgument: ExpressibleByArgument, Equatable {
  /// The bytes that the system passed, which need not be UTF-8.
  private let bytes: [UInt8]

  init(argument: String) { bytes = CommandArguments.bytes(of: argument) }

  /// The argument for messages; bytes that are not UTF-8 are replaced.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the URL to route.
  ///
  /// An argument that begins with a scheme and a colon is a URL, as in a browser; a file with such a name needs `./`
  /// before it.
  ///
  /// - Throws: for a URL that is not UTF-8, and for a file that does not exist or cannot be reached.
  func url() throws(FileArgumentError) -> String {
    if isURL {
      guard let url = String(validating: bytes, as: UTF8.self) else { throw error("A URL has to be UTF-8.") }
      return url
    }
    let path = unsafe FilePath(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
    switch Host.refusal(of: F_OK, path) {
    case nil: break
    case ENOENT: throw error("This is neither a URL nor the path of an existing file.")
    case let code?: throw error("The file cannot be reached: \(Host.text(ofError: code)).")
    }
    if path.isAbsolute { return Self.url(of: path) }
    guard let directory = Host.canonicalPath(".") else { throw error("The working directory was removed.") }
    return Self.url(of: directory.pushing(path))
  }

  func error(_ sentence: String) -> FileArgumentError {
    FileArgumentError(argument: text, sentence: sentence)
  }

  var isURL: Bool {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = bytes[..<colon].map { Character(UnicodeScalar($0)) }
    guard let first = scheme.first, first.isASCII, first.isLetter else { return false }
    return scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
  }

  /// Returns the URL of a path without `.`, `..` and doubled slashes.
  ///
  /// Symbolic links stay, because a window knows a document by the name under which it was opened. Only links before a
  /// `..` are followed, as the system does.
  private static func url(of path: FilePath) -> String {
    var result = FilePath("/")
    for component in path.components {
      switch component.kind {
      case .currentDirectory: break
      case .parentDirectory:
        result = Host.canonicalPath(result) ?? result
        result.removeLastComponent()
      case .regular: result.append(component)
      }
    }
    return "file://" + percentEncoded(result)
  }

  /// Returns a path with the bytes escaped that a URL's path may not contain (RFC 3986 3.3).
  private static func percentEncoded(_ path: FilePath) -> String {
    let bytes = unsafe path.withPlatformString { path in
      unsafe UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) }
    }
    return bytes.reduce(into: "") { text, byte in
      let character = Character(UnicodeScalar(byte))
      if character.isASCII, character.isLetter || "0123456789-._~!$&'()*+,;=:@/".contains(character) {
        text.append(character)
      } else {
        text += "%" + byte.text(digits: 2, radix: 16)
      }
    }
  }
}

/// Why an argument is neither a URL nor a file.
struct FileArgumentError: Error, CustomStringConvertible {
  let argument: String
  let sentence: String

  var description: String { "\(argument): \(sentence)".printable }
}
