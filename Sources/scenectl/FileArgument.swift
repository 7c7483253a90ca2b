import Glibc

/// Why an argument is neither a URL nor a file.
struct FileArgumentError: Error, CustomStringConvertible {
  let argument: String
  let sentence: String

  var description: String { "\(argument): \(sentence)".printable }
}

/// An argument that names what to open: a URL as it is, or the path of a file.
enum FileArgument {
  /// The URL to route.
  ///
  /// What begins like a URL is one, as in a browser; a file of such a name needs a `./` before it.
  static func url(of argument: String) throws(FileArgumentError) -> String {
    if isURL(argument) { return argument }
    func error(_ sentence: String) -> FileArgumentError {
      FileArgumentError(argument: argument, sentence: sentence)
    }
    switch Host.refusal(of: F_OK, argument) {
    case nil: break
    case ENOENT: throw error("There is no such file, and it is not a URL.")
    case let code?: throw error("The file cannot be reached: \(Host.text(ofError: code)).")
    }
    if argument.hasPrefix("/") { return "file://" + percentEncoded(normalized(argument)) }
    guard let directory = Host.canonicalPath(".") else { throw error("The working directory is gone.") }
    return "file://" + percentEncoded(normalized(directory + "/" + argument))
  }

  private static func isURL(_ argument: String) -> Bool {
    guard let colon = argument.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = argument[..<colon]
    guard let first = scheme.first, first.isASCII, first.isLetter else { return false }
    return scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
  }

  /// The path without `.`, `..` and doubled slashes.
  ///
  /// Links stay, as a window knows a document by the name under which it was opened; but before a `..`, which leads
  /// out of the directory that a link leads to.
  private static func normalized(_ path: String) -> String {
    var segments: [Substring] = []
    for segment in path.split(separator: "/") {
      switch segment {
      case ".": break
      case "..":
        let directory = "/" + segments.joined(separator: "/")
        segments = (Host.canonicalPath(directory) ?? directory).split(separator: "/").dropLast()
      default: segments.append(segment)
      }
    }
    return "/" + segments.joined(separator: "/")
  }

  /// Escapes what a path in a URL may not hold (RFC 3986 3.3).
  private static func percentEncoded(_ path: String) -> String {
    path.utf8.reduce(into: "") { text, byte in
      let character = Character(UnicodeScalar(byte))
      if character.isASCII, character.isLetter || "0123456789-._~!$&'()*+,;=:@/".contains(character) {
        text.append(character)
      } else {
        text += "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}
