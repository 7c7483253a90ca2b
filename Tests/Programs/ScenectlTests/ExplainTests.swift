import TestSupport
import Testing

@Suite(.blocking) struct ExplainTests {
  private let router: Router

  init() throws { router = try Router() }

  @Test func winnerIsTheFirstCandidateShown() throws {
    let (id, scene) = try router.scene("--application", "Notes", "--prefer", "doc/1", "--allow", "doc")
    let run = try router.scenectl("explain", "n:doc/2")
    #expect(run.status == 0)
    let gap = String(repeating: " ", count: id.count)
    #expect(
      run.output == """
        n:doc/2 would go to scene \(id) of Notes: it allows identifier 'doc'.
        RULE        TITLE  SCENE\(gap.dropFirst(5))  APPLICATION  DECLARATION  IDENTIFIER  VERDICT
        allowing           \(id)  Notes                     doc         takes it
        preferring         \(id)  Notes                     doc/1       does not match

        """
    )
    _ = try router.scenectl("open", "n:doc/3")
    #expect(try scene.nextLine() == "\(id): acknowledged n:doc/3", "What is explained is not sent.")
  }

  /// The printed reason has to say that the declaration may have only one scene.
  @Test func openSceneOfASingletonIsSaidToBeItsOnlyScene() throws {
    let adapter = try AdapterProgram(environment: router.environment)
    try adapter.say(
      #"{"declare": "A", "scenes": [{"declarationId": "list", "matching": ["doc"], "isSingleton": true}, "#
        + #"{"declarationId": "main", "isSingleton": true}]}"#
    )
    var ids: [String] = []
    for declaration in ["list", "main"] {
      try adapter.say(
        #"{"scene": "\#(declaration)", "application": "A", "declaration": "\#(declaration)"}"#
      )
      ids.append(try adapter.object("opened")["scene"] ?? "")
    }
    // The adapter answers after the router has received the declaration, so the test waits for this answer.
    try adapter.say(#"{"explain": 1, "event": {"url": "x:1"}}"#)
    _ = try adapter.object("explained")
    #expect(
      try router.scenectl("explain", "x:1").lines[0]
        == "x:1 would go to scene \(ids[1]) of A: its declaration has no condition, and this is its only scene."
    )
    #expect(
      try router.scenectl("explain", "x:doc").lines[0]
        == "x:doc would go to scene \(ids[0]) of A: its declaration opens scenes for identifier 'doc', and this is its "
        + "only scene."
    )
  }

  @Test func eventWithoutTargetHasStatusThree() throws {
    let run = try router.scenectl("explain", "n:1")
    #expect(run.status == 3)
    #expect(
      run.lines == [
        "n:1 would go nowhere: no open scene takes it, and no application claims n:.",
        "No open scene and no declared application takes part in this event.",
      ]
    )
  }

  @Test func decisionIsToldAsJSON() throws {
    let (id, _) = try router.scene("--allow", "*")
    let run = try router.scenectl("explain", "--json", "n:1")
    let object = try #require(try run.objects().first)
    #expect(run.lines.count == 1)
    #expect(object["sceneId"] == id)
    #expect(object["trace.0.rule"] == "preferring")
    #expect(object["trace.1.pattern"] == "*")
    #expect(try router.scenectl("explain", "--json", "--scene", id, "n:1").objects()[0]["rule"] == "explicit")
  }

  @Test func activityCanBeExplained() throws {
    _ = try router.declare("--application", "Photos", "--scene", "detail=doc/")
    let run = try router.scenectl("explain", "--activity-type", "t", "--target-content-identifier", "doc/1")
    #expect(run.status == 0)
    #expect(
      run.lines.first
        == "t doc/1 would go to a new scene 'detail' of Photos: its declaration opens scenes for identifier 'doc/'."
    )
  }

  @Test(
    arguments: [
      (["--no-new-scene"], "passed over: no new scene is allowed", 3),
      (["--application", "Other"], "does not match", 3),
    ] as [([String], String, CInt)]
  )
  func scopeIsThatOfOpen(options: [String], verdict: String, status: CInt) throws {
    _ = try router.declare("--application", "Photos", "--scene", "detail=n:")
    _ = try router.scene("--application", "Other", "--prefer", "other")
    let run = try Router.scenectl(
      ["explain"] + options + ["n:1"],
      environment: router.environment
    )
    #expect(run.status == status)
    #expect(run.lines.contains { $0.hasSuffix(verdict) }, "\(run.output)")
  }

  @Test func originIsPassedOver() throws {
    let (id, _) = try router.scene("--allow", "*")
    let run = try router.scenectl("explain", "--origin-scene", id, "n:1")
    #expect(run.status == 3)
    #expect(run.lines.contains { $0.hasSuffix("passed over: the event comes from it") })
  }

  @Test func winnerIsShownWhereverTheTraceEnds() throws {
    let (id, _) = try router.scene("--application", "A", "--prefer", "a", "--prefer", "b", "--allow", "*")
    let run = try router.scenectl("explain", "--max-steps", "1", "n:1")
    try #require(run.lines.count == 5)
    #expect(run.lines[2].contains(/^allowing +\S+ +A +\* +takes it$/))
    #expect(run.lines[2].contains(id))
    #expect(run.lines[3].hasSuffix("does not match"))
    #expect(run.lines[4] == "More candidates are not shown; see --max-steps.")
    #expect(try router.scenectl("explain", "--max-steps", "0", "n:1").lines.count == 4)
  }

  @Test func newSceneIsTheWinnerOfItsDeclaration() throws {
    _ = try router.declare("--application", "Photos", "--scene", "never=", "--scene", "detail=n:")
    let run = try router.scenectl("explain", "n:1")
    try #require(run.lines.count == 4)
    #expect(run.lines[2].contains(/^matching +Photos +detail +n: +opens a new scene$/))
    #expect(run.lines[3].contains(/^matching +Photos +never +does not match$/))
  }

  @Test func missingFileIsAnError() throws {
    let run = try router.scenectl("explain", "/no/such/file")
    #expect(run.status == 1)
    #expect(run.error == "scenectl: /no/such/file: This is neither a URL nor the path of an existing file.\n")
  }
}
