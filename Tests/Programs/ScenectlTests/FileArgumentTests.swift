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
    for folder in ["sub", "elsewhere/deep"] {
      try files.createDirectory(atPath: path(folder), withIntermediateDirectories: true)
    }
    for file in ["a b.txt", "ñ.txt", "100%.txt", "a:b", "elsewhere/file"] {
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
    ("./a:b", "a:b"),
    ("sub/../a b.txt", "a%20b.txt"),
    ("sub//.././ñ.txt", "%C3%B1.txt"),
    ("sub/", "sub"),
    // Links stay, because a window knows a document by the name under which it was opened; `..` follows links first.
    ("link", "link"),
    ("link/../file", "elsewhere/file"),
  ])
  func pathIsRoutedAsURL(argument: String, url: String) throws {
    let expected =
      "file://\(directory.path)/\(url): not routed: no rule found a target; see: scenectl explain "
    #expect(
      try router.shell("cd '\(directory.path)' && scenectl open '\(argument)'").output.hasPrefix(expected)
    )
    #expect(try router.scenectl("open", path(argument)).output.hasPrefix(expected))
  }

  @Test func whatBeginsLikeAURLIsOne() throws {
    #expect(try router.shell("cd '\(directory.path)' && scenectl open a:b").output.hasPrefix("a:b: "))
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
        "\(folder)/%25file: not routed: no rule found a target; see: scenectl explain \(folder)/%25file",
        "\(folder): not routed: no rule found a target; see: scenectl explain \(folder)",
        "\(folder)/%25file: not routed: no rule found a target; see: scenectl explain \(folder)/%25file",
        "\(folder)/%25file would go nowhere: no rule found a target.",
        "No open scene and no declared application takes part in this event.",
      ]
    )
    let missing = try JSONObject(run.lines.last ?? "")
    #expect(missing["argument"] == "\u{FFFD}")
    #expect(missing["error"] == "This is neither a URL nor the path of an existing file.")
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

  @Test func urlHasToBeUTF8() throws {
    let run = try router.shell("bad=$(printf 'n:\\377'); scenectl open \"$bad\" n:1")
    #expect(run.status == 1)
    #expect(run.error == "scenectl: n:\u{FFFD}: A URL has to be UTF-8.\n")
    #expect(
      run.output == "n:1: not routed: no rule found a target; see: scenectl explain n:1\n",
      "It hides no other."
    )
  }

  @Test func unreachableFileIsToldWithTheReason() throws {
    let run = try router.scenectl("open", path("a b.txt/inside"))
    #expect(run.status == 1)
    #expect(
      run.error == "scenectl: \(path("a b.txt/inside")): The file cannot be reached: Not a directory.\n"
    )
  }
}
