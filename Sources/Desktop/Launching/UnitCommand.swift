/// In UTF-8, because D-Bus carries nothing else.
struct UnitCommand: Equatable {
  let path: String
  let arguments: [String]

  /// If an argument is not UTF-8, such as the name of an old file, a shell makes the argument and executes the program.
  init(_ path: String, _ arguments: [[UInt8]]) {
    let texts = arguments.compactMap { String(validating: $0, as: UTF8.self) }
    guard texts.count < arguments.count else {
      (self.path, self.arguments) = (path, texts)
      return
    }
    let words = [Array(path.utf8)] + arguments.dropFirst()
    self.path = "/bin/sh"
    self.arguments = ["sh", "-c", "exec " + words.map(Self.word).joined(separator: " ")]
  }

  /// A word of a shell that stands for the bytes; all characters are ASCII.
  private static func word(_ bytes: [UInt8]) -> String {
    let parts = bytes.map { byte in
      switch byte {
      case UInt8(ascii: "'"): #"'\''"#
      case 0x80...: #"'"$(printf '\"# + String(byte, radix: 8) + #"')"'"#
      default: String(UnicodeScalar(byte))
      }
    }
    return "'\(parts.joined())'"
  }
}
