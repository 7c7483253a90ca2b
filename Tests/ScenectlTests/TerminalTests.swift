import Foundation
import TestSupport
import Testing

/// What reaches the terminal, and what happens without one.
@Suite(.blocking) struct TerminalTests {
  private let router: Router

  init() throws { router = try Router() }

  /// A title with a line break and the start of a colour, and a URL with the one-byte form of it.
  private static let title = "a\u{1B}[31m\nb\u{202E}"
  private static let url = "n:\u{9B}31m"

  @Test func controlCharactersDoNotReachTheTerminal() throws {
    let monitor = try router.start("monitor")
    try monitor.outputLine(containing: "watching")
    let (id, _) = try router.scene(
      "--application",
      "A\u{7}",
      "--title",
      Self.title,
      "--allow",
      "*",
      "--exec",
      "sh",
      "-c",
      "exit $SCENED_STATUS"
    )
    let outputs = try [
      router.scenectl("scenes"), router.scenectl("open", Self.url), router.scenectl("explain", Self.url),
      router.scenectl("send", "--activity-type", "t", "--title", Self.title),
      router.scenectl("open", "--scene", Self.title, Self.url), router.scenectl("open", "/no\u{1B}[31m"),
      router.scenectl("scenes", "--json"), router.scenectl("open", "--json", Self.url),
    ]
    for output in outputs { #expect(Self.isHarmless(output.output + output.error), "\(output)") }
    try monitor.outputLine(containing: "t a\\u{1b}[31m\\u{a}b\\u{202e} goes to scene \(id)")
    #expect(Self.isHarmless(monitor.outputText))
    #expect(outputs[0].output.contains(#"a\u{1b}[31m\u{a}b\u{202e}"#))
    #expect(try outputs[6].objects()[0]["context.title"] == Self.title, "JSON stays what it says.")
    #expect(try outputs[7].objects()[0]["event.url"] == Self.url)
  }

  private static func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar == "\n" || !(scalar.properties.generalCategory == .control || scalar.properties.isBidiControl)
    }
  }

  @Test func colourIsForTerminalsOnly() throws {
    _ = try router.scene("--allow", "*")
    let program = SpawnedProgram.buildDirectory + "/scenectl"
    let onTerminal = try router.shell("script -qec '\(program) open n:1' /dev/null")
    #expect(onTerminal.output.contains("\u{1B}[32mtaken\u{1B}[0m"))
    let unwanted = try router.shell(
      "script -qec '\(program) open n:1' /dev/null",
      environment: ["NO_COLOR": "1"]
    )
    #expect(unwanted.output.contains("taken") && !unwanted.output.contains("\u{1B}"))
    #expect(try !router.scenectl("open", "n:1").output.contains("\u{1B}"))
  }

  @Test func readerMayLeaveEarly() throws {
    let line = try SpawnedProgram(
      "/bin/sh",
      ["-c", #""$0" monitor | head -1"#, SpawnedProgram.buildDirectory + "/scenectl"],
      environment: router.environment
    )
    try line.outputLine(containing: "watching")
    // The tool notices when it has something to tell.
    while try router.scenectl("status", "--json").objects()[0]["connections"] != "1" {
      _ = try router.scenectl("open", "n:1")
    }
    #expect(try line.waitForEnd() == .exit(0))
    #expect(line.errorText == "")
  }

  @Test(arguments: [
    (">/dev/full", "No space left on device"), (">&-", "Bad file descriptor"),
  ])
  func lostOutputIsAnError(redirection: String, reason: String) throws {
    let run = try router.shell("scenectl scenes \(redirection)")
    #expect(run.status == 1)
    #expect(run.error == "scenectl: Standard output cannot be written: \(reason).\n")
    #expect(try router.shell("scenectl --help \(redirection)").status == 1)
  }
}
