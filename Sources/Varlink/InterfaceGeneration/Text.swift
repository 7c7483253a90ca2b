// The few forms that all generated text is made of; they are those of `swift format`.

/// The longest line of a documentation comment, from `///` on.
private let commentWidth = 100
/// The longest list of arguments that stays within a line, whatever is before it.
private let shortList = 60

/// `head { body }`, over several lines.
func block(_ head: String, _ body: String) -> String {
  body.isEmpty ? "\(head) {}" : "\(head) {\n\(indented(body))\n}"
}

/// Arguments or parameters: on one line if they are short, else on one each.
func list(_ items: [String]) -> String {
  let line = items.joined(separator: ", ")
  return line.utf8.count <= shortList ? line : "\n\(indented(items.joined(separator: ",\n")))\n"
}

/// All that is not empty, line by line.
func lines(_ texts: [String]) -> String {
  texts.filter { !$0.isEmpty }.joined(separator: "\n")
}

func indented(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false)
    .map { $0.isEmpty ? "" : "  " + $0 }
    .joined(separator: "\n")
}

/// The comment of a description as one of Swift, whose first sentence stands alone; else one that has the name.
func comment(_ documentation: String, else name: String) -> String {
  var paragraphs = documentation.split(separator: "\n\n").map { String($0.replacing("\n", with: " ")) }
  var first = paragraphs.isEmpty ? "`\(name)`." : paragraphs.removeFirst()
  // `[Requires 'more' flag]`, as systemd has it.
  if first.hasPrefix("["), let end = first.firstRange(of: "] ") {
    paragraphs.append(first[..<end.lowerBound].dropFirst() + ".")
    first.removeSubrange(..<end.upperBound)
  }
  if let end = first.firstRange(of: ". ") {
    paragraphs.insert(String(first[end.upperBound...]), at: 0)
    first = String(first[..<end.lowerBound])
  }
  if !first.hasSuffix(".") { first += "." }
  return ([first] + paragraphs).map(wrapped).joined(separator: "///\n")
}

/// A paragraph as lines of a comment.
private func wrapped(_ paragraph: String) -> String {
  var lines: [String] = []
  for word in paragraph.split(separator: " ") {
    if let last = lines.last, last.utf8.count + word.utf8.count < commentWidth {
      lines[lines.count - 1] += " " + word
    } else {
      lines.append("/// " + word)
    }
  }
  return lines.map { $0 + "\n" }.joined()
}

extension String {
  /// A field in Swift: `sceneID` for `sceneId`, `clientID` for `client_id`.
  var swiftName: String {
    let words = split(separator: "_").map(String.init)
    return (words.prefix(1) + words.dropFirst().map(\.capitalizedFirst)).joined().withIDs
  }

  /// An error in Swift: `clientIDError` for `ClientIdError`.
  var caseName: String { (prefix(1).lowercased() + dropFirst()).withIDs }

  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  /// `ID` for each `Id` at the end of a word.
  private var withIDs: String { replacing(/Id(?=s?$|[A-Z])/, with: "ID") }

  /// A name that may be a keyword of Swift.
  var identifier: String { Self.keywords.contains(self) ? "`\(self)`" : self }

  private static let keywords: Set = [
    "as", "case", "class", "default", "enum", "extension", "false", "func", "import", "in", "init", "is",
    "let", "nil", "operator", "private", "protocol", "public", "repeat", "return", "self", "static", "struct",
    "switch", "true", "var", "where", "while",
  ]
}
