// These functions lay out the code as `swift format` does.

/// Counted from `///`.
private let commentWidth = 100
private let shortList = 60

func block(_ head: String, _ body: String) -> String {
  body.isEmpty ? "\(head) {}" : "\(head) {\n\(indented(body))\n}"
}

func list(_ items: [String]) -> String {
  let line = items.joined(separator: ", ")
  return line.utf8.count <= shortList ? line : "\n\(indented(items.joined(separator: ",\n")))\n"
}

func lines(_ texts: [String]) -> String {
  texts.filter { !$0.isEmpty }.joined(separator: "\n")
}

func indented(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false)
    .map { $0.isEmpty ? "" : "  " + $0 }
    .joined(separator: "\n")
}

/// Makes the first sentence a paragraph of its own.
func comment(_ documentation: String) -> String {
  var paragraphs = documentation.split(separator: "\n\n").map { String($0.replacing("\n", with: " ")) }
  guard !paragraphs.isEmpty else { return "" }
  var first = paragraphs.removeFirst()
  // Documentation in systemd's descriptions can begin with a note in brackets, such as `[Requires 'more' flag]`. It is
  // moved to the end, so that the comment begins with a sentence.
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
  /// `sceneID` for `sceneId`, `clientID` for `client_id`.
  var swiftName: String {
    let words = split(separator: "_").map(String.init)
    return (words.prefix(1) + words.dropFirst().map(\.capitalizedFirst)).joined().withAbbreviations
  }

  /// `clientIDError` for `ClientIdError`.
  var caseName: String { (prefix(1).lowercased() + dropFirst()).withAbbreviations }

  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  private var withAbbreviations: String {
    replacing(/Id(?=s?$|[A-Z])/, with: "ID").replacing(/Url(?=s?$|[A-Z])/, with: "URL")
  }

  var identifier: String { Self.keywords.contains(self) ? "`\(self)`" : self }

  private static let keywords: Set = [
    "as", "case", "class", "default", "enum", "extension", "false", "func", "import", "in", "init", "is",
    "let", "nil", "operator", "private", "protocol", "public", "repeat", "return", "self", "static", "struct",
    "switch", "true", "var", "where", "while",
  ]
}
