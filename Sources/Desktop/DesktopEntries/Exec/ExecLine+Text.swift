/// The opposite of ``ExecLine/init(parsing:)``.
extension ExecLine {
  /// These need quotes (Desktop Entry Specification 1.5, "The Exec key").
  private static let reserved = Set(" \t\n\r\"'\\><~|&;$*?#()`".unicodeScalars)
  /// In quotes, these need a backslash.
  private static let escaped = Set("\"`$\\".unicodeScalars)

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

  /// Each argument is cut before its first field code.
  package var words: [String] {
    arguments.map { pieces in
      if case .text(let text)? = pieces.first { text } else { "" }
    }
  }

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
