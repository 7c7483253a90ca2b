import Foundation
import TestSupport
import Testing

/// `scenectl history` and `why`.
@Suite(.blocking) struct HistoryTests {
  private let router: Router

  init() throws { router = try Router() }

  @Test func eventsAreListedLikeALogNewestLast() throws {
    #expect(try router.scenectl("history").output == "The router remembers no event.\n")
    let (id, _) = try router.scene("--application", "A", "--prefer", "p:")
    _ = try router.scenectl("open", "p:1?secret", "q:1")
    #expect(
      try router.scenectl("history").lines.map { $0.replacing(#/^(\d{4}-\d\d-\d\d )?\d\d:\d\d\s/#, with: "") }
        == [
          "p:1 → A (prefers it)", "q:1 → nowhere (no window and no application takes it)",
        ]
    )
    let lines = try router.scenectl("history", "--long").lines
    try #require(lines.count == 2)
    #expect(
      lines[0].contains(
        /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} d\S+: p:1: taken by scene \S+ of A: it prefers identifier/
      )
    )
    #expect(lines[0].contains(id) && lines[0].hasSuffix("identifier 'p:'"))
    #expect(lines[1].hasSuffix(": q:1: not routed: no open scene and no declaration takes it"))
    #expect(try router.scenectl("history", "--long", "-n", "1").lines == [lines[1]])
    #expect(try router.scenectl("history", "--long", "--failed").lines == [lines[1]])
    #expect(
      try router.scenectl("history", "--long", "--application", "A", "--since", "1d").lines == [lines[0]]
    )
    let objects = try router.scenectl("history", "--json").objects()
    #expect(objects.map { $0["comparisonString"] } == ["p:1", "q:1"])
    #expect(
      objects.map { $0["sentence"] } == ["A (prefers it)", "nowhere (no window and no application takes it)"]
    )
    #expect(objects.map { $0["isTaken"] } == ["1", "0"])
    let unknown = try router.scenectl("history", "--forget", "r:1")
    #expect(unknown.status == 1 && unknown.error.hasPrefix("scenectl: The router remembers no event 'r:1'."))
    #expect(try router.scenectl("history", "--forget", "q:1").output == "")
    #expect(try router.scenectl("history", "--json").objects().map { $0["comparisonString"] } == ["p:1"])
    #expect(try router.scenectl("history", "--clear").output == "")
    #expect(try router.scenectl("history", "--json").output == "")
  }

  /// An empty title counts as no title, because browsers report an empty title while a page loads.
  @Test(arguments: [[], ["--title", ""]]) func eventIsExplainedAfterwards(title: [String]) throws {
    let (first, _) = try router.scene("--application", "A", "--prefer", "p:", "--decline")
    let (second, _) = try router.scene(["--application", "B", "--allow", "*"] + title)
    _ = try router.scenectl("open", "--event-id", "mine", "p:1")
    let run = try router.scenectl("why")
    #expect(run.status == 0)
    try #require(run.lines.count == 7)
    #expect(run.lines[0].contains(/^d\S+: p:1, \d{4}-/))
    #expect(run.lines[1].hasPrefix("Sent by "))
    #expect(run.lines[2] == "Outcome: taken by scene \(second) of B: it allows every event ('*').")
    #expect(run.lines[3].hasPrefix("  1. declined by scene \(first) of A: it prefers identifier 'p:'"))
    #expect(run.lines[4].hasPrefix("  2. taken by scene \(second) of B: it allows every event ('*')"))
    #expect(run.lines[5] == "Scene \(second) has no title.")
    #expect(run.lines[6] == "See: scenectl explain p:1")
    #expect(
      try router.scenectl("history").lines[0].hasSuffix(" p:1 → B (allows it; A declined it)")
    )
    let line = try router.scenectl("history", "--long").lines[0]
    #expect(line.contains(": p:1: declined by scene \(first) of A; then taken by scene \(second) of B: "))
    let decision = String(run.lines[0].prefix { $0 != ":" })
    #expect(try router.scenectl("why", "mine").lines == run.lines)
    #expect(try router.scenectl("why", decision).lines == run.lines)
    #expect(try router.scenectl("why", "p:1?query").lines == run.lines)
    #expect(try router.scenectl("why", "?query").status == 1)
    #expect(try router.scenectl("why", "last", "--json").objects()[0]["eventId"] == "mine")
  }

  @Test func unroutedEventNamesTheCommandThatExplainsIt() throws {
    _ = try router.scenectl("open", "p:1")
    let lines = try router.scenectl("why").lines
    #expect(lines[2] == "Outcome: not routed: no open scene and no declaration takes it.")
    #expect(lines[3] == "Now: no open scene takes it, and no application claims p:.")
    #expect(lines[4...] == ["See: scenectl explain p:1"])
  }

  @Test func unknownEventIsAnError() throws {
    let run = try router.scenectl("why", "last")
    #expect(run.status == 1)
    #expect(
      run.error == """
        scenectl: The router remembers no event. 'scenectl open URL' sends one; a router with --history off forgets all.

        """
    )
    _ = try router.scenectl("open", "p:1")
    #expect(
      try router.scenectl("why", "q:1").error
        == "scenectl: The router remembers no event 'q:1'. 'scenectl history' lists the others.\n"
    )
  }

  /// The link is cut first, then the title; a line is never wider than the terminal.
  @Test func lineOfAnEventFitsTheTerminal() throws {
    let (page, title) = (
      "https://wiki.example.org/team/projects/Start", "Wiki Team, the start page of all projects"
    )
    let (_, scene) = try router.scene("--application", "A", "--title", title, "--showing", page)
    _ = try router.scenectl("open", page)
    func lines(_ width: Int) throws -> [String] {
      let command = "stty cols \(width); \(SpawnedProgram.buildDirectory)/scenectl history"
      let run = try router.shell("script -qec '\(command)' /dev/null", environment: ["TERM": "dumb"])
      return run.output.split(separator: "\r\n").map { line in
        #expect(line.count <= width, "\(line)")
        return String(line).replacing(#/^(\d{4}-\d\d-\d\d )?\d\d:\d\d\s/#, with: "")
      }
    }
    let link = "wiki.example.org/team/projects/Start"
    #expect(try lines(200) == ["\(link) → A \"\(title)\" (shows it)"])
    #expect(try lines(96) == ["\(link.prefix(30))… → A \"\(title)\" (shows it)"])
    #expect(try lines(80) == ["\(link.prefix(23))… → A \"\(title.prefix(31))…\" (shows it)"])
    #expect(try lines(30) == ["\(link.prefix(12))… → A \"Wiki…"])
    scene.send(signal: SIGTERM)
    _ = try scene.waitForEnd()
    #expect(try lines(200) == ["\(link) → A (shows it)"], "A window that is closed has no title any more.")
  }

  @Test func windowIsNamedByItsTitle() throws {
    let (first, _) = try router.scene("--application", "A", "--title", "One", "--prefer", "p:", "--decline")
    let (second, _) = try router.scene("--application", "A", "--title", "Two", "--allow", "p")
    #expect(
      try router.scenectl("open", "p:1").output == """
        p:1: declined by window "One"; taken by window "Two" of A: it allows identifier 'p'

        """
    )
    #expect(
      try router.scenectl("open", "--no-wait", "--scene", second, "p:1").output
        == "p:1: routed to window \"Two\" of A: the sender named this scene\n"
    )
    let why = try router.scenectl("why", "last").lines
    #expect(why[2] == "Outcome: taken by window \"Two\" of A: the sender named this scene.")
    #expect(why[3] == "Scene \(second) has the title 'Two'.")
    let explained = try router.scenectl("explain", "p:1").lines
    #expect(explained[0] == "p:1 would go to window \"One\" of A: it prefers identifier 'p:'.")
    #expect(explained[1].hasPrefix("RULE        TITLE  SCENE"))
    #expect(explained[2].hasPrefix("preferring  One    \(first)  A"))
    let history = try router.scenectl("history").lines
    #expect(history[0].hasSuffix(" p:1 → A \"Two\" (allows it; A declined it)"))
    #expect(
      try router.scenectl("history", "--long").lines[0].contains(
        "declined by window \"One\" of A; then taken"
      )
    )
  }

  @Test func windowsAreNamedHoweverMany() throws {
    let windows = try (1...21).map { try router.scene("--title", "Window \($0)", "--prefer", "p:\($0)/") }
    _ = try router.scenectl(["open"] + (1...21).map { "p:\($0)/" })
    let lines = try router.scenectl("history", "-n", "30").lines
    #expect(lines.count == 21)
    for (number, line) in zip(1..., lines) { #expect(line.contains("\"Window \(number)\"")) }
    withExtendedLifetime(windows) {}
  }

  @Test func eventUnderWayIsSaidToBe() throws {
    _ = try router.scene("--allow", "*", "--exec", "sleep", "--", "1000")
    _ = try router.openWithoutEnd("p:1")
    #expect(try router.scenectl("history").lines[0].hasSuffix(" p:1 → scenectl: under way"))
    #expect(try router.scenectl("history", "--long").lines[0].hasSuffix(": p:1: under way"))
    #expect(try router.scenectl("why").lines[2] == "Outcome: under way.")
  }

  /// The test moves the times of the first event into the future, as if the clock had been set back since then.
  @Test func eventThatCameLastIsTheLastWhateverTheClockSaid() throws {
    let directory = try TemporaryDirectory()
    func start() throws -> Router { try Router(environment: ["RUNTIME_DIRECTORY": directory.path]) }
    let first = try start()
    _ = try first.scenectl("open", "p:1")
    first.daemon.send(signal: SIGTERM)
    _ = try first.daemon.waitForEnd()
    let file = directory.appending("history")
    let line = try String(contentsOfFile: file, encoding: .utf8)
    let hour = line.replacing(/"(routed|settled)USec":(\d+)/) {
      "\"\($0.1)USec\":\((Int($0.2) ?? 0) + 3_600_000_000)"
    }
    try hour.write(toFile: file, atomically: false, encoding: .utf8)
    let second = try start()
    for url in ["q:2", "r:3"] { _ = try second.scenectl("open", url) }
    #expect(try second.scenectl("why", "last").lines[0].contains(": r:3, "))
    let listed = try second.scenectl("history", "--json").objects().map { $0["comparisonString"] }
    #expect(listed == ["p:1", "q:2", "r:3"])
  }

  @Test(arguments: ["0", "10", "-1s", "s", "1w", "1.5h"])
  func ageNeedsAUnit(_ age: String) throws {
    #expect(try router.scenectl("history", "--since=\(age)").status == 64)
  }
}
