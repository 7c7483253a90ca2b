import DesktopEntries
import Testing

@testable import Launching

/// Programs that are started with a position in a file, and the last line that a failed program wrote.
struct PositionTests {
  private func commands(
    _ exec: String,
    _ lines: String,
    _ targets: [LaunchRequest.Target],
    _ id: String = "main"
  ) throws
    -> [[String]]
  {
    let request = LaunchRequest(try LaunchFixture.entry(exec, lines), declarationID: id, opening: targets)
    return try request.commands().get().map { $0.map { String(decoding: $0, as: UTF8.self) } }
  }

  private let line = "X-Scened-ExecLine=nvim +%l %f"

  @Test func fileWithAPositionHasItsOwnCommand() throws {
    let place = TextPosition(line: 7)
    #expect(try commands("nvim %F", line, [.init("file:///a", at: place)]) == [["nvim", "+7", "/a"]])
    #expect(
      try commands(
        "nvim %F",
        line,
        [
          .init("file:///a"), .init("file:///b", at: place), .init("file:///c"),
          .init("file:///d", at: place),
        ]
      ) == [["nvim", "/a", "/c"], ["nvim", "+7", "/b"], ["nvim", "+7", "/d"]]
    )
    let machine = try #require(LaunchEnvironment.machineName)
    #expect(
      try commands("nvim %F", line, [.init("file://\(machine)/a", at: place)]) == [["nvim", "+7", "/a"]]
    )
  }

  @Test func usualCommandOpensAllElse() throws {
    let place = TextPosition(line: 7)
    #expect(try commands("nvim %F", "", [.init("file:///a", at: place)]) == [["nvim", "/a"]])
    #expect(try commands("nvim %u", line, [.init("x:1", at: place)]) == [["nvim", "x:1"]])
    #expect(try commands("nvim %F", line, []) == [["nvim"]])
  }

  @Test func actionHasItsOwnLine() throws {
    let lines = """
      \(line)
      Actions=view;edit;
      [Desktop Action view]
      Name=View
      Exec=view %F
      X-Scened-Matching=view
      X-Scened-ExecLine=view -R +%l %f
      [Desktop Action edit]
      Name=Edit
      Exec=edit %F
      X-Scened-Matching=edit
      """
    let target = LaunchRequest.Target("file:///a", at: TextPosition(line: 7))
    #expect(try commands("nvim %F", lines, [target], "view") == [["view", "-R", "+7", "/a"]])
    #expect(try commands("nvim %F", lines, [target], "edit") == [["edit", "/a"]])
  }

  // MARK: Last lines

  @Test(arguments: [
    ("cannot open display\n", [], "cannot open display"), ("one\r\ntwo\n \n", [], "two"), (" \n", [], ""),
    ("\u{1B}[31mred\u{7}\u{202E}", [], #"\u{1B}[31mred\u{07}\u{202E}"#),
    (String(repeating: "é", count: 201), [], String(repeating: "é", count: 200) + "…"),
    (
      "no https://u:p@h.org/x?q=1#f here", ["https://u:p@h.org/x?q=1#f"], "no https://…h.org/x…… here"
    ),
    ("query q=1 of ?q=1", ["x:a?q=1"], "query q=1 of …"), ("a?b", ["x:?", "x:#", "@"], "a?b"),
    (#"\\u:p@h"#, [#"https:\\u:p@h/"#], #"\\…h"#), ("u@h", ["https:/u@h"], "…h"),
  ])
  func lastLineIsSafeToShow(_ message: String, _ urls: [String], _ text: String) {
    #expect(LastLine(message, hiding: urls).text == text)
  }
}
