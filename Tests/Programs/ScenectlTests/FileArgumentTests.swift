import Foundation
import TestSupport
import Testing

/// Paths on the command line become `file:` URLs.
@Suite(.blocking) struct FileArgumentTests {
  private let router: Router
  private let directory: Directory

  private final class Directory {
    let path: String
    private let directory: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory()
      path = directory.path
    }
  }

  init() throws {
    router = try Router()
    directory = try Directory()
    let files = FileManager.default
    for folder in ["sub", "elsewhere/deep", "file:colon", "https:"] {
      try files.createDirectory(atPath: path(folder), withIntermediateDirectories: true)
    }
    for file in [
      "a b.txt", "ñ.txt", "100%.txt", "a:b", "elsewhere/file", "a;b(1)[2].txt", "main.c", "b:10", "Makefile",
      "log-12:30.log", "notes: today.txt", "mailto:a@b.example", "file:colon/x",
    ] {
      _ = files.createFile(atPath: path(file), contents: nil)
    }
    try files.createSymbolicLink(atPath: path("link"), withDestinationPath: path("elsewhere/deep"))
  }

  private func path(_ name: String) -> String { directory.path + "/" + name }

  @Test(arguments: [
    ("a b.txt", "a%20b.txt"),
    ("./a b.txt", "a%20b.txt"),
    ("ñ.txt", "%C3%B1.txt"),
    ("100%.txt", "100%25.txt"),
    // `gio info` prints the same URL for this name.
    ("a;b(1)[2].txt", "a%3Bb(1)%5B2%5D.txt"),
    ("./a:b", "a:b"),
    ("a:b", "a:b"),
    ("log-12:30.log", "log-12:30.log"),
    ("notes: today.txt", "notes:%20today.txt"),
    ("mailto:a@b.example", "mailto:a@b.example"),
    ("file:colon/x", "file:colon/x"),
    ("a b.txt  ", "a%20b.txt"),
    ("sub/../a b.txt", "a%20b.txt"),
    ("sub//.././ñ.txt", "%C3%B1.txt"),
    ("sub/", "sub"),
    // The URL keeps the name of a symbolic link, because a window knows a document by the name that was opened. Only a
    // link before `..` is replaced by its target.
    ("link", "link"),
    ("link/../file", "elsewhere/file"),
  ])
  func pathIsRoutedAsURL(argument: String, url: String) throws {
    let expected =
      "file://\(directory.path)/\(url): not routed: "
    #expect(
      try router.shell("cd '\(directory.path)' && scenectl open '\(argument)'").output.hasPrefix(expected)
    )
    #expect(try router.scenectl("open", path(argument)).output.hasPrefix(expected))
  }

  /// Each case is the arguments of `open`, and the file, the line and the column that the event must have.
  @Test(
    arguments: [
      (["main.c:10"], "main.c", "10", nil), (["main.c:10:3"], "main.c", "10", "3"),
      (["./main.c:10"], "main.c", "10", nil), (["Makefile:7"], "Makefile", "7", nil),
      (["a b.txt:1"], "a%20b.txt", "1", nil), (["link/../../main.c:2:1"], "main.c", "2", "1"),
      // There is a file with the name `b:10`. So in the argument `b:10`, `:10` is not a line number.
      (["b:10"], "b:10", nil, nil), (["b:10:3"], "b:10", "3", nil), (["./b:10:3:4"], "b:10", "3", "4"),
      (["+10", "main.c"], "main.c", "10", nil), (["+10:3", "main.c"], "main.c", "10", "3"),
      (["+10,3", "./main.c"], "main.c", "10", "3"), (["+4", "main.c:10:3"], "main.c", "4", nil),
      (["file://HERE/main.c#L10"], "main.c", "10", nil), (["file://HERE/main.c#10"], "main.c", "10", nil),
      (["file://HERE/main.c#L10-L20"], "main.c", "10", nil),
      (["file://HERE/main.c#10-20"], "main.c", "10", nil),
      (["file://HERE/main.c#L10,3"], "main.c", "10", "3"), (["file://HERE/main.c#10,3"], "main.c", "10", "3"),
      (["file://HERE/main.c#L10,3-L11,4"], "main.c", "10", "3"),
      (["+4", "file://HERE/main.c#L10"], "main.c", "4", nil),
      // These fragments are not line numbers, so they stay in the URL.
      (["file://HERE/main.c#section"], "main.c#section", nil, nil),
      (["file://HERE/main.c#L0"], "main.c#L0", nil, nil),
      (["file://HERE/main.c#L10-end"], "main.c#L10-end", nil, nil),
      (["file://HERE/main.c#"], "main.c#", nil, nil),
      (["file://HERE/main.c#L10,"], "main.c#L10,", nil, nil),
      (["file://HERE/main.c#page=10"], "main.c#page=10", nil, nil),
      // The event always has the normal spelling of the URL.
      (["file://HERE/sub/../a%20b%2Etxt"], "a%20b.txt", nil, nil),
      (["FILE:HERE/ñ.txt"], "%C3%B1.txt", nil, nil),
      (["file://localhostHERE/a%3bb%281%29%5B2%5D.txt"], "a%3Bb(1)%5B2%5D.txt", nil, nil),
      (["file://NAMEHERE/main.c?a=b#L10"], "main.c?a=b", "10", nil),
      (["file://HERE/a b.txt"], "a%20b.txt", nil, nil),
    ] as [([String], String, String?, String?)]
  )
  func lineOfAFileIsInTheEvent(arguments: [String], file: String, line: String?, column: String?) throws {
    let scene = try router.start("scene", "--json", "--allow", "*")
    try scene.outputLine(containing: "opened")
    let words = arguments.map {
      $0.replacing("NAME", with: machineName).replacing("HERE", with: directory.path)
    }
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    // scenectl reads the first command without its argument parser, and the second command with it.
    for command in ["open", "open --"] {
      #expect(try router.shell("cd '\(directory.path)' && scenectl \(command) \(quoted)").status == 0)
      let event = try JSONObject(scene.nextLine())
      #expect(event["delivery.event.url"] == "file://\(directory.path)/\(file)")
      #expect(event["delivery.event.line"] == line)
      #expect(event["delivery.event.column"] == column)
    }
  }

  /// URLs that name no file on this machine keep their spelling; only a line number in a `file:` URL is taken out.
  @Test(
    arguments: [
      ("file://elsewhere/a%2Eb", "file://elsewhere/a%2Eb", nil),
      ("file://elsewhere/a#L3", "file://elsewhere/a", "3"),
      ("file:///a%2Fb", "file:///a%2Fb", nil), ("file:a#4", "file:a", "4"), ("x:1", "x:1", nil),
      ("https://x.org/a#L10", "https://x.org/a#L10", nil),
      ("http://localhost:80", "http://localhost:80", nil),
      // `sub` is a directory, so `:1` is not a line number, and the argument counts as a URL.
      ("sub:1", "sub:1", nil),
    ] as [(String, String, String?)]
  )
  func otherURLsStayAsTheyAre(argument: String, url: String, line: String?) throws {
    let scene = try router.start("scene", "--json", "--allow", "*")
    try scene.outputLine(containing: "opened")
    #expect(try router.shell("cd '\(directory.path)' && scenectl open '\(argument)'").status == 0)
    let event = try JSONObject(scene.nextLine())
    #expect(event["delivery.event.url"] == url)
    #expect(event["delivery.event.line"] == line)
  }

  @Test func lineNeedsAFile() throws {
    let last = try router.scenectl("open", path("main.c"), "+10")
    #expect(last.status == 64)
    #expect(last.error.hasPrefix("scenectl: A file has to follow '+10'.\n"))
    let link = try router.scenectl("open", "+10", "n:1", path("main.c"))
    #expect(link.status == 1)
    #expect(link.error == "scenectl: n:1: Only a file can have a line number before it.\n")
    #expect(link.output.hasPrefix("file://\(path("main.c")): "), "It hides no other.")
    let missing = try router.scenectl("open", path("missing:10"))
    #expect(missing.error.hasSuffix("missing:10: This is neither a URL nor the path of an existing file.\n"))
  }

  @Test(arguments: ["a:missing.txt", "sub:x/missing", "notes: tomorrow.txt"])
  func urlThatNobodyTakesAndNoFileHasNamesTheFile(_ argument: String) throws {
    for command in ["open", "explain"] {
      let run = try router.shell("cd '\(directory.path)' && scenectl \(command) '\(argument)'")
      #expect(run.status == 3)
      #expect(run.output.contains("there is no file '\(path(argument))' either"), "\(run.output)")
    }
  }

  @Test func relativePathThatIsMissingIsNamedAsAWhole() throws {
    let run = try router.shell("cd '\(directory.path)/sub' && scenectl open ../missing.txt")
    #expect(run.error.hasSuffix("existing file. There is no '\(path("missing.txt"))'.\n"), "\(run.error)")
  }

  /// `//` after the colon makes a URL, though there is a directory `https:` with this file.
  @Test func fileDoesNotWinOverAHost() throws {
    _ = FileManager.default.createFile(atPath: path("https:/main.c"), contents: nil)
    let run = try router.shell("cd '\(directory.path)' && scenectl open https://main.c https:/main.c")
    #expect(
      run.lines.map { $0.prefix { $0 != " " } } == ["https://main.c:", "file://\(path("https:/main.c")):"]
    )
  }

  @Test func fileNameThatIsNotUTF8IsEncoded() throws {
    let run = try router.shell(
      #"""
      cd '\#(directory.path)'; name=$(printf 'sub/\377 \303'); mkdir -- "$name"; >"$name/%file"
      scenectl open "$name/%file" "$PWD/$name/../$(printf '\377 \303')"
      cd "$name"; scenectl open %file; scenectl explain ./%file
      scenectl open --json "$(printf '\376')"
      """#
    )
    let folder = "file://\(directory.path)/sub/%FF%20%C3"
    #expect(
      run.lines.dropLast() == [
        "\(folder)/%25file: not routed: no open scene takes it, and no application claims text/plain; see: scenectl explain \(folder)/%25file",
        "\(folder): not routed: no open scene takes it, and no application claims inode/directory; see: scenectl explain \(folder)",
        "\(folder)/%25file: not routed: no open scene takes it, and no application claims text/plain; see: scenectl explain \(folder)/%25file",
        "\(folder)/%25file would go nowhere: no open scene takes it, and no application claims text/plain.",
        "No open scene and no declared application takes part in this event.",
      ]
    )
    let missing = try JSONObject(run.lines.last ?? "")
    #expect(missing["argument"] == "\u{FFFD}")
    #expect(
      missing["error"]
        == "This is neither a URL nor the path of an existing file. There is no '\(directory.path)/sub/\u{FFFD} \u{FFFD}/\u{FFFD}'."
    )
  }

  @Test(arguments: [
    #"open --application "$bad" n:1"#, #"scene --title "$bad""#, #"open --event-id x"$bad"y n:1"#, #""$bad""#,
    #"status --socket "$bad""#, #"scene --exec sh -- "$bad""#,
  ])
  func otherArgumentsHaveToBeUTF8(arguments: String) throws {
    let run = try router.shell("bad=$(printf 'a\\377b'); scenectl \(arguments)")
    #expect(run.status == 64)
    #expect(run.error.contains("is not UTF-8"))
    #expect(run.error.contains("a\u{FFFD}b"))
  }

  @Test func bytesOfAURLThatAreNotUTF8AreEncoded() throws {
    let run = try router.shell(#"scenectl open "$(printf 'n:caf\351 \303\251')""#)
    #expect(run.output.hasPrefix("n:caf%E9%20%C3%A9: not routed: "), "\(run.output)\(run.error)")
  }

  @Test func unreachableFileIsToldWithTheReason() throws {
    let run = try router.scenectl("open", path("a b.txt/inside"))
    #expect(run.status == 1)
    #expect(
      run.error == "scenectl: \(path("a b.txt/inside")): The file cannot be reached: Not a directory.\n"
    )
  }
}
