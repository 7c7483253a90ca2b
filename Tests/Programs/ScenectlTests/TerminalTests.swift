import Foundation
import TestSupport
import Testing

/// Output to a terminal, and output without a terminal.
@Suite(.blocking) struct TerminalTests {
  private let router: Router

  init() throws { router = try Router() }

  /// A title with a line break, an escape sequence that starts a colour, and invisible characters.
  private static let title = "a\u{1B}[31m\nb\u{202E}\u{200B}\u{AD}\u{FEFF}\u{E0041}"
  /// A URL in which the single character U+009B starts a colour.
  private static let url = "n:\u{9B}31m"

  @Test func controlCharactersDoNotReachTheTerminal() throws {
    let monitor = try router.start("monitor")
    try monitor.outputLine(containing: "watching")
    _ = try router.scene(
      "--application",
      "A\u{7}",
      "--title",
      Self.title,
      "--allow",
      "*",
      "--exec",
      "sh",
      "--",
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
    let shown = #"a\u{1b}[31m\u{a}b\u{202e}\u{200b}\u{ad}\u{feff}\u{e0041}"#
    try monitor.outputLine(containing: "t \(shown) goes to window \"\(shown)\"")
    #expect(Self.isHarmless(monitor.outputText))
    #expect(outputs[0].output.contains(shown))
    #expect(try outputs[6].objects()[0]["context.title"] == Self.title, "JSON stays what it says.")
    #expect(try outputs[7].objects()[0]["event.url"] == Self.url)
  }

  private static func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar == "\n" || ![.control, .format].contains(scalar.properties.generalCategory)
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
    let plain = try router.shell("script -qec '\(program) scenes' /dev/null", environment: ["TERM": "dumb"])
    #expect(plain.output.contains("APPLICATION") && !plain.output.contains("\u{1B}"))
    #expect(try !router.scenectl("open", "n:1").output.contains("\u{1B}"))
  }

  /// A window that allows `n:` is open; `x:new` opens another window.
  @Test(arguments: [
    ("n:1", ["WAYLAND_DISPLAY": "wayland-0"], true), ("n:1 n:2", ["WAYLAND_DISPLAY": "wayland-0"], true),
    ("n:1", ["WAYLAND_DISPLAY": "wayland-0", "XDG_ACTIVATION_TOKEN": "t"], false),
    ("n:1 n:2", ["WAYLAND_DISPLAY": "wayland-0", "DESKTOP_STARTUP_ID": "t"], true),
    ("--as-handler n:1", ["WAYLAND_DISPLAY": "wayland-0"], false),
    ("x:new", ["WAYLAND_DISPLAY": "wayland-0"], false), ("z:1", ["WAYLAND_DISPLAY": "wayland-0"], false),
    ("n:1", ["DISPLAY": ":0"], false), ("n:1", [:], false),
  ]) func terminalTellsThatAWindowMayStayBehind(
    arguments: String,
    environment: [String: String],
    isTold: Bool
  ) throws {
    let window = try router.scene("--allow", "n:")
    let application = try router.declare("--application", "other", "--scene", "new=x:new")
    let command = "\(SpawnedProgram.buildDirectory)/scenectl open \(arguments)"
    let sentence = "There was no activation token, so the window may stay behind"
    let onTerminal = try router.shell("script -qec '\(command)' /dev/null", environment: environment)
    #expect(onTerminal.output.ranges(of: sentence).count == (isTold ? 1 : 0), "\(onTerminal.output)")
    let inPipe = try router.shell(command, environment: environment)
    #expect(!inPipe.error.contains(sentence))
    withExtendedLifetime((window, application)) {}
  }

  @Test func readerMayLeaveEarly() throws {
    let line = try SpawnedProgram(
      "/bin/sh",
      ["-c", #""$0" monitor | head -1"#, SpawnedProgram.buildDirectory + "/scenectl"],
      environment: router.environment
    )
    try line.outputLine(containing: "watching")
    // The tool notices only at its next output that `head` has closed the pipe, so the test sends events until then.
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
