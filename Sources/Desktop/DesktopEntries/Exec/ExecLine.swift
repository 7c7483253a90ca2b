/// The command line of a desktop entry: arguments with field codes for URLs, files and names.
///
/// Source: Desktop Entry Specification 1.5, "The Exec key". No shell is involved.
package struct ExecLine: Hashable, Sendable {
  /// A field code in a line.
  package enum FieldCode: Character, Sendable {
    /// The path of one file.
    case file = "f"
    /// The paths of all files, each an argument.
    case files = "F"
    /// One URL.
    case url = "u"
    /// All URLs, each an argument.
    case urls = "U"
    /// `--icon` and the name of the icon as two arguments; no arguments if the entry has no icon.
    case icon = "i"
    /// The name of the entry.
    case name = "c"
    /// The path of the entry's file.
    case location = "k"
    /// The line in the file; only in `X-Scened-ExecLine`.
    case line = "l"
    /// The column in the line; only in `X-Scened-ExecLine`.
    ///
    /// The Desktop Entry Specification does not use the codes `l` and `C`, so they have no other meaning.
    case column = "C"

    /// Whether the code stands for the URLs or files to open.
    var isTarget: Bool { self == .file || self == .files || self == .url || self == .urls }

    /// Whether the code stands for a position in a file.
    var isPosition: Bool { self == .line || self == .column }

    /// Whether the code has to be a separate argument, because it can stand for several arguments.
    var standsAlone: Bool { self == .files || self == .urls || self == .icon }
  }

  enum Piece: Hashable {
    case text(String)
    case code(FieldCode)
  }

  /// The arguments, of which the first is the program and contains no field code.
  let arguments: [[Piece]]

  /// The code for the URLs or files to open, at most one in a line; nil if the line has no such code.
  package var targetCode: FieldCode? {
    for case .code(let code) in arguments.joined() where code.isTarget { return code }
    return nil
  }

  /// The name or path of the program.
  package var program: String {
    guard case .text(let program) = arguments[0][0] else { return "" }
    return program
  }

  /// Parses a command line; the caller has already undone the escapes of the value type `string`.
  ///
  /// As in GLib and `desktop-file-validate`, a part of an argument can be quoted (`DIR="/a b"`). The entries that Wine
  /// writes need this.
  package init(parsing text: String) throws(ExecError) {
    var parser = ExecParser(text)
    arguments = try parser.parse()
  }

  /// Parses a command line that opens one file at a position.
  ///
  /// The line must contain `%l`, and either `%f` or `%u`. It may also contain `%C`.
  package init(parsingWithPosition text: String) throws(ExecError) {
    var parser = ExecParser(text, hasPosition: true)
    arguments = try parser.parse()
    let end = text.unicodeScalars.count + 1
    guard arguments.joined().contains(.code(.line)) else {
      throw ExecError(position: end, reason: "'%l' is missing; write it where the program takes the line")
    }
    guard targetCode == .file || targetCode == .url else {
      throw ExecError(position: end, reason: "'%f' is missing; write it where the program takes the file")
    }
  }
}

/// A position in a text file.
package struct TextPosition: Hashable, Sendable {
  /// The number of the line, from 1.
  package var line: Int
  /// The column in the line, from 1; nil if only the line is known.
  package var column: Int?

  /// Makes a position.
  package init(line: Int, column: Int? = nil) { (self.line, self.column) = (line, column) }
}

/// Why a command line cannot be used.
package struct ExecError: Error, Hashable, CustomStringConvertible {
  /// The number of the character at which the problem is, from 1.
  ///
  /// The characters are counted after the file's escapes have been undone.
  package let position: Int
  /// The problem, and how to correct it.
  package let reason: String

  /// The position and the reason.
  package var description: String { "character \(position): \(reason)" }
}

private struct ExecParser {
  private static let reserved = Set("\t\n\r\"'\\><~|&;$*?#()`".unicodeScalars)
  /// The characters that need a backslash before them inside quotes.
  private static let escaped = Set("\"`$\\".unicodeScalars)
  /// Deprecated codes without a meaning; the parser removes these codes.
  private static let deprecated = Set("dDnNvm".unicodeScalars)

  private let scalars: [Unicode.Scalar]
  /// Whether the line may contain `%l` and `%C`, the codes for a position in a file.
  private let hasPosition: Bool
  private var index = 0
  private var arguments: [[ExecLine.Piece]] = []
  private var pieces: [ExecLine.Piece] = []
  private var text = ""
  /// The position of the quote that is open; nil outside quotes.
  private var quote: Int?
  private var hasQuotes = false
  private var hasTarget = false
  private var codeThatStandsAlone: Int?

  init(_ text: String, hasPosition: Bool = false) {
    scalars = Array(text.unicodeScalars)
    self.hasPosition = hasPosition
  }

  mutating func parse() throws(ExecError) -> [[ExecLine.Piece]] {
    while index < scalars.count {
      try quote == nil ? takeUnquoted() : takeQuoted()
      index += 1
    }
    if let quote { throw error("the quote is not closed; add '\"' after the argument", at: quote) }
    try endArgument()
    guard let program = arguments.first, program.count == 1, case .text(let name) = program[0], !name.isEmpty
    else { throw error("the line has to begin with a program", at: 0) }
    if name.contains("=") { throw error("'=' in the program's name; use 'env NAME=VALUE PROGRAM'", at: 0) }
    return arguments
  }

  private mutating func takeUnquoted() throws(ExecError) {
    switch scalars[index] {
    case " ": try endArgument()
    case "\"": (quote, hasQuotes) = (index, true)
    case "%": try takeCode()
    case let scalar where Self.reserved.contains(scalar):
      throw error("\(scalar.debugDescription) stands outside quotes; put the argument in double quotes")
    case let scalar: text.unicodeScalars.append(scalar)
    }
  }

  private mutating func takeQuoted() throws(ExecError) {
    switch scalars[index] {
    case "\"": quote = nil
    case "\\":
      guard index + 1 < scalars.count, Self.escaped.contains(scalars[index + 1]) else {
        throw error("a backslash in quotes has to be '\\\\\\\\' in the file")
      }
      index += 1
      text.unicodeScalars.append(scalars[index])
    case "$", "`":
      throw error("'\(scalars[index])' in quotes needs two backslashes before it in the file")
    // The specification does not define the value of a field code in quotes. The parser treats the code as if it were
    // outside quotes, because entries such as KMix's expect this.
    case "%": try takeCode()
    case let scalar: text.unicodeScalars.append(scalar)
    }
  }

  private mutating func takeCode() throws(ExecError) {
    index += 1
    guard index < scalars.count else { throw error("'%' at the end; write '%%'", at: index - 1) }
    if scalars[index] == "%" { return text += "%" }
    if Self.deprecated.contains(scalars[index]) { return }
    guard let code = ExecLine.FieldCode(rawValue: Character(scalars[index])), hasPosition || !code.isPosition
    else {
      throw error("there is no field code '%\(scalars[index])'; write '%%' for '%'", at: index - 1)
    }
    if code.isTarget, hasTarget {
      throw error("only one of %f %F %u %U can be in a line; remove the others", at: index - 1)
    }
    hasTarget = hasTarget || code.isTarget
    if code.standsAlone { codeThatStandsAlone = index - 1 }
    endText()
    pieces.append(.code(code))
  }

  private mutating func endText() {
    guard !text.isEmpty else { return }
    pieces.append(.text(text))
    text = ""
  }

  private mutating func endArgument() throws(ExecError) {
    endText()
    if let position = codeThatStandsAlone, pieces.count > 1 {
      throw error(
        "'%\(scalars[position + 1])' has to be a separate argument; put spaces around it",
        at: position
      )
    }
    if pieces.isEmpty, hasQuotes { pieces.append(.text("")) }
    if !pieces.isEmpty { arguments.append(pieces) }
    (pieces, hasQuotes, codeThatStandsAlone) = ([], false, nil)
  }

  private func error(_ reason: String, at index: Int? = nil) -> ExecError {
    ExecError(position: (index ?? self.index) + 1, reason: reason)
  }
}
