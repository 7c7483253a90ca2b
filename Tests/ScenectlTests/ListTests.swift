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
    #expect(
      table[0] == ["SCENE", "APPLICATION", "DECLARATION", "PROCESS", "PENDING", "TITLE", "PREFERS", "ALLOWS"]
    )
    #expect(table.dropFirst().map { $0[1] } == ["A", "Longer", "Mid"])
    #expect(table.dropFirst().map { $0[4] } == ["日本", "ñandú", "plain"])
    // An ideograph takes two columns of a terminal, so that its line has fewer characters.
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
        Photos       browser      window  connection  photos:  whatever nothing else takes
        Photos       detail       window  connection  photos:  a, b, c, … (4)
        Photos       never        window  connection  photos:  nothing

        """
    )
    let object = try #require(try router.scenectl("applications", "--json").objects().first)
    #expect(object["applicationId"] == "Photos")
    #expect(object["scenes.1.matching.3"] == "d")
  }

  @Test func statusTellsWhatWasDone() throws {
    _ = try router.scene("--prefer", "good")
    _ = try router.scenectl("open", "x:good", "x:bad")
    let run = try router.scenectl("status")
    #expect(run.status == 0)
    #expect(run.lines[0].contains(/^running for:  \d+ (s|min)/))
    #expect(run.lines.contains("scenes:       1 open"))
    #expect(run.lines.contains("events:       1 acknowledged, 1 notRouted"))
    let object = try #require(try router.scenectl("status", "--json").objects().first)
    #expect(object["events.acknowledged"] == "1")
  }

  @Test func monitorTellsEverythingInOrder() throws {
    let monitor = try router.start("monitor")
    #expect(try monitor.nextLine() == "watching 0 scenes and 0 applications")
    let (id, scene) = try router.scene("--application", "A", "--prefer", "p:")
    #expect(try monitor.nextLine() == "\(id): of A, prefers [p:], allows []")
    _ = try router.scenectl("open", "p:1", "q:1")
    let decision = try monitor.nextLine()
    #expect(decision.contains(/^[^ ]+: p:1 goes to scene \S+ of A \(rule preferring, identifier 'p:'\)$/))
    #expect(try monitor.nextLine() == "\(decision.prefix { $0 != ":" }): taken by scene \(id)")
    #expect(try monitor.nextLine().hasSuffix(": q:1 goes nowhere: no rule found a target"))
    scene.send(signal: SIGTERM)
    #expect(try monitor.nextLine() == "\(id): closed")
    let application = try router.declare("--application", "B", "--scene", "browser")
    #expect(try monitor.nextLine() == "B: declares browser")
    application.send(signal: SIGTERM)
    #expect(try monitor.nextLine() == "B: declared no more")
    router.daemon.send(signal: SIGTERM)
    #expect(try monitor.nextLine() == "the router ends (shutdown)")
    #expect(try monitor.waitForEnd() == .exit(0))
  }

  @Test func monitorShowsWhatIsAskedFor() throws {
    let decisions = try router.start("monitor", "--json", "--no-registry")
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
