/// Command lines as texts: the opposite of ``ExecLine/init(parsing:)``.
extension ExecLine {
  /// The characters that need quotes (Desktop Entry Specification 1.5, "The Exec key").
  private static let reserved = Set(" \t\n\r\"'\\><~|&;$*?#()`".unicodeScalars)
  /// The characters that need a backslash in quotes.
  private static let escaped = Set("\"`$\\".unicodeScalars)

  /// Returns an argument as a command line spells it, in double quotes if necessary.
  ///
  /// The text does not have the escapes that the file needs in a value of the type `string`.
  package static func quoted(_ argument: String) -> String {
    let hasQuotes = argument.isEmpty || argument.unicodeScalars.contains(where: reserved.contains)
    let text = argument.unicodeScalars.reduce(into: "") { text, scalar in
      if scalar == "%" { text += "%" }
      if hasQuotes, escaped.contains(scalar) { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    return hasQuotes ? "\"\(text)\"" : text
  }

  /// The texts of the arguments, each cut before its first field code.
  package var words: [String] {
    arguments.map { pieces in
      if case .text(let text)? = pieces.first { text } else { "" }
    }
  }

  /// Returns the text of the line with more arguments inserted before the argument at `place`.
  package func text(inserting words: [String], at place: Int) -> String {
    let texts = arguments.map { pieces in
      if case .text("")? = pieces.first { return Self.quoted("") }
      return pieces.map { piece in
        switch piece {
        case .text(let text): Self.quoted(text)
        case .code(let code): "%\(code.rawValue)"
        }
      }.joined()
    }
    return (texts[..<place] + words.map(Self.quoted) + texts[place...]).joined(separator: " ")
  }
}
