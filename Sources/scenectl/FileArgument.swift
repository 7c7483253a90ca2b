import Glibc

/// Why an argument is neither a URL nor a file, as a sentence.
struct FileArgumentError: Error, CustomStringConvertible {
  let description: String
}

/// An argument of `open`: a URL as it is, or the path of a file.
enum FileArgument {
  /// The URL to route.
  ///
  /// What begins like a URL is one, as in a browser; a file of such a name needs a `./` before it.
  static func url(of argument: String) throws(FileArgumentError) -> String {
    if isURL(argument) { return argument }
    guard Host.allows(F_OK, argument) else {
      throw FileArgumentError(description: "\(argument.printable): There is no such file.")
    }
    guard let directory = Host.canonicalPath(".") else {
      throw FileArgumentError(description: "The working directory is gone.")
    }
    let absolute = argument.hasPrefix("/") ? argument : directory + "/" + argument
    return "file://" + percentEncoded(normalized(absolute))
  }

  private static func isURL(_ argument: String) -> Bool {
    guard let colon = argument.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = argument[..<colon]
    guard let first = scheme.first, first.isASCII, first.isLetter else { return false }
    return scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
  }

  /// The path without `.`, `..` and doubled slashes, by its letters alone.
  ///
  /// Links stay: a window knows a document by the name under which it was opened.
  private static func normalized(_ path: String) -> String {
    var segments: [Substring] = []
    for segment in path.split(separator: "/") {
      switch segment {
      case ".": break
      case "..": _ = segments.popLast()
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
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
  }
}
