import Foundation
import TestSupport
import Testing

/// `scenectl scenes`, `applications`, `status` and `monitor`.
@Suite(.blocking) struct ListTests {
  private let router: Router

  init() throws { router = try Router() }

  @Test func scenesAreAlignedWhateverTheirNames() throws {
    for (application, title) in [("A", "日本"), ("Longer", "ñandú"), ("Mid", "plain")] {
      _ = try router.scene("--application", application, "--title", title, "--prefer", "p", "--allow", "*")
    }
    let run = try router.scenectl("scenes")
    #expect(run.status == 0)
    let table = run.lines.map { line in line.split(separator: " ", omittingEmptySubsequences: true) }
    #expect(table[0] == ["TITLE", "SHOWS", "APPLICATION", "SCENE", "PREFERS", "ALLOWS"])
    #expect(table.dropFirst().map { $0[1] } == ["A", "Longer", "Mid"])
    #expect(table.dropFirst().map { $0[0] } == ["日本", "ñandú", "plain"])
    let long = try router.scenectl("scenes", "--long").lines
    #expect(
      long[0].split(separator: " ") == [
        "TITLE", "SHOWS", "APPLICATION", "SCENE", "PREFERS", "ALLOWS", "DECLARATION", "PROCESS", "PENDING",
      ]
    )
    #expect(long.dropFirst().allSatisfy { $0.contains(#/ p +\* +\d+ +0$/#) })
    // In a terminal, the title '日本' is four columns wide, although it has only two characters. So the line with this
    // title has two characters fewer than the other lines.
    let columns = try run.lines.map { line in
      try line.distance(from: line.startIndex, to: #require(line.lastIndex(of: " ")))
    }
    #expect(columns == [columns[0], columns[0] - 2, columns[0], columns[0]])
    #expect(!run.output.contains(" \n"))
  }

  @Test func scenesCanBeThoseOfAnApplication() throws {
    _ = try router.scene("--application", "A", "--title", "T", "--prefer", "p", "--allow", "*")
    let (id, program) = try router.scene("--application", "B")
    let objects = try router.scenectl("scenes", "--application", "B", "--json").objects()
    #expect(objects.map { $0["runtime.sceneId"] } == [id])
    #expect(objects.map { $0["runtime.processId"] } == ["\(program.processID)"])
    #expect(try router.scenectl("scenes", "--application", "B").lines.count == 2)
    let unknown = try router.scenectl("scenes", "--application", "BB")
    #expect(unknown.status == 1 && unknown.output == "")
    #expect(unknown.error == "scenectl: No application 'BB' is declared or has an open scene.\n")
    _ = try router.declare("--application", "Photos", "--scene", "browser")
    #expect(try router.scenectl("scenes", "--application", "Photos").output == "No scene is open.\n")
    #expect(
      try router.scenectl("scenes", "--application", "Photo").error.hasSuffix(" Did you mean 'Photos'?\n")
    )
  }

  @Test func tableFitsTheTerminal() throws {
    let title = String(repeating: "long ", count: 20)
    let (id, _) = try router.scene(
      "--title",
      title,
      "--prefer",
      "a",
      "--prefer",
      "b",
      "--prefer",
      "c",
      "--prefer",
      "d"
    )
    let program = SpawnedProgram.buildDirectory + "/scenectl"
    func columns(_ arguments: String, width: Int) throws -> [Int] {
      let command = "stty cols \(width); \(program) \(arguments)"
      let run = try router.shell("script -qec '\(command)' /dev/null", environment: ["TERM": "dumb"])
      #expect(run.status == 0)
      return run.output.split(separator: "\r\n").map(\.count)
    }
    #expect(try columns("scenes", width: 90).allSatisfy { $0 <= 90 })
    #expect(try columns("scenes", width: 90).contains(90), "No room is wasted.")
    #expect(try columns("scenes", width: 30).allSatisfy { $0 <= 30 })
    for width in [60, 40, 10] {
      let command = "stty cols \(width); \(program) scenes"
      let narrow = try router.shell("script -qec '\(command)' /dev/null", environment: ["TERM": "dumb"])
      #expect(narrow.output.contains(id), "An id is never cut.")
    }
    #expect(try columns("scenes --full", width: 90).contains { $0 > 140 })
    #expect(try columns("scenes --long", width: 90).contains { $0 > 150 })
    #expect(try router.scenectl("scenes").output.contains(title), "A pipe has no width.")
    #expect(try router.scenectl("scenes").output.contains("a, b, c, … (4)"))
    #expect(try router.scenectl("scenes", "--full").output.contains("a, b, c, d"))
  }

  /// At 80 columns, a line shows what a person looks for, and ids that the person may type.
  @Test func titleAndPageComeFirstAndAreReadable() throws {
    let page = "https://wiki.example.org/team/projects/Start"
    let home = try TemporaryDirectory()
    let (first, _) = try router.scene(
      "--application",
      "org.example.ContactList",
      "--title",
      "Wiki Team, the start page",
      "--showing",
      page,
      "--prefer",
      "wiki.example.org",
      "--allow",
      "*"
    )
    let (second, _) = try router.scene(
      "--application",
      "nvim",
      "--title",
      "main.c",
      "--showing",
      "file://\(home.path)/main.c",
      "--allow",
      "x"
    )
    func table(_ options: String) throws -> [String] {
      let command = "stty cols 80; \(SpawnedProgram.buildDirectory)/scenectl scenes \(options)"
      let run = try router.shell(
        "script -qec '\(command)' /dev/null",
        environment: ["TERM": "dumb", "HOME": home.path]
      )
      return run.output.split(separator: "\r\n").map(String.init)
    }
    #expect(
      try table("") == [
        "TITLE                 SHOWS                     APPLICATION              SCENE",
        "Wiki Team, the star…  wiki.example.org/team/p…  org.example.ContactList  \(first)",
        "main.c                ~/main.c                  nvim                     \(second)",
      ]
    )
    #expect(try table("--long")[1].contains(page), "Its lines are whole.")
  }

  @Test func emptyListsAreSentences() throws {
    #expect(try router.scenectl("scenes").output == "No scene is open.\n")
    #expect(try router.scenectl("applications").output == "No application is declared.\n")
    #expect(try router.scenectl("scenes", "--json").output == "")
  }

  @Test func applicationsAreListedWithTheirDeclarations() throws {
    _ = try router.declare(
      "--application",
      "Photos",
      "--claim-scheme",
      "photos",
      "--scene",
      "browser",
      "--scene",
      "detail=a,b,c,d",
      "--scene",
      "never="
    )
    #expect(
      try router.scenectl("applications").output == """
        APPLICATION  DECLARATION  KIND    FROM        CLAIMS   OPENS FOR
        Photos       browser      window  connection  photos:  events that nothing else takes
        Photos       detail       window  connection  photos:  a, b, c, … (4)
        Photos       never        window  connection  photos:  nothing

        """
    )
    let object = try #require(try router.scenectl("applications", "--json").objects().first)
    #expect(object["applicationId"] == "Photos")
    #expect(object["scenes.1.matching.3"] == "d")
  }

  @Test func claimedHostsAreListed() throws {
    _ = try router.declare(
      "--application",
      "Meet",
      "--claim-host",
      "meet.example.org",
      "--claim-host",
      "*.a.org/b",
      "--scene",
      "call="
    )
    #expect(
      try router.scenectl("applications", "--full").output == """
        APPLICATION  DECLARATION  KIND    FROM        CLAIMS                           OPENS FOR
        Meet         call         window  connection  //meet.example.org, //*.a.org/b  nothing

        """
    )
    let object = try #require(try router.scenectl("applications", "--json").objects().first)
    #expect(object["claims.hosts.0"] == "meet.example.org")
  }

  @Test func applicationsFromFilesAreListedWithTheirPaths() throws {
    let data = try TemporaryDirectory()
    let path = data.appending("applications/view.desktop")
    try FileManager.default.createDirectory(
      atPath: data.appending("applications"),
      withIntermediateDirectories: false
    )
    let entry = "[Desktop Entry]\nType=Application\nName=View\nExec=view %f\nMimeType=image/png;\n"
    try Data(entry.utf8).write(to: URL(filePath: path))
    let router = try Router(environment: ["XDG_DATA_HOME": data.path])
    let run = try router.scenectl("applications")
    #expect(run.lines.count == 2)
    #expect(
      run.lines[1].split(separator: " ").prefix(5) == [
        "view", "main", "window", path[...], "image/png",
      ]
    )
    let object = try #require(try router.scenectl("applications", "--json").objects().first)
    #expect(object["source"] == "file" && object["path"] == path && object["desktopId"] == "view.desktop")
  }

  @Test func statusIsInWords() throws {
    #expect(try router.scenectl("status").lines.contains("events:       none"))
    _ = try router.scene("--prefer", "good")
    _ = try router.scenectl("open", "x:good", "x:bad")
    let run = try router.scenectl("status")
    #expect(run.status == 0)
    let lines = run.lines
    try #require(lines.count > 3)
    #expect(lines[0].contains(/^service:      scened \d+\.\d+\.\d+, running for \d+ (s|min)/))
    #expect(lines[1] == "socket:       \(router.socket)")
    #expect(lines[2] == "process:      \(router.daemon.processID) (scened) of user \(geteuid())")
    #expect(lines.contains("scenes:       1 open"))
    #expect(lines.contains("deliveries:   0 under way"))
    #expect(lines.contains("events:       1 not routed, 1 taken"))
    #expect(lines.last?.contains(/^registry:     \d+ changes$/) == true)
    let object = try #require(try router.scenectl("status", "--json").objects().first)
    #expect(object["events.acknowledged"] == "1")
    #expect(object["socket"] == router.socket)
    #expect(object["processId"] == "\(router.daemon.processID)")
    #expect(object["version"]?.contains(/^\d+\.\d+\.\d+$/) == true)
  }

  @Test func monitorTellsEverythingInOrderWithItsTime() throws {
    let monitor = try router.start("monitor", "--no-reconnect")
    func next() throws -> String {
      let line = try monitor.nextLine()
      #expect(line.contains(/^\d\d:\d\d:\d\d\.\d\d\d [^ ]/))
      return String(line.dropFirst(13))
    }
    #expect(try next() == "watching 0 scenes and 0 applications")
    let (id, scene) = try router.scene("--application", "A", "--prefer", "p:")
    #expect(try next() == "scene \(id): of A, prefers [p:], allows []")
    _ = try router.scenectl("open", "p:1", "q:1")
    let decision = try next()
    #expect(decision.contains(/^[^ ]+: p:1 goes to scene \S+ of A: it prefers identifier 'p:'$/))
    #expect(try next() == "\(decision.prefix { $0 != ":" }): taken by scene \(id)")
    #expect(try next().hasSuffix(": q:1 goes nowhere"))
    scene.send(signal: SIGTERM)
    #expect(try next() == "scene \(id): closed")
    let application = try router.declare("--application", "B", "--scene", "browser")
    #expect(try next() == "B: declares browser")
    application.send(signal: SIGTERM)
    #expect(try next() == "B: no longer declared")
    router.daemon.send(signal: SIGTERM)
    #expect(try next() == "the router stops (shutdown)")
    #expect(try monitor.waitForEnd() == .exit(1), "The router ended it.")
  }

  @Test func monitorNamesWindowsByTheirTitles() throws {
    let (_, early) = try router.scene("--application", "A", "--prefer", "p:", "--title", "Early")
    let monitor = try router.start("monitor", "--count", "5")
    try monitor.outputLine(containing: "watching 1 scene")
    let (_, late) = try router.scene("--application", "A", "--prefer", "q:", "--title", "Late")
    _ = try router.scenectl("open", "p:1")
    for scene in [early, late] {
      scene.send(signal: SIGTERM)
      _ = try scene.waitForEnd()
    }
    #expect(try monitor.waitForEnd() == .exit(0))
    let lines = monitor.outputText.split(separator: "\n").suffix(5).map { $0.dropFirst(13) }
    #expect(lines[0] == "window \"Late\": of A, prefers [q:], allows []")
    #expect(lines[1].contains(" goes to window \"Early\" of A: "))
    #expect(lines[2].hasSuffix(": taken by window \"Early\""))
    #expect(lines[3...] == ["window \"Early\": closed", "window \"Late\": closed"])
  }

  @Test func monitorOfAnApplicationNamesWindowsOfOthers() throws {
    let monitor = try router.start("monitor", "--application", "A", "--count", "5")
    try monitor.outputLine(containing: "watching 0 scenes")
    _ = try router.scene("--application", "A", "--prefer", "p:", "--decline")
    _ = try router.scene("--application", "B", "--title", "Other", "--allow", "*")
    _ = try router.scenectl("open", "p:1")
    #expect(try monitor.waitForEnd() == .exit(0))
    #expect(monitor.outputText.hasSuffix(": taken by window \"Other\"\n"))
  }

  @Test func monitorShowsWhatConcernsAnApplicationOrAScene() throws {
    let (first, program) = try router.scene("--application", "A", "--prefer", "p:")
    let (second, _) = try router.scene("--application", "B", "--prefer", "q:")
    let monitors = [
      try router.start("monitor", "--json", "--application", "A", "--count", "3"),
      try router.start("monitor", "--json", "--scene", second, "--count", "2"),
    ]
    for monitor in monitors { #expect(try JSONObject(monitor.nextLine())["snapshot"] != nil) }
    _ = try router.scenectl("open", "p:1", "q:1", "n:1")
    program.send(signal: SIGTERM)
    let shown = try monitors.map { monitor in
      #expect(try monitor.waitForEnd() == .exit(0))
      return try monitor.outputText.split(separator: "\n").suffix(3).map { try JSONObject($0) }
    }
    #expect(shown[0][0]["decision.event.url"] == "p:1")
    #expect(shown[0][1]["settlement.sceneId"] == first)
    #expect(shown[0][2]["sceneClosed"] == first)
    #expect(shown[1][1]["decision.event.url"] == "q:1")
    #expect(shown[1][2]["settlement.sceneId"] == second)
    #expect(shown.joined().allSatisfy { $0["timeUSec"]?.count == 16 })
  }

  @Test func screenIsRedrawnWithEachChange() throws {
    let (id, _) = try router.scene("--application", "A", "--prefer", "p:", "--title", "Holidays")
    let monitor = try router.start("monitor", "--screen", "--count", "2")
    try monitor.outputLine(containing: "\u{1B}[H\u{1B}[J")
    _ = try router.scenectl("open", "p:1")
    #expect(try monitor.waitForEnd() == .exit(0))
    let screens = monitor.outputText.components(separatedBy: "\u{1B}[H\u{1B}[J").dropFirst()
    #expect(screens.count == 3)
    let last = try #require(screens.last).split(separator: "\n")
    #expect(last[0].hasPrefix("TITLE"))
    #expect(last[1].hasPrefix("Holidays") && last[1].contains(id) && last[1].hasSuffix("p:"))
    #expect(last.last?.hasSuffix("taken by window \"Holidays\"") == true)
  }

  @Test func pictureIsOneThatGraphvizReads() throws {
    _ = try router.declare("--application", #"A"\"#, "--scene", "detail=a,b")
    let (id, _) = try router.scene("--application", #"A"\"#, "--declaration", "detail", "--prefer", #"p"\n"#)
    let run = try router.scenectl("scenes", "--dot")
    #expect(
      run.output == #"""
        digraph scened {
          rankdir=LR; node [fontname="sans-serif"];
          subgraph "cluster A\"\\" {
            label="A\"\\";
            "A\"\\ detail" [shape=box, label="detail\nmatching a, b"];
            "\#(id)" [shape=ellipse, label="\#(id)\nprefers p\"\\n"];
            "A\"\\ detail" -> "\#(id)";
          }
        }

        """#
    )
  }

  @Test func monitorsClockIsThatOfTheUser() throws {
    let environment = router.environment.merging(["TZ": "XXX-07:30"]) { own, _ in own }
    let monitor = try SpawnedProgram("scenectl", ["monitor"], environment: environment)
    let shown = try monitor.nextLine().prefix(5).split(separator: ":").compactMap { Int($0) }
    try #require(shown.count == 2)
    let minutes = Int(Date().timeIntervalSince1970 / 60) + 7 * 60 + 30
    #expect((minutes - shown[0] * 60 - shown[1]) % 1440 <= 5, "The line may have come a little before.")
  }

  @Test func monitorShowsWhatIsAskedFor() throws {
    let decisions = try router.start("monitor", "--json", "--no-registry", "--no-reconnect")
    let registry = try router.start("monitor", "--json", "--no-decisions")
    for monitor in [decisions, registry] { #expect(try JSONObject(monitor.nextLine())["snapshot"] != nil) }
    _ = try router.scene("--prefer", "p:")
    _ = try router.scenectl("open", "p:1")
    #expect(try JSONObject(decisions.nextLine())["decision.decision.rule"] == "preferring")
    #expect(try JSONObject(decisions.nextLine())["settlement.result"] == "acknowledged")
    router.daemon.send(signal: SIGTERM)
    #expect(try JSONObject(registry.nextLine())["sceneChanged.context.applicationId"] == "scenectl")
    #expect(try JSONObject(decisions.nextLine())["closed"] == "shutdown")
  }
}
