/// The command line of a desktop entry, as arguments with places for URLs, files and names.
///
/// Source: Desktop Entry Specification 1.5, "The Exec key". No shell ever sees it.
package struct ExecLine: Hashable, Sendable {
  /// What is put in a place of the line.
  package enum FieldCode: Character, Sendable {
    /// The path of one file.
    case file = "f"
    /// The paths of all files, each an argument.
    case files = "F"
    /// One URL.
    case url = "u"
    /// All URLs, each an argument.
    case urls = "U"
    /// `--icon` and the name of the icon, two arguments, or none without an icon.
    case icon = "i"
    /// The name of the entry.
    case name = "c"
    /// The place of the entry's file.
    case location = "k"

    /// Whether it stands for what the program shall open.
    var isTarget: Bool { self == .file || self == .files || self == .url || self == .urls }

    /// Whether it can stand for more than one argument.
    var standsAlone: Bool { self == .files || self == .urls || self == .icon }
  }

  enum Piece: Hashable {
    case text(String)
    case code(FieldCode)
  }

  /// At least one, the first of which is text.
  let arguments: [[Piece]]

  /// The code for what the program opens, of which there is at most one; nil if it takes no URL and no file.
  package var targetCode: FieldCode? {
    for case .code(let code) in arguments.joined() where code.isTarget { return code }
    return nil
  }

  /// The name or path of the program.
  package var program: String {
    guard case .text(let program) = arguments[0][0] else { return "" }
    return program
  }

  /// Reads a line whose escapes of the `string` type have been undone.
  ///
  /// As in GLib and `desktop-file-validate`, a part of an argument can be quoted (`DIR="/a b"`), as in the entries
  /// that Wine writes.
  package init(parsing text: String) throws(ExecError) {
    var parser = ExecParser(text)
    arguments = try parser.parse()
  }
}

/// Why a command line cannot be used.
package struct ExecError: Error, Hashable, CustomStringConvertible {
  /// The character, counted from 1, of the text whose escapes have been undone.
  package let position: Int
  /// What is wrong, and what to do about it.
  package let reason: String

  /// The position and the reason.
  package var description: String { "character \(position): \(reason)" }
}

private struct ExecParser {
  private static let reserved = Set("\t\n\r\"'\\><~|&;$*?#()`".unicodeScalars)
  /// Those that have a backslash before them inside quotes.
  private static let escaped = Set("\"`$\\".unicodeScalars)
  /// Codes that are removed, as nobody can tell what they stood for.
  private static let deprecated = Set("dDnNvm".unicodeScalars)

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var arguments: [[ExecLine.Piece]] = []
  private var pieces: [ExecLine.Piece] = []
  private var text = ""
  /// Where the quotes began in which the next scalar stands.
  private var quote: Int?
  private var hasQuotes = false
  private var hasTarget = false
  private var codeThatStandsAlone: Int?

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  mutating func parse() throws(ExecError) -> [[ExecLine.Piece]] {
    while index < scalars.count {
      try quote == nil ? takeUnquoted() : takeQuoted()
      index += 1
    }
    if let quote { throw error("the quote is not closed; add '\"' behind the argument", at: quote) }
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
    // What it does here is undefined; entries such as KMix's mean what it does outside.
    case "%": try takeCode()
    case let scalar: text.unicodeScalars.append(scalar)
    }
  }

  private mutating func takeCode() throws(ExecError) {
    index += 1
    guard index < scalars.count else { throw error("'%' at the end; write '%%'", at: index - 1) }
    if scalars[index] == "%" { return text += "%" }
    if Self.deprecated.contains(scalars[index]) { return }
    guard let code = ExecLine.FieldCode(rawValue: Character(scalars[index])) else {
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
        "'%\(scalars[position + 1])' has to be an argument of its own; put space around it",
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
