import Glibc
import TestSupport
import Testing

/// `scenectl activities` and `continue`, and the scenes that offer activities.
@Suite(.blocking) struct ActivityTests {
  private let router: Router
  private let machine: String

  init() throws {
    router = try Router()
    machine = try Router.run("/bin/hostname", []).lines[0]
  }

  /// Opens a scene whose activity, a note, can be continued elsewhere.
  ///
  /// The scene also prefers the note, so that a test would fail if the event came back to this scene.
  private func note(_ arguments: String...) throws -> (id: String, program: SpawnedProgram) {
    let offer = ["--activity-type", "org.example.note", "--target-content-identifier", "note/1"]
    return try router.scene(["--prefer", "note/1"] + offer + arguments)
  }

  @Test func activitiesAreListedThoseOfScenesThatOfferOne() throws {
    #expect(
      try router.scenectl("activities").output
        == "No scene shows an activity that can be continued elsewhere.\n"
    )
    #expect(try router.scenectl("activities", "--json").output == "")
    _ = try router.scene("--allow", "*")
    let first = try note("--application", "A", "--title", "Notes", "--user-info", #"{"a":1}"#)
    let second = try note("--application", "B")
    let run = try router.scenectl("activities")
    let table = run.lines.map { $0.split(separator: " ").map(String.init) }
    #expect(table[0] == ["SCENE", "APPLICATION", "SINCE", "ACTIVITY", "TITLE", "CONTENT"])
    #expect(table[1].prefix(2) == [first.id, "A"])
    #expect(table[1].suffix(3) == ["org.example.note", "Notes", "note/1"])
    #expect(table[2].prefix(2) == [second.id, "B"])
    let objects = try router.scenectl("activities", "--application", "A", "--json").objects()
    #expect(objects.map { $0["scene.runtime.sceneId"] } == [first.id])
    #expect(objects.map { $0["activity.targetContentIdentifier"] } == ["note/1"])
    #expect(objects.map { $0["activity.userInfo.a"] } == [nil])
  }

  @Test func activityIsContinuedByAnotherScene() throws {
    let offering = try note("--user-info", #"{"a":1}"#)
    let other = try router.start("scene", "--json", "--allow", "note")
    let id = try JSONObject(other.nextLine())["sceneId"]
    let run = try router.scenectl("continue")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("org.example.note note/1: taken by scene \(id ?? "") of scenectl"))
    #expect(try offering.program.nextLine() == "\(offering.id): continued org.example.note by \(machine)")
    let delivery = try JSONObject(other.nextLine())
    #expect(delivery["delivery.event.activity.userInfo.a"] == "1")
  }

  @Test func sceneCanBeNamedAndSaysSoInJSON() throws {
    _ = try note()
    let other = try router.start(
      "scene",
      "--json",
      "--prefer",
      "none",
      "--activity-type",
      "org.example.other",
      "--title",
      "T"
    )
    let id = try #require(try JSONObject(other.nextLine())["sceneId"])
    let run = try router.scenectl("continue", id, "--json")
    #expect(run.status == 3)
    #expect(try run.objects().map { $0["event.activity.activityType"] } == ["org.example.other"])
    let continued = try JSONObject(other.nextLine())
    #expect(continued["continued.activityType"] == "org.example.other")
    #expect(continued["continued.by"] == machine)
  }

  /// No scene takes the activity, so `scenectl continue` opens the activity's web page.
  ///
  /// Then the test runs the command twice with the same event id. The second run reports the decisions of the first
  /// run, because the router does not route the same event again.
  @Test func webPageIsOpenedWhereNobodyTakesTheActivity() throws {
    let source = try note("--webpage-url", "web:1")
    let (id, other) = try router.scene("--allow", "web:1")
    let run = try router.scenectl("continue")
    #expect(run.status == 0)
    try #require(run.lines.count == 2)
    #expect(
      run.lines[0] == """
        org.example.note note/1: not routed: no open scene takes it, and no application claims \
        org.example.note; see: scenectl explain --origin-scene \
        \(source.id) --activity-type org.example.note --target-content-identifier note/1 --webpage-url web:1
        """
    )
    #expect(run.lines[1].hasPrefix("web:1: taken by scene \(id)"))
    #expect(try other.nextLine() == "\(id): acknowledged web:1")
    let decisions = try (0..<2).map { _ in
      try router.scenectl("continue", "--event-id", "e", "--json").objects().map { $0["decision.decisionId"] }
    }
    #expect(decisions[0].count == 2)
    #expect(decisions[0] == decisions[1])
    let last = try router.scenectl("continue", "--no-wait").lines.last
    #expect(last?.hasPrefix("web:1: routed to scene \(id)") == true)
  }

  @Test func nothingToContinueIsAnError() throws {
    let none = try router.scenectl("continue")
    #expect(none.status == 1)
    #expect(none.error == "scenectl: No scene shows an activity that can be continued elsewhere.\n")
    let (id, _) = try router.scene("--allow", "*")
    let other = try router.scenectl("continue", id)
    #expect(other.status == 1)
    #expect(
      other.error == "scenectl: The scene '\(id)' shows no activity that can be continued elsewhere.\n"
    )
    #expect(try router.scenectl("continue", "nonsense").error == "scenectl: There is no scene 'nonsense'.\n")
  }

  @Test func refusedActivityEndsTheScene() throws {
    let run = try router.scenectl("scene", "--activity-type", "t", "--webpage-url", "none", "--allow", "x")
    #expect(run.status == 1)
    #expect(
      run.error == "scenectl: The value of --webpage-url is not an absolute URL without white space.\n"
    )
  }
}
