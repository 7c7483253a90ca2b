/// Source: Desktop Entry Specification 1.5, "The Exec key"; no shell is involved.
package struct ExecLine: Hashable, Sendable {
  package enum FieldCode: Character, Sendable {
    case file = "f"
    case files = "F"
    case url = "u"
    case urls = "U"
    case icon = "i"
    case name = "c"
    /// The path of the entry's file.
    case location = "k"
    case line = "l"
    /// Like `l`, only in `X-Scened-ExecLine`; the Desktop Entry Specification uses neither code.
    case column = "C"

    var isTarget: Bool { self == .file || self == .files || self == .url || self == .urls }

    var isPosition: Bool { self == .line || self == .column }

    /// Can stand for several arguments, so it has to be a separate one.
    var standsAlone: Bool { self == .files || self == .urls || self == .icon }
  }

  enum Piece: Hashable {
    case text(String)
    case code(FieldCode)
  }

  /// The first is the program and contains no field code.
  let arguments: [[Piece]]

  /// At most one is in a line.
  package var targetCode: FieldCode? {
    for case .code(let code) in arguments.joined() where code.isTarget { return code }
    return nil
  }

  package var program: String {
    guard case .text(let program) = arguments[0][0] else { return "" }
    return program
  }

  /// The caller has undone the escapes of the value type `string`.
  ///
  /// As in GLib, a part of an argument can be quoted (`DIR="/a b"`), because entries of Wine need this.
  package init(parsing text: String) throws(ExecError) {
    var parser = ExecParser(text)
    arguments = try parser.parse()
  }

  /// The line must contain `%l` and either `%f` or `%u`, and may contain `%C`.
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

package struct TextPosition: Hashable, Sendable {
  /// Both numbers count from 1.
  package var line: Int
  /// Nil if only the line is known.
  package var column: Int?

  package init(line: Int, column: Int? = nil) { (self.line, self.column) = (line, column) }
}

package struct ExecError: Error, Hashable, CustomStringConvertible {
  /// From 1, in the text without the file's escapes.
  package let position: Int
  package let reason: String

  package var description: String { "character \(position): \(reason)" }
}

private struct ExecParser {
  private static let reserved = Set("\t\n\r\"'\\><~|&;$*?#()`".unicodeScalars)
  private static let escaped = Set("\"`$\\".unicodeScalars)
  /// Codes without a meaning, which are left out.
  private static let deprecated = Set("dDnNvm".unicodeScalars)

  private let scalars: [Unicode.Scalar]
  /// Whether `%l` and `%C` are allowed.
  private let hasPosition: Bool
  private var index = 0
  private var arguments: [[ExecLine.Piece]] = []
  private var pieces: [ExecLine.Piece] = []
  private var text = ""
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
    // The specification leaves a field code in quotes undefined; entries such as KMix's expect its value here.
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
