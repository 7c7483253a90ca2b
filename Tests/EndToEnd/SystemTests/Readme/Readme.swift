import Foundation
import TestSupport
import Testing

/// A page of documentation, and the commands and programs in it.
struct Readme {
  /// A block of code between two lines that begin with three backquotes.
  struct Block {
    /// The word after the first three backquotes, such as `sh`.
    let language: String
    /// The lines of code, each with its newline.
    let text: String
    /// The heading above the block.
    let heading: String
  }

  let lines: [String]
  let blocks: [Block]

  /// Reads a page; the path is relative to the directory of this package.
  init(_ path: String = "README.md") throws {
    let text = try String(contentsOfFile: PackageDirectory.appending(path), encoding: .utf8)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    var blocks: [Block] = []
    var (heading, language) = ("", String?.none)
    var content = ""
    for line in lines {
      if line.hasPrefix("```") {
        if let open = language { blocks.append(Block(language: open, text: content, heading: heading)) }
        (language, content) = (language == nil ? String(line.dropFirst(3)) : nil, "")
      } else if language != nil {
        content += line + "\n"
      } else if line.hasPrefix("## ") {
        heading = String(line.dropFirst(3))
      }
    }
    self.blocks = blocks
  }

  /// The text of the first code block in `language` below `heading`.
  func block(_ language: String, below heading: String) throws -> String {
    try #require(blocks.first { $0.language == language && $0.heading == heading }).text
  }

  /// The command between backquotes that begins with `beginning` and contains `more`.
  func inlineCommand(_ beginning: String, _ more: String = "") throws -> String {
    let texts = lines.flatMap { $0.split(separator: "`") }
    let commands = Set(texts.filter { $0.hasPrefix(beginning) && (more.isEmpty || $0.contains(more)) })
    try #require(commands.count == 1, "\(commands)")
    return String(try #require(commands.first))
  }
}
